// Tensors from values written in the program, and from memory that somebody else owns.

#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include <sinter/graph/tensor.h>

namespace sinter {

// A number, or a list of literals of equal shape: what `tensor({{1, 2}, {3, 4}})` takes.
class Literal {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  Literal(T value) : values_{Scalar(value)} {}
  Literal(std::initializer_list<Literal> parts, Here here = Here::current());
  template <class T>
    requires std::is_arithmetic_v<T>
  Literal(const std::vector<T>& values) : sizes_{static_cast<int64_t>(values.size())} {
    for (T value : values) values_.emplace_back(value);
  }

  const SymDims& sizes() const { return sizes_; }
  const std::vector<Scalar>& values() const { return values_; }

 private:
  SymDims sizes_;
  std::vector<Scalar> values_;  // row-major
};

// bool, i64 or f32 by the kind of the values, unless asked for another type.
Tensor tensor(const Literal& literal, std::optional<DType> dtype = {}, Here here = Here::current());

// Called with the memory's address once the last tensor on it is gone; it must not throw.
using Deleter = std::function<void(void*)>;

// A tensor on memory that the caller owns. Strides count elements; without them it is row-major.
Tensor from_blob(void* data, SymDims sizes, DType dtype = f32, Here here = Here::current());
Tensor from_blob(void* data, SymDims sizes, SymDims strides, DType dtype = f32, Here here = Here::current());
Tensor from_blob(void* data, SymDims sizes, Deleter deleter, DType dtype = f32, Here here = Here::current());
Tensor from_blob(void* data, SymDims sizes, SymDims strides, Deleter deleter, DType dtype = f32,
                 Here here = Here::current());

}  // namespace sinter
