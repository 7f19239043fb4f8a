// What an operator's argument or result can be.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include <sinter/graph/number.h>
#include <sinter/graph/tensor.h>

namespace sinter {

// A number in a Tensor slot (a wrapped number) stays a Scalar here until the op is bound.
class Value {
 public:
  using List = std::vector<Value>;
  using Variant = std::variant<std::monostate, Tensor, Scalar, SymInt, List, std::string, DType, Device, MemoryFormat>;

  Value() = default;
  Value(Tensor tensor) {
    if (tensor.defined()) held_ = std::move(tensor);
  }
  Value(std::optional<Tensor> tensor) {
    if (tensor && tensor->defined()) held_ = std::move(*tensor);
  }
  Value(Scalar scalar) {  // a symbolic size is a SymInt: one form for one thing
    if (scalar.is_symbolic())
      held_ = scalar.size();
    else
      held_ = scalar;
  }
  Value(std::optional<Scalar> scalar) {
    if (scalar) *this = Value(*scalar);
  }
  Value(bool value) : held_(Scalar(value)) {}
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
  Value(T value) : held_(Scalar(value)) {}
  Value(SymInt value) {  // an integer that is no symbol is a Scalar: one form for one thing
    if (value.is_constant())
      held_ = Scalar(value.hint());
    else
      held_ = value;
  }
  Value(std::optional<SymInt> value) {
    if (value) *this = Value(*value);
  }
  Value(List list) : held_(std::move(list)) {}
  Value(const SymDims& dims) : held_(List(dims.begin(), dims.end())) {}
  Value(const Dims& dims) : held_(List(dims.begin(), dims.end())) {}
  Value(const std::vector<Tensor>& tensors) : held_(List(tensors.begin(), tensors.end())) {}
  Value(std::string text) : held_(std::move(text)) {}
  Value(const char* text) : held_(std::string(text)) {}
  Value(DType dtype) : held_(dtype) {}
  Value(std::optional<DType> dtype) {
    if (dtype) held_ = *dtype;
  }
  Value(Device device) : held_(device) {}
  Value(MemoryFormat format) : held_(format) {}

  bool is_none() const { return std::holds_alternative<std::monostate>(held_); }
  bool is_tensor() const { return std::holds_alternative<Tensor>(held_); }
  // A number; a symbolic size is one too.
  bool is_scalar() const { return std::holds_alternative<Scalar>(held_) || is_sym_int(); }
  bool is_sym_int() const { return std::holds_alternative<SymInt>(held_); }
  bool is_list() const { return std::holds_alternative<List>(held_); }
  bool is_string() const { return std::holds_alternative<std::string>(held_); }
  bool is_dtype() const { return std::holds_alternative<DType>(held_); }
  bool is_device() const { return std::holds_alternative<Device>(held_); }
  bool is_memory_format() const { return std::holds_alternative<MemoryFormat>(held_); }

  const Tensor& tensor() const { return std::get<Tensor>(held_); }
  Scalar scalar() const { return is_sym_int() ? Scalar(std::get<SymInt>(held_)) : std::get<Scalar>(held_); }
  // Of an integer or a symbol.
  SymInt sym_int() const { return is_sym_int() ? std::get<SymInt>(held_) : SymInt(scalar().to_int()); }
  const List& list() const { return std::get<List>(held_); }
  const std::string& string() const { return std::get<std::string>(held_); }
  DType dtype() const { return std::get<DType>(held_); }
  Device device() const { return std::get<Device>(held_); }
  MemoryFormat memory_format() const { return std::get<MemoryFormat>(held_); }
  const Variant& variant() const { return held_; }

 private:
  Variant held_;
};

using Values = std::vector<Value>;

}  // namespace sinter
