// One call of a compiled function with its types: flattens arguments, runs the function on fakes, rebuilds results.

#pragma once

#include <sinter/graph/trace.h>
#include <sinter/runtime/compiled_function.h>

#include <functional>

namespace sinter::runtime {

uint64_t next_type_number();
// Of each type another number.
template <class T>
uint64_t type_number() {
  static const uint64_t number = next_type_number();
  return number;
}

// `P`: the parameter types with their references. `types_are_guarded`: calls of one function differ in them.
template <class F, class R, bool types_are_guarded, class... P>
class TypedCall final : public CallSite {
  using Result = std::decay_t<R>;
  static constexpr bool returns = !std::is_void_v<R>;
  using Held = std::conditional_t<returns, Result, int>;
  static_assert((std::is_copy_constructible_v<std::decay_t<P>> && ...), "arguments are copied for the trace");

 public:
  TypedCall(F& function, std::remove_reference_t<P>&... arguments) : function_(function), arguments_(arguments...) {
    FlattenArguments flattener(flat);
    // With their value categories: they choose the overload, and whether an argument may be assigned to.
    if constexpr (types_are_guarded) flat.words.push_back(type_number<std::tuple<R, P...>>());
    (flatten(flattener, std::as_const(arguments)), ...);
  }

  FlatArguments flat;

  void name_arguments(NameArguments& names, const Options& options) const override {
    if constexpr (types_are_guarded) names.words.push_back({"argument types", WordKind::integer});
    size_t position = 0;
    auto name = [&](const auto& argument) {
      bool is_named = position < options.argument_names.size();
      names.begin(is_named ? options.argument_names[position] : fmt::format("arg{}", position));
      ++position;
      flatten(names, argument);
    };
    std::apply([&](const auto&... arguments) { (name(arguments), ...); }, arguments_);
  }

  TracedResults trace(std::span<const Tensor> fakes, std::span<const Scalar> numbers, Here where) override {
    std::tuple<std::decay_t<P>...> copies(arguments_);
    auto replace = [&](auto&... arguments) {
      ReplaceByFakes visitor(fakes, numbers);
      (flatten(visitor, arguments), ...);
      return trace_copies(fakes, where, arguments...);
    };
    return std::apply(replace, copies);
  }

  void take_results(const void* shape, std::span<Tensor> tensors, std::span<const int64_t> symbols) override {
    if constexpr (returns) {
      result_.emplace(*static_cast<const Result*>(shape));
      if (!symbols.empty()) {
        ReplaceSizes sizes(symbols);
        flatten(sizes, *result_);
      }
      ReplaceTensors visitor([next = tensors.begin()](Tensor& tensor) mutable { tensor = std::move(*next++); });
      flatten(visitor, *result_);
    }
  }

  void call_uncompiled() override {
    auto call = [&](auto&... arguments) -> R { return std::invoke(function_, static_cast<P&&>(arguments)...); };
    if constexpr (returns)
      result_.emplace(std::apply(call, arguments_));
    else
      std::apply(call, arguments_);
  }

  R take() {
    if constexpr (returns) return *std::move(result_);
  }

 private:
  template <class... Copies>
  TracedResults trace_copies(std::span<const Tensor> fakes, Here where, Copies&... copies) {
    [[maybe_unused]] std::array<FlatArguments, sizeof...(Copies)> before;
    size_t position = 0;
    (flatten_into(before[position++], copies), ...);
    TracedResults traced;
    if constexpr (returns) {
      auto result = std::make_shared<Result>(std::invoke(function_, static_cast<P&&>(copies)...));
      ReplaceTensors take_out([&](Tensor& tensor) { traced.tensors.push_back(std::exchange(tensor, Tensor())); });
      flatten(take_out, *result);
      FixNumbers fix_numbers(where);
      flatten(fix_numbers, *result);
      FindSizes find_sizes;
      flatten(find_sizes, *result);
      traced.has_symbolic_numbers = find_sizes.found;
      traced.data_symbols = std::move(find_sizes.data_symbols);
      traced.shape = std::move(result);
    } else {
      std::invoke(function_, static_cast<P&&>(copies)...);
    }
    traced.arguments_after.assign(fakes.begin(), fakes.end());
    [[maybe_unused]] size_t first = 0;
    position = 0;
    (look_again<P>(before[position++], copies, first, traced, where), ...);
    return traced;
  }

  template <class Argument>
  static void flatten_into(FlatArguments& flat, const Argument& argument) {
    FlattenArguments flattener(flat);
    flatten(flattener, argument);
  }

  // What the function left in an argument that it may assign to.
  template <class Parameter, class Copy>
  static void look_again(const FlatArguments& before, const Copy& copy, size_t& first, TracedResults& traced,
                         Here where) {
    size_t count = before.tensors.size();
    if constexpr (std::is_lvalue_reference_v<Parameter> && !std::is_const_v<std::remove_reference_t<Parameter>>) {
      FlatArguments after;
      flatten_into(after, copy);
      if (after.tensors.size() != count || !(after.words == before.words))
        throw Error(ErrorKind::trace, where, "compile: the function changes numbers or containers among its arguments",
                    {}, "return what it makes; only tensors may be assigned to an argument");
      for (size_t i = 0; i < count; ++i) traced.arguments_after[first + i] = *after.tensors[i];
    }
    first += count;
  }

  F& function_;
  std::tuple<std::remove_reference_t<P>&...> arguments_;
  std::optional<Held> result_;
};

}  // namespace sinter::runtime
