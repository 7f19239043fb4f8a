// Evaluates a formula's syntax tree into a scalar DAG, with C++'s types and conversions.

#include <sinter/graph/custom/formula_text.h>

#include <sinter/graph/custom/formula_number.h>
#include <sinter/graph/custom/formula_syntax.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace sinter::graph {

namespace {

// A value, and the number that it is if it is an integer that does not depend on data.
struct Typed {
  ScalarExpr value;
  std::optional<int64_t> known;
};

constexpr size_t most_nodes = 20000;  // of a formula with its loops unrolled
constexpr int most_rounds = 100000;   // of all its loops

int rank_of(DType dtype) {
  switch (dtype) {
    case DType::boolean: return 0;
    case DType::i32: return 1;
    case DType::i64: return 2;
    case DType::f32: return 3;
    default: return 4;
  }
}

// What C++ writes for an operation of the vocabulary.
struct Spelling {
  std::string_view name;
  ScalarOp op;
};
constexpr Spelling unary_functions[] = {
    {"sqrt", ScalarOp::sqrt},  {"exp", ScalarOp::exp},     {"exp2", ScalarOp::exp2},       {"expm1", ScalarOp::expm1},
    {"log", ScalarOp::log},    {"log2", ScalarOp::log2},   {"log10", ScalarOp::log10},     {"log1p", ScalarOp::log1p},
    {"sin", ScalarOp::sin},    {"cos", ScalarOp::cos},     {"tan", ScalarOp::tan},         {"asin", ScalarOp::asin},
    {"acos", ScalarOp::acos},  {"atan", ScalarOp::atan},   {"sinh", ScalarOp::sinh},       {"cosh", ScalarOp::cosh},
    {"tanh", ScalarOp::tanh},  {"asinh", ScalarOp::asinh}, {"acosh", ScalarOp::acosh},     {"atanh", ScalarOp::atanh},
    {"erf", ScalarOp::erf},    {"floor", ScalarOp::floor}, {"ceil", ScalarOp::ceil},       {"trunc", ScalarOp::trunc},
    {"rint", ScalarOp::round}, {"fabs", ScalarOp::abs},    {"nearbyint", ScalarOp::round},
};
constexpr Spelling binary_functions[] = {
    {"pow", ScalarOp::pow},           {"atan2", ScalarOp::atan2},         {"hypot", ScalarOp::hypot},
    {"copysign", ScalarOp::copysign}, {"nextafter", ScalarOp::nextafter}, {"fmod", ScalarOp::fmod},
};
constexpr std::string_view other_functions[] = {"abs", "round", "fmax", "fmin", "max", "min", "fma", "isnan", "isinf"};

constexpr Spelling arithmetic[] = {{"+", ScalarOp::add}, {"-", ScalarOp::sub}, {"*", ScalarOp::mul}};
constexpr Spelling comparisons[] = {{"==", ScalarOp::eq}, {"!=", ScalarOp::ne}, {"<", ScalarOp::lt},
                                    {"<=", ScalarOp::le}, {">", ScalarOp::gt},  {">=", ScalarOp::ge}};
constexpr Spelling bitwise[] = {{"&", ScalarOp::bit_and},
                                {"|", ScalarOp::bit_or},
                                {"^", ScalarOp::bit_xor},
                                {"<<", ScalarOp::shift_left},
                                {">>", ScalarOp::shift_right}};

const Spelling* find(std::span<const Spelling> table, std::string_view name) {
  auto found = std::ranges::find(table, name, &Spelling::name);
  return found == table.end() ? nullptr : &*found;
}

bool is_function_name(std::string_view name) {
  return find(unary_functions, name) || find(binary_functions, name) ||
         std::ranges::find(other_functions, name) != std::end(other_functions);
}

std::string all_function_names() {
  std::string names;
  for (std::span<const Spelling> table :
       {std::span<const Spelling>(unary_functions), std::span<const Spelling>(binary_functions)})
    for (const Spelling& row : table) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  for (std::string_view name : other_functions) names += fmt::format(", {}", name);
  return names;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, Here here, ScalarBuilder& builder, DType compute)
      : text_(text), here_(here), s_(builder), compute_(compute) {}

