// Registration: signatures from C++ types, agreement of functions with schemas, and the handle.

#include <sinter/runtime/custom/custom_op.h>

#include <sinter/graph/ops/types.h>
#include <sinter/runtime/custom/opcheck.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

namespace sinter {

using graph::CustomFunction;
using graph::CustomFunctions;
using graph::CustomKind;

namespace runtime {

int64_t specialised(const Value& value) {
  SymInt integer = value.sym_int();
  if (integer.is_constant()) return integer.hint();
  static_cast<void>(integer == SymInt(integer.hint()));  // the trace notes that it relies on the number
  return integer.hint();
}

int narrowed(const OpArgs& args, int slot, const Value& value) {
  int64_t number = specialised(value);
  if (number != static_cast<int>(number))
    graph::fail_custom(
        args, ErrorKind::argument,
        fmt::format("`{}` is {}, which its function takes as int", args.op().schema().parameters[slot].name, number),
        "a function that takes int64_t");
  return static_cast<int>(number);
}

namespace {

[[noreturn]] void refuse(const Schema& schema, Here here, std::string message, std::string need) {
  throw Error(ErrorKind::argument, here, fmt::format("{}::{}: {}", schema.space, schema.name, message), {},
              std::move(need));
}

// The parameter's type alone: `Tensor`, `float?`, `int[]`. What C++ has one type for counts as one.
std::string plain_type(Parameter parameter) {
  if (parameter.type == ArgType::sym_int) parameter.type = ArgType::integer;
  parameter.name.clear();
  parameter.alias.clear();
  parameter.is_written = false;
  parameter.default_value.reset();
  parameter.list_size = -1;
  Schema schema{.space = "a", .name = "a", .overload = "default", .parameters = {}, .returns = {parameter}};
  std::string text = to_string(schema);
  return text.substr(text.find("-> ") + 3);
}

bool are_one_type(std::string cpp, const Parameter& parameter) {
  if (size_t at = cpp.find("SymInt"); at != std::string::npos) cpp.replace(at, 6, "int");
  std::string wanted = plain_type(parameter);
  return cpp == wanted || (parameter.element_optional && cpp == wanted.substr(0, wanted.find('?')) + "[]");
}

bool returns_agree(const TypedFunction& function, const Schema& schema) {
  size_t count = schema.returns.size();
  size_t fresh =
      static_cast<size_t>(std::ranges::count_if(schema.returns, [](const Parameter& p) { return p.alias.empty(); }));
  if (function.result == "Tensor[]") return true;  // counted at each call
  if (count == 1 && schema.returns[0].is_list) return false;
  size_t given = static_cast<size_t>(std::ranges::count(function.result, 'T'));
  return given == count || given == fresh;
}

}  // namespace

void check_signature(const TypedFunction& function, const Schema& schema, std::string_view what, Here here) {
  if (function.is_null) refuse(schema, here, fmt::format("the {} is null", what), "a function");
  size_t count = schema.parameters.size();
  if (function.parameters.size() != count)
    refuse(schema, here,
           fmt::format("the {} takes {} arguments, the schema has {}", what, function.parameters.size(), count),
           to_string(schema));
  for (size_t i = 0; i < count; ++i)
    if (!are_one_type(function.parameters[i], schema.parameters[i]))
      refuse(schema, here,
             fmt::format("the {} takes `{}` as {}, the schema as {}", what, schema.parameters[i].name,
                         function.parameters[i], plain_type(schema.parameters[i])),
             to_string(schema));
  if (!returns_agree(function, schema))
    refuse(schema, here, fmt::format("the {} returns {}, the schema other results", what, function.result),
           to_string(schema));
}

namespace {

void check_mutates_args(const std::string& signature, const CustomOptions& options, Here here) {
  if (!options.mutates_args) return;
  Schema schema = graph::parse_signature(signature, here);
  for (const std::string& written : options.mutates_args->names)
    if (schema.find(written) < 0 || !schema.parameters[schema.find(written)].is_written)
      refuse(schema, here, fmt::format("mutates_args names `{}`, which the schema does not mark as written", written),
             "Tensor(a!) in the schema for each tensor that is written");
  for (const Parameter& parameter : schema.parameters)
    if (parameter.is_written &&
        std::ranges::find(options.mutates_args->names, parameter.name) == options.mutates_args->names.end())
      refuse(schema, here,
             fmt::format("the schema marks `{}` as written, which mutates_args does not name", parameter.name),
             "each written tensor in mutates_args, too");
}

}  // namespace

std::string signature_of(std::string_view name, std::string_view schema, const CustomOptions& options, Here here) {
  std::string signature = fmt::format("{}{}", name, schema);
  check_mutates_args(signature, options, here);
  return signature;
}

std::string signature_of(std::string_view name, const TypedFunction& function, const MutatesArgs& mutates_args,
                         const CustomOptions& options, Here here) {
  std::string parameters;
  std::vector<std::string> left = mutates_args.names;
  char letter = 'a';
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    std::string parameter = i < options.parameters.size() ? options.parameters[i] : fmt::format("arg{}", i);
    std::string type = function.parameters[i];
    if (std::erase(left, parameter) > 0) type.insert(std::min<size_t>(6, type.size()), fmt::format("({}!)", letter++));
    parameters += fmt::format("{}{} {}", i == 0 ? "" : ", ", type, parameter);
  }
  if (!left.empty())
    throw Error(ErrorKind::argument, here,
                fmt::format("{}: mutates_args names `{}`, which is no parameter", name, left[0]), {},
                fmt::format("one of ({})", parameters));
  return fmt::format("{}({}) -> {}", name, parameters, function.result);
}

CustomFunctions with_kernel(TypedFunction function, const std::string& signature, DeviceType device, Here here) {
  check_signature(function, graph::parse_signature(signature, here), "implementation", here);
  CustomFunctions functions;
  functions.kernels[device] = std::move(function.call);
  return functions;
}

CustomFunctions with_visible(TypedFunction function, std::string_view signature, Here here) {
  check_signature(function, graph::parse_signature(signature, here), "function", here);
  CustomFunctions functions;
  functions.visible = std::move(function.call);
  return functions;
}

void refuse_null_formula(std::string_view signature, Here here) {
  refuse(graph::parse_signature(signature, here), here, "the formula is null", "a function");
}

CustomFunctions with_formula(std::function<ScalarExpr(std::span<const ScalarExpr>)> formula) {
  CustomFunctions functions;
  functions.formula = [formula = std::move(formula)](ScalarBuilder&, const OpArgs& args,
                                                     std::span<const ScalarExpr> operands) {
    ScalarExpr value = formula(operands);
    if (!value.builder)
      graph::fail_custom(args, ErrorKind::argument,
                         fmt::format("its formula does not take {} scalars", operands.size()),
                         fmt::format("one ScalarExpr for each parameter, {} at most", most_formula_operands));
    return value;
  };
  return functions;
}

}  // namespace runtime

