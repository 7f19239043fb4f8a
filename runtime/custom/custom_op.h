// Operators of the user's own: registered at run time, then called, traced, compiled and printed like built-in ones.
//
//   CustomOp gelu = custom_op("mylib::gelu", "(Tensor x) -> Tensor", gelu_on_cpu);
//   gelu.register_fake([](const Tensor& x) { return empty_like(x); });
//   auto fast = compile([&](const Tensor& x) { return gelu(x) * 2; });
//
// Three kinds: custom_op is opaque, elementwise_op is a formula that the compiler inlines, kernel_op launches loop
// kernels that the compiler sees. The op lives as long as the handle that is returned; after it, entries of compiled
// functions that used it are traced again.

#pragma once

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/custom/formula_text.h>
#include <sinter/runtime/custom/typed_function.h>

namespace sinter {

// The parameters that an op writes; {} means that it writes nothing.
struct MutatesArgs {
  MutatesArgs(std::initializer_list<std::string> names) : names(names) {}
  std::vector<std::string> names;
};

struct CustomOptions {
  DeviceType device = DeviceType::cpu;      // which tensors the implementation is for
  std::optional<MutatesArgs> mutates_args;  // checked against the schema's (a!), which says it already
  std::vector<std::string> parameters;      // names for a schema that is made from the C++ signature: arg0, ... if none
  std::vector<Values> samples;              // arguments with which opcheck runs at registration in debug builds
};

// An argument of a call, and where the call is written.
struct LocatedValue {
  template <class T>
    requires std::is_constructible_v<Value, const T&>
  LocatedValue(const T& value, Here here = Here::current()) : value(value), here(here) {}
  Value value;
  Here here;
};

// The registration. Unregisters when it goes.
class CustomOp {
 public:
  CustomOp(graph::CustomKind kind, std::string signature, std::string body, graph::CustomFunctions functions,
           CustomOptions options, Here here);
  CustomOp(CustomOp&& other) noexcept;
  CustomOp& operator=(CustomOp&& other) noexcept;
  ~CustomOp();

  // Results of the right sizes, strides and dtype from fake tensors, without data. Elementwise ops need none.
  template <class F>
  CustomOp& register_fake(F function, Here here = Here::current()) {
    set(&graph::CustomFunctions::fake, checked(runtime::typed_function(std::move(function)), "fake function", here),
        here);
    check_samples(here);
    return *this;
  }
  // What an opaque op does to tensors of a device, eager and compiled.
  template <class F>
  CustomOp& register_kernel(DeviceType device, F function, Here here = Here::current()) {
    set_kernel(device, checked(runtime::typed_function(std::move(function)), "implementation", here), here);
    return *this;
  }
  // What eager runs where there is no kernel for the device; compiled code never calls it.
  template <class F>
  CustomOp& register_reference(F function, Here here = Here::current()) {
    set(&graph::CustomFunctions::reference,
        checked(runtime::typed_function(std::move(function)), "reference implementation", here), here);
    return *this;
  }
  // The op's derivative; kept for training, which does not exist yet.
  CustomOp& register_vjp(graph::CustomFunction function, Here here = Here::current());
  void unregister();

  // Throws Error(argument) if the registration was moved to another handle.
  const graph::CustomDefinition& definition(Here here = Here::current()) const { return own(here); }
  const OpDef& def(Here here = Here::current()) const { return own(here).def(); }
  std::string name(Here here = Here::current()) const { return own(here).name(); }

  // The first result; undefined if there is none.
  template <class... Rest>
  Tensor operator()(LocatedValue first, const Rest&... rest) const {
    return first_of(call({std::move(first.value), Value(rest)...}, {}, first.here));
  }
  Values call(const Values& positional, const NamedValues& keywords = {}, Here here = Here::current()) const {
    return apply(def(here), positional, keywords, here);
  }

 private:
  graph::CustomDefinition& own(Here here) const;
  void set(graph::CustomFunction graph::CustomFunctions::* slot, graph::CustomFunction function, Here here);
  void set_kernel(DeviceType device, graph::CustomFunction function, Here here);
  graph::CustomFunction checked(runtime::TypedFunction function, std::string_view what, Here here) const;
  void check_samples(Here here) const;
  static Tensor first_of(const Values& results) {
    return results.empty() || !results[0].is_tensor() ? Tensor() : results[0].tensor();
  }