  struct Variable {
    Typed value;
    bool is_const = false;
  };
  using Scope = std::map<std::string, Variable>;
  // What is known where a statement starts.
  struct State {
    std::vector<Scope> scopes;
    std::optional<Typed> has_returned;  // a bool, where only some paths have
    std::optional<Typed> result;        // of those
    bool is_done = false;               // all have
  };

  Typed function(const Syntax& syntax, std::span<const ScalarExpr> operands) {
    type_parameter_ = syntax.type_parameter;
    State state;
    Scope& parameters = state.scopes.emplace_back();
    for (size_t i = 0; i < operands.size(); ++i) {
      const SyntaxParameter& parameter = syntax.parameters[i];
      DType dtype = parameter.type == "auto" ? compute_ : type_named(syntax, parameter.type);
      if (parameters.contains(parameter.name)) fail(syntax, fmt::format("`{}` is declared twice", parameter.name));
      parameters[parameter.name] = {converted(given(operands[i]), dtype), parameter.is_const};
    }
    returns_auto_ = syntax.type == "auto";
    if (!returns_auto_) result_type_ = type_named(syntax, syntax.type);
    for (const auto& part : syntax.parts[0]->parts) run(*part, state);
    if (!state.is_done) fail(syntax, fmt::format("`{}` does not return a value on each path", syntax.text));
    return *state.result;
  }

  // An expression's parameters: integers and bools are what they are, all else is of the type that the op computes in.
  Typed expression(const Syntax& syntax, std::span<const FormulaParameter> parameters,
                   std::span<const ScalarExpr> operands) {
    State state;
    Scope& scope = state.scopes.emplace_back();
    for (size_t i = 0; i < operands.size(); ++i) {
      bool is_exact = parameters[i].type == ArgType::integer || parameters[i].type == ArgType::sym_int ||
                      parameters[i].type == ArgType::boolean;
      Typed operand = given(operands[i]);
      scope[parameters[i].name] = {is_exact ? operand : converted(operand, compute_)};
    }
    return evaluate(syntax, state);
  }

  Typed evaluate(const Syntax& syntax, const State& state) {
    if (s_.dag().nodes.size() > most_nodes)
      fail(syntax, fmt::format("the formula has more than {} operations", most_nodes));
    switch (syntax.kind) {
      case SyntaxKind::number: return number(syntax);
      case SyntaxKind::name: return variable(syntax, state);
      case SyntaxKind::unary: return unary(syntax, evaluate(*syntax.parts[0], state));
      case SyntaxKind::binary:
        return binary(syntax, syntax.text, evaluate(*syntax.parts[0], state), evaluate(*syntax.parts[1], state));
      case SyntaxKind::conditional: return conditional(syntax, state);
      case SyntaxKind::call: return call(syntax, state);
      case SyntaxKind::cast: return converted(evaluate(*syntax.parts[0], state), type_named(syntax, syntax.text));
      default: fail(syntax, "expected a value");
    }
  }

 private:
  [[noreturn]] void fail(const Syntax& at, std::string message, std::string need = {}) const {
    fail_formula(text_, at.column, here_, std::move(message), std::move(need));
  }

  // --- Statements ---------------------------------------------------------------------------------------------

  // Each statement is run once, whatever was returned before it: what a path has returned stays its result.
  void run(const Syntax& syntax, State& state) {
    if (state.is_done) return;
    switch (syntax.kind) {
      case SyntaxKind::block:
        if (!syntax.text.empty())
          for (const auto& part : syntax.parts) run(*part, state);
        else
          run_inside(syntax, state);
        return;
      case SyntaxKind::declaration: return declare(syntax, state);
      case SyntaxKind::assignment: return assign(syntax, state);
      case SyntaxKind::loop: return loop(syntax, state);
      case SyntaxKind::branch: return branch(syntax, state);
      case SyntaxKind::give_back: return give_back(syntax, state);
      default: fail(syntax, "expected a statement");
    }
  }

  // A block, or a statement that stands for one: names that it declares end with it.
  void run_inside(const Syntax& syntax, State& state) {
    state.scopes.emplace_back();
    if (syntax.kind == SyntaxKind::block && syntax.text.empty())
      for (const auto& part : syntax.parts) run(*part, state);
    else
      run(syntax, state);
    state.scopes.pop_back();
  }

