// Pools of device tensors, and their gradients, have the CPU's bits.

#include <sinter/sinter.h>

#include "support/on_both_devices.h"
#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

Tensor image(const std::vector<int64_t>& sizes, DType dtype) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 29 % 31 - 15) / 7);
  return tensor_of(elements, sizes, f64).to(dtype);
}

TEST(CudaPool, GreatestElementsAndTheirPlaces) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, bf16, i32}) {
    Tensor x = image({2, 3, 9, 8}, dtype);
    for (const Tensor& self : {x, x.permute({0, 1, 3, 2})}) {
      expect_the_cpus("aten::max_pool2d_with_indices", {self, Dims{3, 2}, Dims{2, 2}, Dims{1, 1}, Dims{1, 2}, true});
      expect_the_cpus("aten::max_pool2d_with_indices", {self, Dims{2, 2}});
    }
    if (is_floating(dtype)) expect_the_cpus("aten::adaptive_max_pool2d", {x, Dims{4, 5}});
  }
  expect_the_cpus("aten::max_pool3d_with_indices", {image({2, 4, 5, 6}, f32), Dims{2, 2, 2}, Dims{1, 2, 2}});
}

TEST(CudaPool, Gradients) {
  SINTER_NEEDS_CUDA();
  Tensor x = image({2, 3, 9, 8}, f32);
  Values forward = expect_the_cpus("aten::max_pool2d_with_indices", {x, Dims{3, 3}, Dims{2, 2}, Dims{1, 1}});
  Tensor gradient = forward[0].tensor() * 0.3;
  expect_the_cpus("aten::max_pool2d_with_indices_backward",
                  {gradient, x, Dims{3, 3}, Dims{2, 2}, Dims{1, 1}, Dims{1, 1}, false, forward[1].tensor()});
  for (bool counts_padding : {false, true})
    expect_the_cpus("aten::avg_pool2d_backward",
                    {gradient, x, Dims{3, 3}, Dims{2, 2}, Dims{1, 1}, false, counts_padding, Value()});
  expect_the_cpus("aten::_adaptive_avg_pool2d_backward", {image({2, 3, 4, 5}, f16), x.to(f16)});
  Values shared = expect_the_cpus("aten::adaptive_max_pool2d", {x, Dims{4, 5}});
  expect_the_cpus("aten::adaptive_max_pool2d_backward", {image({2, 3, 4, 5}, f32), x, shared[1].tensor()});
  expect_the_cpus("aten::_adaptive_avg_pool2d", {x, Dims{4, 5}});
}

}  // namespace
}  // namespace sinter::test
