// Resampled images are the CPU's, bit for bit; gradients are within the bound of reductions.

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

Tensor image(std::vector<int64_t> sizes, DType dtype) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 29 % 31 - 15) / 4);
  return tensor_of(elements, sizes, dtype);
}

TEST(CudaResample, ForwardIsTheCpus) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, f16, bf16})
    for (const char* op : {"aten::upsample_bilinear2d", "aten::upsample_bicubic2d", "aten::_upsample_bilinear2d_aa"})
      for (Dims output : {Dims{9, 5}, Dims{3, 17}}) {
        Tensor x = image({2, 3, 7, 8}, dtype);
        Tensor here = ops(op).call({x, output, false})[0].tensor();
        Tensor there = ops(op).call({on_device(x, cuda::device(0)), output, false})[0].tensor();
        EXPECT_EQ(elements_of(there), elements_of(here)) << op << " " << name(dtype);
      }
  Tensor x = image({1, 2, 5}, i64);
  Tensor there = ops("aten::upsample_nearest1d").call({on_device(x.to(f32), cuda::device(0)), Dims{8}})[0].tensor();
  EXPECT_EQ(elements_of(there), elements_of(ops("aten::upsample_nearest1d").call({x.to(f32), Dims{8}})[0].tensor()));
}

TEST(CudaResample, GradientsAgree) {
  SINTER_NEEDS_CUDA();
  for (const char* op : {"aten::upsample_bilinear2d_backward", "aten::upsample_bicubic2d_backward"}) {
    Tensor gradient = image({2, 3, 9, 5}, f32);
    Values rest = {Dims{9, 5}, Dims{2, 3, 7, 8}, true};
    auto run = [&](const Tensor& x) { return ops(op).call({x, rest[0], rest[1], rest[2]})[0].tensor(); };
    expect_agreement(run(on_device(gradient, cuda::device(0))), run(gradient), op);
  }
}

}  // namespace
}  // namespace sinter::test