  void declare(const Syntax& syntax, State& state) {
    if (state.scopes.back().contains(syntax.text)) fail(syntax, fmt::format("`{}` is declared twice", syntax.text));
    Typed value = syntax.parts.empty() ? integer(0, DType::i32) : evaluate(*syntax.parts[0], state);
    if (syntax.type != "auto") value = converted(value, type_named(syntax, syntax.type));
    state.scopes.back()[syntax.text] = {value, syntax.is_const};
  }

  static Variable* find_variable(State& state, const std::string& name) {
    for (size_t i = state.scopes.size(); i-- > 0;)
      if (auto found = state.scopes[i].find(name); found != state.scopes[i].end()) return &found->second;
    return nullptr;
  }

  void assign(const Syntax& syntax, State& state) {
    Variable* variable = find_variable(state, syntax.text);
    if (!variable) fail(syntax, fmt::format("`{}` is not declared", syntax.text));
    if (variable->is_const) fail(syntax, fmt::format("`{}` is const", syntax.text));
    Typed value = evaluate(*syntax.parts[0], state);
    if (syntax.type != "=")
      value = binary(syntax, syntax.type.substr(0, syntax.type.size() - 1), variable->value, value);
    variable->value = converted(value, variable->value.value.dtype());
  }

  void give_back(const Syntax& syntax, State& state) {
    Typed value = evaluate(*syntax.parts[0], state);
    if (!result_type_) result_type_ = value.value.dtype();
    if (returns_auto_ && value.value.dtype() != *result_type_)
      fail(syntax,
           fmt::format("the function returns {} here and {} before", name(value.value.dtype()), name(*result_type_)));
    value = converted(value, *result_type_);
    state.result = state.has_returned ? choose(*state.has_returned, *state.result, value) : value;
    state.is_done = true;
  }

  void branch(const Syntax& syntax, State& state) {
    Typed condition = to_bool(evaluate(*syntax.parts[0], state));
    bool has_else = syntax.parts.size() > 2;
    if (condition.known) {
      if (*condition.known || has_else) run_inside(*syntax.parts[*condition.known ? 1 : 2], state);
      return;
    }
    State then_state = state;
    run_inside(*syntax.parts[1], then_state);
    if (has_else) run_inside(*syntax.parts[2], state);
    merge(condition, then_state, state);
  }

  // `state`: where the condition does not hold; becomes that of both.
  void merge(const Typed& condition, const State& then_state, State& state) {
    auto returned = [&](const State& side) {
      return side.is_done ? to_bool(integer(1, DType::i32))
                          : side.has_returned.value_or(to_bool(integer(0, DType::i32)));
    };
    Typed left = returned(then_state), right = returned(state);
    if (then_state.result && state.result)
      state.result = choose(condition, *then_state.result, *state.result);
    else if (then_state.result)
      state.result = then_state.result;
    if (state.is_done && !then_state.is_done)
      state.scopes = then_state.scopes;
    else if (!then_state.is_done)
      for (size_t i = 0; i < state.scopes.size(); ++i)
        for (auto& [name, variable] : state.scopes[i])
          variable.value = choose(condition, then_state.scopes[i].at(name).value, variable.value);
    state.is_done &= then_state.is_done;
    if (left.known && right.known && *left.known == 0 && *right.known == 0) return;
    bool is_condition = left.known.value_or(0) != 0 && right.known.value_or(1) == 0;
    state.has_returned = is_condition ? condition : choose(condition, left, right);
  }

  void loop(const Syntax& syntax, State& state) {
    state.scopes.emplace_back();
    run(*syntax.parts[0], state);
    while (!state.is_done) {
      Typed condition = to_bool(evaluate(*syntax.parts[1], state));
      if (!condition.known)
        fail(*syntax.parts[1], "the loop's count depends on data",
             "a count that is a number; for other loops custom_op or kernel_op");
      if (!*condition.known) break;
      if (++rounds_ > most_rounds) fail(syntax, fmt::format("the loops go round more than {} times", most_rounds));
      run_inside(*syntax.parts[3], state);
      run(*syntax.parts[2], state);
    }
    state.scopes.pop_back();
  }

  // --- Values -------------------------------------------------------------------------------------------------

  DType type_named(const Syntax& at, std::string_view name) const {
    if (name == type_parameter_) return compute_;
    if (name == "float") return DType::f32;
    if (name == "double") return DType::f64;
    if (name == "bool") return DType::boolean;
    if (name == "int" || name == "int32_t") return DType::i32;
    if (name == "long" || name == "int64_t") return DType::i64;
    fail(at, fmt::format("a value can't be of type {}", name));
  }

