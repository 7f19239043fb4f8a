// Results whose sizes only data tell, searches and bags: made on a device, they are the CPU's.

#include <sinter/sinter.h>

#include <limits>

#include "support/on_both_devices.h"
#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

Tensor numbers(const std::vector<int64_t>& sizes, DType dtype, int64_t modulus = 5) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i * 29 % 31 % modulus));
  return tensor_of(elements, sizes, f64).to(dtype);
}

TEST(CudaDataSizes, TrueElements) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f16, i64, boolean})
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{3, 5}, {2500}, {0, 3}, {}, {3, 40, 30}}) {
      Tensor x = numbers(sizes, i64, 3).to(dtype);
      expect_the_cpus("aten::nonzero", {x});
      expect_the_cpus("aten::masked_select", {x, x.to(boolean)});
      if (!sizes.empty()) expect_the_cpus("aten::nonzero_static", {x, 7, -2});
    }
  Tensor mask = numbers({4, 1}, boolean), x = numbers({4, 6}, f32);
  expect_the_cpus("aten::masked_select", {x, mask});
  expect_the_cpus("aten::masked_scatter", {x, mask, numbers({24}, f32, 11)});
}

TEST(CudaDataSizes, EqualElementsAndCounts) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, bf16, i64, u8, boolean})
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{3, 5}, {2500}, {0}}) {
      expect_the_cpus("aten::_unique2", {numbers(sizes, dtype, 7), true, true, true});
      expect_the_cpus("aten::unique_consecutive", {numbers(sizes, dtype, 7), true, true});
    }
  double nan = std::numeric_limits<double>::quiet_NaN();
  expect_the_cpus("aten::_unique2", {tensor_of({nan, 1, nan, 1}, {4}, f32), true, true, true});
  expect_the_cpus("aten::bincount", {numbers({3000}, i64)});
  expect_the_cpus("aten::bincount", {numbers({3000}, i32), numbers({3000}, f32, 9) / 7, 9});
  expect_the_cpus("aten::repeat_interleave.Tensor", {numbers({300}, i64)});
}

TEST(CudaDataSizes, Searches) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, i64}) {
    Tensor sorted = tensor_of({-2, 0, 0, 1, 3, 8}, {6}, dtype), x = numbers({5, 6}, dtype, 9) - 1;
    for (bool right : {false, true}) {
      expect_the_cpus("aten::searchsorted.Tensor", {sorted, x, right == false, right});
      expect_the_cpus("aten::bucketize.Tensor", {x, sorted, false, right});
      expect_the_cpus("aten::isin.Tensor_Tensor", {x, sorted, false, right});
    }
  }
}

TEST(CudaDataSizes, Bags) {
  SINTER_NEEDS_CUDA();
  Tensor offsets = tensor_of({0, 4, 4, 9}, {4}, i64);
  for (DType dtype : {f32, f16})
    for (int64_t mode : {0, 1, 2})
      expect_the_cpus("aten::_embedding_bag", {numbers({10, 6}, dtype, 13) / 7, numbers({12}, i64, 10), offsets, false,
                                               mode, false, Value(), false, 3});
}

}  // namespace
}  // namespace sinter::test
