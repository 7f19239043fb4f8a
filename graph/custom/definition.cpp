// Checks of signatures, and the two OpDefs of an op.

#include <sinter/graph/custom/definition.h>

#include <sinter/graph/custom/overlap.h>
#include <sinter/graph/custom/rules.h>
#include <sinter/graph/scalar_types.h>
#include <sinter/graph/trace.h>

#include <algorithm>

namespace sinter::graph {

namespace {

std::atomic<int64_t> next_number = 1;

[[noreturn]] void refuse(const Schema& schema, Here here, std::string message, std::string need) {
  throw Error(ErrorKind::argument, here, fmt::format("{}::{}: {}", schema.space, schema.name, message), {},
              std::move(need));
}

}  // namespace

Schema parse_signature(std::string_view signature, Here here) {
  try {
    return parse_schema(signature);
  } catch (const Error& error) {
    throw Error(error.kind(), here, error.message(), error.notes(), error.need());
  }
}

const CustomDefinition* custom_of(const OpDef& op) {
  bool is_custom = op.meta == custom_rules::meta || op.composite == custom_rules::write;
  return is_custom ? static_cast<const CustomOpDef&>(op).custom : nullptr;
}

CustomDefinition::CustomDefinition(CustomKind kind, std::string signature, std::string body, CustomFunctions functions,
                                   Here here)
    : kind_(kind),
      number_(next_number++),
      body_(std::move(body)),
      functions_(std::make_shared<const CustomFunctions>(std::move(functions))) {
  Schema schema = parse_signature(signature, here);
  if (schema.space == "aten" || schema.space == "sinter")
    refuse(schema, here, fmt::format("the namespace `{}` is reserved", schema.space), "a namespace of your own");
  signature_ = to_string(schema);
  def_.signature = signature_;
  check_parameters(here);
  find_writes(here);
  find_returns(here);
  if (!written_.empty()) make_functional();
  set_rules();
  if (kind_ == CustomKind::elementwise) try_formula(here);
}

namespace {

bool fits(ArgType type, const Value& value) {
  bool is_number = value.is_scalar();
  switch (type) {
    case ArgType::tensor: return false;
    case ArgType::scalar:
    case ArgType::floating: return is_number;
    case ArgType::integer:
    case ArgType::sym_int: return value.is_sym_int() || (is_number && !value.scalar().is_floating());
    case ArgType::boolean: return is_number && value.scalar().is_boolean();
    case ArgType::string: return value.is_string();
    case ArgType::memory_format: return value.is_memory_format();
    default: return true;
  }
}

bool default_fits(const Parameter& parameter) {
  const Value& value = *parameter.default_value;
  if (value.is_none()) return parameter.is_optional;
  if (!parameter.is_list) return fits(parameter.type, value);
  return value.is_list() &&
         std::ranges::all_of(value.list(), [&](const Value& element) { return fits(parameter.type, element); });
}

}  // namespace

void CustomDefinition::check_parameters(Here here) const {
  const Schema& schema = def_.schema();
  for (size_t i = 0; i < schema.parameters.size(); ++i) {
    const Parameter& parameter = schema.parameters[i];
    if (parameter.default_value && !default_fits(parameter))
      refuse(schema, here, fmt::format("the default of `{}` is not of its type", parameter.name), to_string(schema));
    for (size_t j = 0; j < i; ++j) {
      const Parameter& earlier = schema.parameters[j];
      if (earlier.name == parameter.name)
        refuse(schema, here, fmt::format("two parameters are called `{}`", parameter.name), "a name for each");
      if (!parameter.alias.empty() && earlier.alias == parameter.alias)
        refuse(schema, here, fmt::format("`{}` and `{}` are marked with one letter", earlier.name, parameter.name),
               "Tensor(a!), Tensor(b!), ...: a letter for each tensor that is written");
    }
  }
}

void CustomDefinition::find_writes(Here here) {
  const Schema& schema = def_.schema();
  for (size_t i = 0; i < schema.parameters.size(); ++i) {
    const Parameter& parameter = schema.parameters[i];
    if (!parameter.is_written) continue;
    if (parameter.type != ArgType::tensor || parameter.is_list || parameter.is_optional)
      refuse(schema, here, fmt::format("`{}` can't be written: only a single Tensor can", parameter.name),
             "Tensor(a!) for each tensor that is written");
    if (kind_ == CustomKind::elementwise)
      refuse(schema, here, fmt::format("an elementwise op can't write `{}`", parameter.name),
             "a formula whose value is the result");
    written_.push_back(static_cast<int>(i));
  }
}

void CustomDefinition::find_returns(Here here) {
  const Schema& schema = def_.schema();
  for (const Parameter& result : schema.returns) {
    if (result.type != ArgType::tensor || result.is_optional)
      refuse(schema, here, "a custom op returns tensors only", "-> Tensor, (Tensor, Tensor), Tensor[] or ()");
    if (result.is_list && (schema.returns.size() > 1 || !written_.empty()))
      refuse(schema, here, "a list must be the only result, of an op that writes nothing", "-> Tensor[]");
    int argument = -1;
    for (int slot : written_)
      if (!result.alias.empty() && schema.parameters[slot].alias == result.alias) argument = slot;
    if (!result.alias.empty() && argument < 0)
      refuse(schema, here, "a custom op may not return a view of an argument", "a result with memory of its own");
    returned_arguments_.push_back(argument);
  }
  if (kind_ == CustomKind::elementwise) find_operands(here);
  if (kind_ == CustomKind::elementwise && (schema.returns.size() != 1 || schema.returns[0].is_list))
    refuse(schema, here, fmt::format("an elementwise op has one result, not {}", schema.returns.size()), "-> Tensor");
}

// A formula takes scalars: elements of tensors, and numbers.
void CustomDefinition::find_operands(Here here) const {
  const Schema& schema = def_.schema();
  bool has_tensor = false;
  for (const Parameter& parameter : schema.parameters) {
    bool is_tensor = parameter.type == ArgType::tensor;
    bool is_number = parameter.type == ArgType::floating || parameter.type == ArgType::integer ||
                     parameter.type == ArgType::scalar || parameter.type == ArgType::boolean;
    if (parameter.is_list || parameter.is_optional || !(is_tensor || is_number))
      refuse(schema, here, fmt::format("a formula can't take `{}`", parameter.name), "tensors and numbers");
    has_tensor |= is_tensor;
  }
  if (!has_tensor) refuse(schema, here, "a formula needs a tensor", "a Tensor among the parameters");
}

// Says now what a call would say.
void CustomDefinition::try_formula(Here here) const {
  if (!functions_->formula || functions_->formula_takes_integers) return;  // a text was tried when it was read
  ScalarDag dag;
  ScalarBuilder builder(dag);
  std::vector<ScalarExpr> operands;
  size_t count = def_.schema().parameters.size();
  for (size_t i = 0; i < count; ++i) operands.push_back(builder.input(static_cast<int>(i), DType::f32));
  Values none(count);
  try {
    functions_->formula(builder, OpArgs(def_, none, here), operands);
    check_types(dag);
  } catch (const ScalarTypeError& error) {
    refuse(def_.schema(), here, fmt::format("its formula has {}", error.mistake),
           "operands of one type that the operation takes; select(condition, 1, 0) makes a number of a bool");
  }
}

// mylib::fill_rows(Tensor(a!) out, Tensor[] rows) -> ()  becomes
// mylib::fill_rows.functional(Tensor out, Tensor[] rows) -> Tensor
void CustomDefinition::make_functional() {
  Schema schema = def_.schema();
  schema.overload = schema.overload == "default" ? "functional" : schema.overload + "_functional";
  for (Parameter& parameter : schema.parameters) {
    parameter.is_written = false;
    parameter.alias.clear();
  }
  std::vector<Parameter> returns(written_.size());
  for (size_t i = 0; i < schema.returns.size(); ++i)
    if (returned_arguments_[i] < 0) returns.push_back(schema.returns[i]);
  schema.returns = std::move(returns);
  functional_signature_ = to_string(schema);
  functional_.signature = functional_signature_;
}

void CustomDefinition::set_rules() {
  CustomOpDef& recorded = written_.empty() ? def_ : functional_;
  if (!written_.empty()) def_.composite = custom_rules::write;
  recorded.meta = custom_rules::meta;
  switch (kind_) {
    case CustomKind::opaque: recorded.library = Library::custom; break;
    case CustomKind::elementwise: recorded.pointwise = {custom_rules::types, custom_rules::formula}; break;
    case CustomKind::kernel: recorded.decompose = custom_rules::decompose; break;
  }
  // What gives nothing is called for what it does.
  recorded.may_fail_on_data = recorded.schema().returns.empty();
  def_.custom = functional_.custom = this;
}

std::string CustomDefinition::name() const {
  const Schema& schema = def_.schema();
  std::string name = fmt::format("{}::{}", schema.space, schema.name);
  return schema.overload == "default" ? name : fmt::format("{}.{}", name, schema.overload);
}

std::string CustomDefinition::identity() const {
  return fmt::format("{} #{} version {}\n{}", signature_, number_, version(), body_);
}

std::shared_ptr<const CustomFunctions> CustomDefinition::functions(Here here) const {
  std::lock_guard lock(mutex_);
  if (!functions_) fail_unregistered(here);
  return functions_;
}

void CustomDefinition::fail_unregistered(Here here) const {
  throw Error(ErrorKind::argument, here, fmt::format("{}: the operator was unregistered", name()), {},
              "keep what custom_op returned for as long as the operator is in use");
}

void CustomDefinition::change(const std::function<void(CustomFunctions&)>& edit, Here here) {
  std::lock_guard lock(mutex_);
  if (!functions_) fail_unregistered(here);
  auto changed = std::make_shared<CustomFunctions>(*functions_);
  edit(*changed);
  functions_ = std::move(changed);
  ++version_;
}

void CustomDefinition::enter_registry(Here here) {
  register_op(def_, here);
  if (written_.empty()) return;
  try {
    register_op(functional_, here);
  } catch (...) {
    unregister_op(def_);
    throw;
  }
}

void CustomDefinition::leave_registry() {
  unregister_op(def_);
  if (!written_.empty()) unregister_op(functional_);
  std::shared_ptr<const CustomFunctions> last;  // its captures go after the lock
  std::lock_guard lock(mutex_);
  last = std::move(functions_);
  functions_ = nullptr;
  ++version_;
}

// --- Errors -----------------------------------------------------------------------------------------------------

namespace {

void note_tensors(std::vector<ErrorNote>& notes, const std::string& label, const Value& value,
                  std::string_view prefix) {
  if (value.is_tensor()) notes.push_back({label, fmt::format("{}{}", prefix, to_string(value.tensor().meta()))});
  if (!value.is_list()) return;
  for (size_t i = 0; i < value.list().size(); ++i)
    note_tensors(notes, fmt::format("{}[{}]", label, i), value.list()[i], prefix);
}

// `const Tensor& x, double s`: how a function of these parameters is written in C++.
std::string cpp_type(const Parameter& parameter) {
  std::string type;
  switch (parameter.type) {
    case ArgType::tensor: type = "Tensor"; break;
    case ArgType::scalar: type = "Scalar"; break;
    case ArgType::integer: type = "int64_t"; break;
    case ArgType::sym_int: type = "SymInt"; break;
    case ArgType::floating: type = "double"; break;
    case ArgType::boolean: type = "bool"; break;
    case ArgType::string: type = "std::string"; break;
    case ArgType::dtype: type = "DType"; break;
    case ArgType::device: type = "Device"; break;
    default: type = "Value"; break;
  }
  if (parameter.is_list) return fmt::format("const std::vector<{}>&", type);
  if (parameter.is_optional) return fmt::format("std::optional<{}>", type);
  return parameter.type == ArgType::tensor ? "const Tensor&" : type;
}

std::string cpp_parameters(const Schema& schema) {
  std::string text;
  for (const Parameter& parameter : schema.parameters)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cpp_type(parameter), parameter.name);
  return text;
}

std::string example_of_fake(const Schema& schema) {
  std::string first;
  for (const Parameter& parameter : schema.parameters)
    if (first.empty() && parameter.type == ArgType::tensor && !parameter.is_list) first = parameter.name;
  std::string made = first.empty() ? "empty(sizes)" : fmt::format("empty_like({})", first);
  std::string all = made;
  for (size_t i = 1; i < schema.returns.size(); ++i) all += fmt::format(", {}", made);
  std::string result = schema.returns.empty()      ? ""
                       : schema.returns.size() > 1 ? fmt::format("return std::tuple({}); ", all)
                                                   : fmt::format("return {}; ", all);
  return fmt::format("op.register_fake([]({}) {{ {}}})", cpp_parameters(schema), result);
}

}  // namespace