  Typed integer(int64_t value, DType dtype) { return {s_.constant(Scalar(value), dtype), value}; }

  // An operand; a number that is an integer is known.
  Typed given(ScalarExpr x) {
    const ScalarNode& node = s_.dag().nodes[x.id];
    if (node.op != ScalarOp::constant || is_floating(node.dtype)) return {x, {}};
    return {x, static_cast<int64_t>(node.payload)};
  }

  Typed converted(Typed x, DType dtype) {
    if (x.value.dtype() == dtype) return x;
    if (dtype == DType::boolean) return to_bool(x);
    if (x.known && !is_floating(dtype))
      return integer(dtype == DType::i32 ? static_cast<int32_t>(*x.known) : *x.known, dtype);
    if (x.known) return {s_.constant(Scalar(*x.known), dtype), {}};
    const ScalarNode& node = s_.dag().nodes[x.value.id];
    if (node.op == ScalarOp::constant && is_floating(node.dtype) && is_floating(dtype))
      return {s_.constant(constant_value(node), dtype), {}};
    return {s_.convert(x.value, dtype), {}};
  }

  Typed to_bool(Typed x) {
    if (x.known) return {s_.constant(Scalar(*x.known != 0), DType::boolean), *x.known != 0};
    if (x.value.dtype() == DType::boolean) return x;
    return {s_.apply(ScalarOp::ne, {x.value, s_.constant(0, x.value.dtype())}), {}};
  }

  // C++'s usual arithmetic conversions; bool is promoted to int.
  static DType common_type(const Typed& a, const Typed& b) {
    return rank_of(a.value.dtype()) > rank_of(b.value.dtype()) ? a.value.dtype() : b.value.dtype();
  }
  static DType promoted(DType dtype) { return dtype == DType::boolean ? DType::i32 : dtype; }

  Typed choose(const Typed& condition, const Typed& a, const Typed& b) {
    if (condition.known) return *condition.known ? a : b;
    if (a.value.id == b.value.id) return a;
    return {s_.apply(ScalarOp::select, {condition.value, a.value, b.value}), {}};
  }

  Typed number(const Syntax& syntax) {
    FormulaNumber read = read_formula_number(syntax.text);
    if (!read.fault.empty()) fail(syntax, read.fault, read.need);
    if (read.integer) return integer(*read.integer, read.dtype);
    return {s_.constant(Scalar(read.floating), read.dtype), {}};
  }

  Typed variable(const Syntax& syntax, const State& state) {
    std::string names;
    for (size_t i = state.scopes.size(); i-- > 0;) {
      auto found = state.scopes[i].find(syntax.text);
      if (found != state.scopes[i].end()) return found->second.value;
      for (const auto& [name, value] : state.scopes[i]) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    }
    if (syntax.text == "true" || syntax.text == "false") {
      bool value = syntax.text == "true";
      return {s_.constant(value, DType::boolean), value};
    }
    fail(syntax, fmt::format("`{}` is not declared", syntax.text), fmt::format("one of: {}", names));
  }

  Typed unary(const Syntax& syntax, Typed x) {
    if (syntax.text == "!") {
      Typed condition = to_bool(x);
      if (condition.known) return to_bool(integer(!*condition.known, DType::i32));
      return {s_.apply(ScalarOp::select,
                       {condition.value, s_.constant(false, DType::boolean), s_.constant(true, DType::boolean)}),
              {}};
    }
    x = converted(x, promoted(x.value.dtype()));
    if (syntax.text == "+") return x;
    if (syntax.text == "-") {
      if (!x.known) return {-x.value, {}};
      return converted(integer(static_cast<int64_t>(0 - static_cast<uint64_t>(*x.known)), DType::i64), x.value.dtype());
    }
    if (is_floating(x.value.dtype())) fail(syntax, "`~` of a floating number");
    if (x.known) return integer(~*x.known, x.value.dtype());
    return {s_.apply(ScalarOp::bit_not, {x.value}), {}};
  }