  graph::CustomDefinition* definition_ = nullptr;  // lives as long as the process; null: moved from
  std::vector<Values> samples_;
};

namespace runtime {

// `name` and what follows it in a signature. Throws if `mutates_args` is given and says something else.
std::string signature_of(std::string_view name, std::string_view schema, const CustomOptions& options, Here here);
// The signature of a C++ function.
std::string signature_of(std::string_view name, const TypedFunction& function, const MutatesArgs& mutates_args,
                         const CustomOptions& options, Here here);
graph::CustomFunctions with_kernel(TypedFunction function, const std::string& signature, DeviceType device, Here here);
graph::CustomFunctions with_visible(TypedFunction function, std::string_view signature, Here here);

// A C++ function of so many scalars as a formula.
template <class F, size_t... i>
ScalarExpr call_formula(F& formula, std::span<const ScalarExpr> x, std::index_sequence<i...>) {
  return formula(x[i]...);
}
template <size_t, class T>
using Same = T;
template <class F, size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
  return std::is_invocable_r_v<ScalarExpr, F&, Same<i, ScalarExpr>...>;
}
template <class F, size_t count>
ScalarExpr call_formula_of(F& formula, std::span<const ScalarExpr> x) {
  if constexpr (takes<F>(std::make_index_sequence<count>()))
    if (x.size() == count) return call_formula(formula, x, std::make_index_sequence<count>());
  if constexpr (count > 0)
    return call_formula_of<F, count - 1>(formula, x);
  else
    return {};
}
inline constexpr size_t most_formula_operands = 8;
graph::CustomFunctions with_formula(std::function<ScalarExpr(std::span<const ScalarExpr>)> formula);
[[noreturn]] void refuse_null_formula(std::string_view signature, Here here);

}  // namespace runtime

// An op without an implementation yet.
CustomOp custom_op(std::string_view name, std::string_view schema, Here here = Here::current());
// `schema` in ATen's syntax; Tensor(a!) marks what the implementation writes.
template <class F>
  requires(!std::is_same_v<F, Here>)
CustomOp custom_op(std::string_view name, std::string_view schema, F implementation, CustomOptions options = {},
                   Here here = Here::current()) {
  std::string signature = runtime::signature_of(name, schema, options, here);
  graph::CustomFunctions functions =
      runtime::with_kernel(runtime::typed_function(std::move(implementation)), signature, options.device, here);
  return CustomOp(graph::CustomKind::opaque, std::move(signature), {}, std::move(functions), std::move(options), here);
}
// The schema made from the C++ signature: what it writes can't be seen there, and must be said.
template <class F>
CustomOp custom_op(std::string_view name, const MutatesArgs& mutates_args, F implementation, CustomOptions options = {},
                   Here here = Here::current()) {
  runtime::TypedFunction typed = runtime::typed_function(std::move(implementation));
  std::string signature = runtime::signature_of(name, typed, mutates_args, options, here);
  graph::CustomFunctions functions = runtime::with_kernel(std::move(typed), signature, options.device, here);
  return CustomOp(graph::CustomKind::opaque, std::move(signature), {}, std::move(functions), std::move(options), here);
}

// The formula over scalars, called as formula(x, y, ...) with one for each parameter of the signature:
//   elementwise_op("mylib::gelu_exact(Tensor x) -> Tensor", [](ScalarExpr x) { return ...; })
template <class F>
  requires(!std::is_convertible_v<F, std::string_view>)
CustomOp elementwise_op(std::string_view signature, F formula, CustomOptions options = {},
                        Here here = Here::current()) {
  if (runtime::is_null_function(formula)) runtime::refuse_null_formula(signature, here);
  auto call = [formula = std::move(formula)](std::span<const ScalarExpr> x) mutable {
    return runtime::call_formula_of<F, runtime::most_formula_operands>(formula, x);
  };
  return CustomOp(graph::CustomKind::elementwise, std::string(signature), {}, runtime::with_formula(std::move(call)),
                  std::move(options), here);
}
// The formula as C++ text, of an expression in the parameters or of one function (graph/custom/formula_text.h).
CustomOp elementwise_op(std::string_view signature, std::string_view text, CustomOptions options = {},
                        Here here = Here::current());

// A function over tensors that calls wrap_kernel and other ops (graph/custom/user_kernel.h).
template <class F>
CustomOp kernel_op(std::string_view signature, F function, CustomOptions options = {}, Here here = Here::current()) {
  graph::CustomFunctions functions =
      runtime::with_visible(runtime::typed_function(std::move(function)), signature, here);
  return CustomOp(graph::CustomKind::kernel, std::string(signature), {}, std::move(functions), std::move(options),
                  here);
}

}  // namespace sinter
