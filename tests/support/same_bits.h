// Compares tensors bit for bit, and copies them with their memory.

#pragma once

#include <gtest/gtest.h>
#include <sinter/graph/tensor.h>

#include <map>
#include <string>
#include <vector>

namespace sinter::test {

// Equal dtype, sizes, strides (where they mean something) and elements; any NaN equals any NaN. On a CUDA device
// reductions and library calls have four times the bound of `expect_agreement`.
void expect_same_bits(const Tensor& actual, const Tensor& expected, const std::string& what = {});

// The elements in logical order, each as a double (exact for all but large i64).
std::vector<double> elements_of(const Tensor& tensor);

// A contiguous tensor with these elements, converted to the type, on the tests' device (`placement`).
Tensor tensor_of(const std::vector<double>& elements, const std::vector<int64_t>& sizes, DType dtype = f32);
// A tensor of that layout on another's memory.
Tensor strided_view(const Tensor& base, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                    int64_t offset);

// Copies of tensors in which those that share a storage share one again.
class MemoryCopies {
 public:
  explicit MemoryCopies(Device device = cpu) : device_(device) {}
  Tensor copy(const Tensor& tensor);

 private:
  Device device_;
  std::map<StorageImpl*, Storage> copies_;
};

}  // namespace sinter::test