void fail_custom(const OpArgs& args, ErrorKind kind, std::string message, std::string need, std::string_view prefix) {
  std::vector<ErrorNote> notes;
  const Schema& schema = args.op().schema();
  for (size_t i = 0; i < args.values().size(); ++i)
    note_tensors(notes, schema.parameters[i].name, args.values()[i], prefix);
  throw Error(kind, args.here(), fmt::format("{}: {}", custom_of(args.op())->name(), message), std::move(notes),
              std::move(need));
}

void fail_without_fake(const CustomDefinition& definition, const OpArgs& args) {
  fail_custom(args, ErrorKind::trace, "it has no fake function, and a fake tensor has no data to point to",
              fmt::format("a fake function, which makes results of the right sizes and no data: {}",
                          example_of_fake(definition.def().schema())),
              "fake ");
}

namespace {

void append_tensors(std::vector<Tensor>& tensors, const Value& value) {
  if (value.is_tensor()) tensors.push_back(value.tensor());
  if (value.is_none()) tensors.emplace_back();
  if (!value.is_list()) return;
  for (const Value& element : value.list()) append_tensors(tensors, element);
}

// The parameter in whose memory a tensor lies, or -1.
int parameter_sharing(const OpArgs& args, const Tensor& result) {
  for (size_t i = 0; i < args.values().size(); ++i) {
    std::vector<Tensor> tensors;
    append_tensors(tensors, args.values()[i]);
    for (const Tensor& argument : tensors)
      if (argument.defined() && argument.storage() && argument.storage().get() == result.storage().get())
        return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

std::vector<Tensor> fresh_results(const OpArgs& args, const Values& results, std::string_view function) {
  const Schema& schema = custom_of(args.op())->def().schema();
  const std::vector<int>& arguments = custom_of(args.op())->returned_arguments();
  std::vector<Tensor> given, fresh;
  for (const Value& result : results) append_tensors(given, result);
  bool is_open_ended = schema.returns.size() == 1 && schema.returns[0].is_list;
  size_t wanted = is_open_ended ? given.size() : static_cast<size_t>(std::ranges::count(arguments, -1));
  bool has_arguments = given.size() == arguments.size();
  for (size_t i = 0; i < given.size(); ++i)
    if (is_open_ended || !has_arguments || arguments[i] < 0) fresh.push_back(given[i]);
  if (fresh.size() != wanted)
    fail_custom(args, ErrorKind::argument,
                fmt::format("its {} gives {} results, its schema has {}", function, fresh.size(), wanted),
                to_string(schema));
  bool are_only_shapes = function == "fake function";  // one tensor may stand for several
  for (const Tensor& result : fresh) {
    if (!result.defined())
      fail_custom(args, ErrorKind::argument, fmt::format("its {} gives an undefined tensor", function), "a tensor");
    if (int shared = parameter_sharing(args, result); shared >= 0)
      fail_custom(args, ErrorKind::argument,
                  fmt::format("its {} gives a tensor that lies in the memory of its argument `{}`", function,
                              schema.parameters[shared].name),
                  "a result with memory of its own: clone() it");
    for (const Tensor& earlier : fresh)
      if (!are_only_shapes && &earlier < &result && may_overlap(earlier, result))
        fail_custom(args, ErrorKind::argument, fmt::format("its {} gives two results in one memory", function),
                    "results with memory of their own: clone() one of them");
  }
  return fresh;
}

void check_against_fake(const OpArgs& args, size_t result, const TensorMeta& real, const TensorMeta& fake) {
  const Layout &made = real.layout, &promised = fake.layout;
  Layout here = made;
  here.offset = promised.offset;
  if (real.dtype == fake.dtype && real.device == fake.device && same_layout(here, promised)) return;
  auto describe = [](const TensorMeta& meta) {
    std::string text =
        fmt::format("{}{} strides={}", name(meta.dtype), to_string(meta.layout.sizes), to_string(meta.layout.strides));
    return meta.device.is_cpu() ? text : fmt::format("{} {}", text, to_string(meta.device));
  };
  std::string which = args.op().schema().returns.size() > 1 ? fmt::format("result {}", result) : "the result";
  fail_custom(args, ErrorKind::shape,
              fmt::format("{} is {}, but its fake function said {}", which, describe(real), describe(fake)),
              "a fake function that gives what the op gives: sizes, strides, dtype and device");
}

void check_written_arguments(const CustomDefinition& definition, const OpArgs& args) {
  const Schema& schema = args.op().schema();
  auto shares = [](const Tensor& a, const Value& value, auto&& self) -> bool {
    if (value.is_tensor()) return may_overlap(a, value.tensor());
    if (!value.is_list()) return false;
    return std::ranges::any_of(value.list(), [&](const Value& element) { return self(a, element, self); });
  };
  for (int slot : definition.written()) {
    const std::string& name = schema.parameters[slot].name;
    if (!args[slot].is_tensor())
      fail_custom(args, ErrorKind::argument, fmt::format("`{}` is a number, which can't be written", name), "a tensor");
    const Tensor& tensor = args[slot].tensor();
    if (is_expanded(tensor.layout()))
      fail_custom(args, ErrorKind::argument,
                  fmt::format("more than one element of `{}`, which it writes, lies at one place in memory", name),
                  "clone() it first");
    for (size_t i = 0; i < args.values().size(); ++i)
      if (static_cast<int>(i) != slot && shares(tensor, args.values()[i], shares))
        fail_custom(args, ErrorKind::argument,
                    fmt::format("`{}`, which it writes, shares memory with `{}`", name, schema.parameters[i].name),
                    "clone() one of them first");
  }
}

}  // namespace sinter::graph
