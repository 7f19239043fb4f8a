// Running sums and products: rows shorter and longer than a block's tile, lines across rows, every type.

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

Tensor whole_numbers(const std::vector<int64_t>& sizes, DType dtype) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 5 % 7) - 2);
  return tensor_of(elements, sizes, dtype);
}

// Sums of small whole numbers are exact in every order.
TEST(CudaScan, SumsAreTheCpus) {
  SINTER_NEEDS_CUDA();
  auto sum = [](const Tensor& x, int64_t dim) { return ops("aten::cumsum")(x, dim)[0].tensor(); };
  for (DType dtype : {f32, f64, i64, i32, u8})
    for (const std::vector<int64_t>& sizes :
         {std::vector<int64_t>{5, 3}, {3, 1000}, {2, 4097}, {4, 1024, 3}, {7}, {0, 4}})
      for (int64_t dim = 0; dim < static_cast<int64_t>(sizes.size()); ++dim) {
        Tensor x = whole_numbers(sizes, dtype);
        expect_same_bits(sum(x.to(cuda::device(0)), dim).to(cpu), sum(x, dim),
                         fmt::format("{} {} dim {}", name(dtype), fmt::join(sizes, "x"), dim));
      }
}

TEST(CudaScan, HalfTypesAreSummedInFullAndRoundedOnce) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f16, bf16}) {
    Tensor x = whole_numbers({2, 300}, dtype);
    Tensor there = ops("aten::cumsum")(x.to(cuda::device(0)), 1)[0].tensor();
    expect_same_bits(there.to(cpu), ops("aten::cumsum")(x.to(f32), 1)[0].tensor().to(dtype));
  }
}

TEST(CudaScan, ProductsAndOtherLayouts) {
  SINTER_NEEDS_CUDA();
  Tensor x = abs(whole_numbers({6, 5}, f64)) + 1;
  Tensor expected = ops("aten::cumprod")(x.t(), 0)[0].tensor();
  expect_same_bits(ops("aten::cumprod")(x.to(cuda::device(0)).t(), 0)[0].tensor().to(cpu), expected);
}

}  // namespace
}  // namespace sinter::test