CustomOp custom_op(std::string_view name, std::string_view schema, Here here) {
  return CustomOp(CustomKind::opaque, runtime::signature_of(name, schema, {}, here), {}, {}, {}, here);
}

CustomOp elementwise_op(std::string_view signature, std::string_view text, CustomOptions options, Here here) {
  std::vector<graph::FormulaParameter> parameters;
  for (const Parameter& parameter : graph::parse_signature(signature, here).parameters)
    parameters.push_back({parameter.name, parameter.type});
  auto formula = std::make_shared<const graph::FormulaText>(text, std::move(parameters), here);
  CustomFunctions functions;
  functions.formula_takes_integers = true;
  functions.formula = [formula](ScalarBuilder& builder, const OpArgs& args, std::span<const ScalarExpr> operands) {
    return formula->build(builder, operands, compute_type(types_float(args).result));
  };
  return CustomOp(CustomKind::elementwise, std::string(signature), std::string(text), std::move(functions),
                  std::move(options), here);
}

// --- The handle -------------------------------------------------------------------------------------------------

namespace {

// Plans and entries name definitions by address, also those of ops that are gone: none is ever freed.
graph::CustomDefinition* keep(std::unique_ptr<graph::CustomDefinition> definition) {
  static std::mutex mutex;
  static auto& kept = *new std::deque<std::unique_ptr<graph::CustomDefinition>>;
  std::lock_guard lock(mutex);
  return kept.emplace_back(std::move(definition)).get();
}

}  // namespace

CustomOp::CustomOp(CustomKind kind, std::string signature, std::string body, CustomFunctions functions,
                   CustomOptions options, Here here)
    : samples_(std::move(options.samples)) {
  runtime::check_mutates_args(signature, options, here);
  auto definition = std::make_unique<graph::CustomDefinition>(kind, std::move(signature), std::move(body),
                                                              std::move(functions), here);
  definition->enter_registry(here);
  definition_ = keep(std::move(definition));
  try {
    check_samples(here);
  } catch (...) {
    unregister();
    throw;
  }
}

CustomOp::CustomOp(CustomOp&& other) noexcept
    : definition_(std::exchange(other.definition_, nullptr)), samples_(std::move(other.samples_)) {}
CustomOp& CustomOp::operator=(CustomOp&& other) noexcept {
  if (this == &other) return *this;
  unregister();
  definition_ = std::exchange(other.definition_, nullptr);
  samples_ = std::move(other.samples_);
  return *this;
}
CustomOp::~CustomOp() { unregister(); }

void CustomOp::unregister() {
  if (definition_) definition_->leave_registry();
}

graph::CustomDefinition& CustomOp::own(Here here) const {
  if (definition_) return *definition_;
  throw Error(ErrorKind::argument, here, "CustomOp: this handle's operator was moved to another", {},
              "the handle that it was moved to");
}

CustomOp& CustomOp::register_vjp(CustomFunction function, Here here) {
  set(&CustomFunctions::vjp, std::move(function), here);
  return *this;
}

void CustomOp::set(CustomFunction CustomFunctions::* slot, CustomFunction function, Here here) {
  own(here).change([&](CustomFunctions& functions) { functions.*slot = std::move(function); }, here);
}

void CustomOp::set_kernel(DeviceType device, CustomFunction function, Here here) {
  if (own(here).kind() != CustomKind::opaque)
    throw Error(ErrorKind::argument, here, fmt::format("{}: its implementation is what it was registered with", name()),
                {}, "register_reference for what eager runs where that has none for the device");
  own(here).change([&](CustomFunctions& functions) { functions.kernels[device] = std::move(function); }, here);
}

CustomFunction CustomOp::checked(runtime::TypedFunction function, std::string_view what, Here here) const {
  check_signature(function, def(here).schema(), what, here);
  return std::move(function.call);
}

void CustomOp::check_samples([[maybe_unused]] Here here) const {
#ifndef NDEBUG
  if (samples_.empty()) return;
  OpCheckReport report = opcheck(*this, samples_, {.needs_fake = false});
  if (!report.ok())
    throw Error(ErrorKind::argument, here, fmt::format("{}: opcheck failed\n{}", name(), to_string(report)));
#endif
}

}  // namespace sinter
