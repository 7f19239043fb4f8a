// C++ functions over tensors and numbers as functions over Values: argument by argument, checked against a schema when
// they are registered.

#pragma once

#include <sinter/graph/op.h>
#include <sinter/runtime/call_signature.h>

#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>

namespace sinter::runtime {

// What a C++ parameter type is in a schema, and how it is read from a bound argument.
template <class T>
struct SchemaType;

#define SINTER_SCHEMA_TYPE(cpp, schema_text, read)                      \
  template <>                                                           \
  struct SchemaType<cpp> {                                              \
    static std::string text() { return schema_text; }                   \
    static cpp from(const OpArgs& args, int slot, const Value& value) { \
      (void)args, (void)slot;                                           \
      return read;                                                      \
    }                                                                   \
  };
// An integer that is a symbol becomes the number it is in this trace, which its guards then ask for.
int64_t specialised(const Value& value);
// The same for a function that takes an int; throws Error(argument) if it does not fit.
int narrowed(const OpArgs& args, int slot, const Value& value);
SINTER_SCHEMA_TYPE(Tensor, "Tensor", value.is_tensor() ? value.tensor() : args.tensor(slot))
SINTER_SCHEMA_TYPE(Scalar, "Scalar", value.is_sym_int() ? Scalar(specialised(value)) : value.scalar())
SINTER_SCHEMA_TYPE(double, "float", value.scalar().to_double())
SINTER_SCHEMA_TYPE(float, "float", static_cast<float>(value.scalar().to_double()))
SINTER_SCHEMA_TYPE(int64_t, "int", specialised(value))
SINTER_SCHEMA_TYPE(int, "int", narrowed(args, slot, value))
SINTER_SCHEMA_TYPE(SymInt, "SymInt", value.sym_int())
SINTER_SCHEMA_TYPE(bool, "bool", value.scalar().to_bool())
SINTER_SCHEMA_TYPE(std::string, "str", value.string())
SINTER_SCHEMA_TYPE(DType, "ScalarType", value.dtype())
SINTER_SCHEMA_TYPE(Device, "Device", value.device())
#undef SINTER_SCHEMA_TYPE

template <class T>
struct SchemaType<std::optional<T>> {
  static std::string text() { return SchemaType<T>::text() + "?"; }
  static std::optional<T> from(const OpArgs& args, int slot, const Value& value) {
    if (value.is_none()) return std::nullopt;
    return SchemaType<T>::from(args, slot, value);
  }
};
template <class List, class T>
struct SchemaListType {
  static std::string text() { return SchemaType<T>::text() + "[]"; }
  static List from(const OpArgs& args, int slot, const Value& value) {
    List list;
    for (const Value& element : value.list()) list.push_back(SchemaType<T>::from(args, slot, element));
    return list;
  }
};
template <class T>
struct SchemaType<std::vector<T>> : SchemaListType<std::vector<T>, T> {};
template <>
struct SchemaType<Dims> : SchemaListType<Dims, int64_t> {};
template <>
struct SchemaType<SymDims> : SchemaListType<SymDims, SymInt> {};

// What a function returns: tensors, alone, in a list or in a tuple.
template <class R>
struct SchemaReturn;
template <>
struct SchemaReturn<void> {
  static std::string text() { return "()"; }
};
template <>
struct SchemaReturn<Tensor> {
  static std::string text() { return "Tensor"; }
  static Values values(const Tensor& result) { return {result.defined() ? Value(result) : Value()}; }
};
template <>
struct SchemaReturn<std::vector<Tensor>> {
  static std::string text() { return "Tensor[]"; }
  static Values values(const std::vector<Tensor>& result) { return Values(result.begin(), result.end()); }
};
template <class Tuple>
struct SchemaTuple {
  static constexpr size_t size = std::tuple_size_v<Tuple>;
  static std::string text() {
    std::string text = "(";
    for (size_t i = 0; i < size; ++i) text += i == 0 ? "Tensor" : ", Tensor";
    return text + ")";
  }
  static Values values(const Tuple& result) {
    return std::apply([](const auto&... tensors) { return Values{Value(Tensor(tensors))...}; }, result);
  }
};
template <class... T>
struct SchemaReturn<std::tuple<T...>> : SchemaTuple<std::tuple<T...>> {};
template <class A, class B>
struct SchemaReturn<std::pair<A, B>> : SchemaTuple<std::pair<A, B>> {};
template <size_t size>
struct SchemaReturn<std::array<Tensor, size>> : SchemaTuple<std::array<Tensor, size>> {};

// A function, with what its C++ type says of it.
struct TypedFunction {
  std::function<Values(const OpArgs&)> call;
  std::vector<std::string> parameters;  // types in a schema's words
  std::string result;
  bool is_null = false;  // a null pointer, or an empty std::function
};

template <class F>
struct IsStdFunction : std::false_type {};
template <class S>
struct IsStdFunction<std::function<S>> : std::true_type {};
template <class F>
bool is_null_function(const F& function) {
  if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F> || IsStdFunction<F>::value)
    return function == nullptr;
  else
    return false;
}

template <class F, class R, class... P>
TypedFunction typed_function(F function, Signature<R, P...>) {
  TypedFunction typed{nullptr,
                      {SchemaType<std::decay_t<P>>::text()...},
                      SchemaReturn<std::decay_t<R>>::text(),
                      is_null_function(function)};
  typed.call = [function = std::move(function)](const OpArgs& args) mutable -> Values {
    return [&]<size_t... i>(std::index_sequence<i...>) -> Values {
      std::tuple<std::decay_t<P>...> own{
          SchemaType<std::decay_t<P>>::from(args, static_cast<int>(i), args[static_cast<int>(i)])...};
      if constexpr (std::is_void_v<R>) {
        std::invoke(function, static_cast<P&&>(std::get<i>(own))...);
        return {};
      } else {
        return SchemaReturn<std::decay_t<R>>::values(std::invoke(function, static_cast<P&&>(std::get<i>(own))...));
      }
    }(std::index_sequence_for<P...>());
  };
  return typed;
}
template <class F>
TypedFunction typed_function(F function) {
  static_assert(
      requires { typename CallSignature<F>::type; },
      "a function with one signature: no template parameters, no overloads");
  return typed_function(std::move(function), typename CallSignature<F>::type());
}

// Throws Error(argument) if the function does not take the schema's parameters. `what` it is: "fake function".
void check_signature(const TypedFunction& function, const Schema& schema, std::string_view what, Here here);

}  // namespace sinter::runtime