  // Of 64 bits; what C++ does not define wraps around, or is left to the operation.
  static std::optional<int64_t> folded(std::string_view operation, int64_t a, int64_t b, int bits) {
    uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    bool is_whole_quotient = b != 0 && b != -1, is_shift = b >= 0 && b < bits;
    if (operation == "+") return static_cast<int64_t>(x + y);
    if (operation == "-") return static_cast<int64_t>(x - y);
    if (operation == "*") return static_cast<int64_t>(x * y);
    if (operation == "/" && is_whole_quotient) return a / b;
    if (operation == "%" && is_whole_quotient) return a % b;
    if (operation == "/" && b == -1) return static_cast<int64_t>(0 - x);
    if (operation == "%" && b == -1) return 0;
    if (operation == "<<" && is_shift) return static_cast<int64_t>(x << b);
    if (operation == ">>" && is_shift) return a >> b;
    if (operation == "&") return a & b;
    if (operation == "|") return a | b;
    if (operation == "^") return a ^ b;
    if (operation == "<") return a < b;
    if (operation == "<=") return a <= b;
    if (operation == ">") return a > b;
    if (operation == ">=") return a >= b;
    if (operation == "==") return a == b;
    if (operation == "!=") return a != b;
    if (operation == "&&") return a && b;
    if (operation == "||") return a || b;
    return std::nullopt;
  }

  Typed binary(const Syntax& at, std::string_view operation, Typed a, Typed b) {
    bool is_logic = operation == "&&" || operation == "||", compares = find(comparisons, operation) != nullptr;
    DType common = promoted(common_type(a, b));
    bool is_shift = operation == "<<" || operation == ">>";
    if (is_shift) common = promoted(a.value.dtype());
    if (a.known && b.known)
      if (std::optional<int64_t> value = folded(operation, *a.known, *b.known, common == DType::i32 ? 32 : 64))
        return is_logic || compares ? to_bool(integer(*value, DType::i64))
                                    : converted(integer(*value, DType::i64), common);
    if (is_logic)
      return {s_.apply(operation == "&&" ? ScalarOp::bit_and : ScalarOp::bit_or, {to_bool(a).value, to_bool(b).value}),
              {}};
    const Spelling* of_bits = find(bitwise, operation);
    if (of_bits && (is_floating(a.value.dtype()) || is_floating(b.value.dtype())))
      fail(at, fmt::format("`{}` of a floating number", operation));
    ScalarExpr left = converted(a, common).value, right = converted(b, common).value;
    if (compares) return {s_.apply(find(comparisons, operation)->op, {left, right}), {}};
    if (const Spelling* row = find(arithmetic, operation)) return {s_.apply(row->op, {left, right}), {}};
    if (of_bits) return {s_.apply(of_bits->op, {left, right}), {}};
    if (operation == "/")
      return {s_.apply(is_floating(common) ? ScalarOp::div : ScalarOp::div_trunc, {left, right}), {}};
    if (operation == "%" && !is_floating(common)) return {s_.apply(ScalarOp::fmod, {left, right}), {}};
    fail(at, fmt::format("`{}` of {}", operation, name(common)));
  }

  Typed conditional(const Syntax& syntax, const State& state) {
    Typed condition = to_bool(evaluate(*syntax.parts[0], state));
    Typed a = evaluate(*syntax.parts[1], state), b = evaluate(*syntax.parts[2], state);
    DType common = common_type(a, b);
    return choose(condition, converted(a, common), converted(b, common));
  }

  // The function's name without the `f` of C's float functions, which converts the arguments.
  static std::string_view plain_name(std::string_view name, bool& is_float) {
    std::string_view plain = name.substr(0, name.size() - 1);
    bool has_float_form = find(unary_functions, plain) || find(binary_functions, plain) || plain == "round" ||
                          plain == "fmax" || plain == "fmin" || plain == "fma";
    is_float = !is_function_name(name) && name.ends_with('f') && has_float_form;
    return is_float ? plain : name;
  }

