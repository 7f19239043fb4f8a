// A tensor's values in plain row-major order, as double or int64: what the naive reference computes on.

#pragma once

#include <sinter/graph/tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::reference {

struct Number {
  double f = 0;   // of floating dtypes
  int64_t i = 0;  // of the others; a bool is 0 or 1
};

struct Array {
  DType dtype = DType::f32;
  std::vector<int64_t> sizes;
  std::vector<Number> values;
  bool is_number = false;  // a bare number: weighs least in type promotion
  // How far a result may be off: this many units in the last place of max(|value|, scale). 0: exact.
  double error_units = 0;
  std::vector<double> scales;  // empty: |value| alone; infinite: the value may be anything

  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
};

// The elements of a real tensor by logical index, read through its strides; on a CUDA device they are fetched.
Array read(const Tensor& tensor);
Array number(const Scalar& scalar);

// The nearest value of the dtype (ties to even), or the integer wrapped to it. A NaN stays one.
double round_float(DType dtype, double value);
int64_t wrap_integer(DType dtype, int64_t value);
Number convert(const Number& value, DType from, DType to);
Array convert(const Array& array, DType to);

int64_t element_count(const std::vector<int64_t>& sizes);
// The next index in row-major order; false after the last.
bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& sizes);
int64_t flat_index(const std::vector<int64_t>& index, const std::vector<int64_t>& sizes);

// The first element that differs by more than the expected value's error allows; empty if none.
std::string difference(const Array& got, const Array& want);

}  // namespace sinter::reference