  Typed call(const Syntax& syntax, const State& state) {
    bool is_float = false;
    std::string_view function = plain_name(syntax.text, is_float);
    if (!is_function_name(function))
      fail(syntax, fmt::format("there is no function `{}`", syntax.text), all_function_names());
    std::vector<Typed> x;
    for (const auto& part : syntax.parts) x.push_back(evaluate(*part, state));
    size_t wanted = find(unary_functions, function) || function == "abs" || function == "round" ||
                            function == "isnan" || function == "isinf"
                        ? 1
                    : function == "fma" ? 3
                                        : 2;
    if (x.size() != wanted) fail(syntax, fmt::format("`{}` takes {} arguments, got {}", syntax.text, wanted, x.size()));
    DType common = DType::i32;
    for (const Typed& each : x)
      if (rank_of(each.value.dtype()) > rank_of(common)) common = each.value.dtype();
    bool keeps_integers = function == "abs" || function == "max" || function == "min";
    if (is_float)
      common = DType::f32;
    else if (!keeps_integers && std::ranges::any_of(x, [](auto& each) { return !is_floating(each.value.dtype()); }))
      common = DType::f64;  // as <cmath> has it where an argument is an integer
    bool needs_one_type = function == "max" || function == "min";
    if (needs_one_type && x[0].value.dtype() != x[1].value.dtype())
      fail(syntax, fmt::format("`{}` of {} and {}", syntax.text, name(x[0].value.dtype()), name(x[1].value.dtype())),
           "two values of one type");
    std::vector<ScalarExpr> v;
    for (const Typed& each : x) v.push_back(converted(each, common).value);
    return {apply(function, v), {}};
  }

  ScalarExpr apply(std::string_view function, const std::vector<ScalarExpr>& v) {
    if (const Spelling* row = find(unary_functions, function)) return s_.apply(row->op, {v[0]});
    if (const Spelling* row = find(binary_functions, function)) return s_.apply(row->op, {v[0], v[1]});
    if (function == "abs") return abs(v[0]);
    if (function == "fma") return fma(v[0], v[1], v[2]);
    if (function == "isnan") return is_nan(v[0]);
    if (function == "isinf") return abs(v[0]) == Scalar(std::numeric_limits<double>::infinity());
    if (function == "max") return select(v[0] < v[1], v[1], v[0]);
    if (function == "min") return select(v[1] < v[0], v[1], v[0]);
    // A NaN counts as missing.
    if (function == "fmax") return select((v[0] > v[1]) | is_nan(v[1]), v[0], v[1]);
    if (function == "fmin") return select((v[0] < v[1]) | is_nan(v[1]), v[0], v[1]);
    // round: half away from zero; the difference is exact.
    ScalarExpr whole = trunc(v[0]);
    ScalarExpr one = s_.constant(1.0, v[0].dtype());
    return select(abs(v[0] - whole) >= Scalar(0.5), whole + copysign(one, v[0]), whole);
  }

  std::string_view text_;
  Here here_;
  ScalarBuilder& s_;
  DType compute_;
  std::string type_parameter_ = "T";
  std::optional<DType> result_type_;  // of a function
  bool returns_auto_ = false;
  int rounds_ = 0;
};

}  // namespace

FormulaText::FormulaText(std::string_view text, std::vector<FormulaParameter> parameters, Here here)
    : text_(text), parameters_(std::move(parameters)), here_(here), syntax_(parse_formula(text_, here)) {
  if (syntax_->kind == SyntaxKind::function && syntax_->parameters.size() != parameters_.size())
    fail_formula(text_, syntax_->column, here,
                 fmt::format("`{}` takes {} parameters, the op has {}", syntax_->text, syntax_->parameters.size(),
                             parameters_.size()));
  // Says now what a call would say; each side of a branch on a number is tried.
  try_out(0);
  try_out(3);
}

void FormulaText::try_out(int64_t integers) const {
  ScalarDag dag;
  ScalarBuilder builder(dag);
  std::vector<ScalarExpr> operands;
  for (const FormulaParameter& parameter : parameters_) {
    switch (parameter.type) {
      case ArgType::integer:
      case ArgType::sym_int: operands.push_back(builder.constant(integers, DType::i64)); break;
      case ArgType::boolean: operands.push_back(builder.constant(integers != 0, DType::boolean)); break;
      default: operands.push_back(builder.input(static_cast<int>(operands.size()), DType::f32)); break;
    }
  }
  build(builder, operands, DType::f32);
}

FormulaText::~FormulaText() = default;

ScalarExpr FormulaText::build(ScalarBuilder& builder, std::span<const ScalarExpr> operands, DType compute) const {
  Evaluator evaluator(text_, here_, builder, compute);
  Typed value = syntax_->kind == SyntaxKind::function ? evaluator.function(*syntax_, operands)
                                                      : evaluator.expression(*syntax_, parameters_, operands);
  if (value.value.dtype() == DType::boolean) return value.value;
  return builder.convert(value.value, compute);
}

}  // namespace sinter::graph
