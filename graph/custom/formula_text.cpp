// Evaluates a formula's syntax tree into a scalar DAG, with C++'s types and conversions.

#include <sinter/graph/custom/formula_text.h>

#include <sinter/graph/custom/formula_syntax.h>

#include <algorithm>
#include <charconv>
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

  using Variables = std::map<std::string, Typed>;

  Typed function(const Syntax& syntax, std::span<const ScalarExpr> operands) {
    type_parameter_ = syntax.type_parameter;
    Variables variables;
    for (size_t i = 0; i < operands.size(); ++i) {
      const SyntaxParameter& parameter = syntax.parameters[i];
      DType dtype = parameter.type == "auto" ? compute_ : type_named(syntax, parameter.type);
      variables[parameter.name] = converted({operands[i], {}}, dtype);
    }
    std::optional<Typed> value = statements(syntax.parts[0]->parts, 0, variables, nullptr);
    if (!value) fail(syntax, fmt::format("`{}` does not return a value on each path", syntax.text));
    return syntax.type == "auto" ? *value : converted(*value, type_named(syntax, syntax.type));
  }

  Typed evaluate(const Syntax& syntax, const Variables& variables) {
    if (s_.dag().nodes.size() > most_nodes)
      fail(syntax, fmt::format("the formula has more than {} operations", most_nodes));
    switch (syntax.kind) {
      case SyntaxKind::number: return number(syntax);
      case SyntaxKind::name: return variable(syntax, variables);
      case SyntaxKind::unary: return unary(syntax, evaluate(*syntax.parts[0], variables));
      case SyntaxKind::binary:
        return binary(syntax, syntax.text, evaluate(*syntax.parts[0], variables),
                      evaluate(*syntax.parts[1], variables));
      case SyntaxKind::conditional: return conditional(syntax, variables);
      case SyntaxKind::call: return call(syntax, variables);
      case SyntaxKind::cast: return converted(evaluate(*syntax.parts[0], variables), type_named(syntax, syntax.text));
      default: fail(syntax, "expected a value");
    }
  }

 private:
  [[noreturn]] void fail(const Syntax& at, std::string message, std::string need = {}) const {
    fail_formula(text_, at.column, here_, std::move(message), std::move(need));
  }

  // --- Statements ---------------------------------------------------------------------------------------------

  using Parts = std::vector<std::unique_ptr<Syntax>>;
  // What comes after a block: the statements around it from some point on, and what comes after those.
  struct Rest {
    const Parts* statements;
    size_t from;
    const Rest* rest;
  };

  // Runs statements [from, end), and then `rest`; the value that is returned, if all paths return one.
  std::optional<Typed> statements(const Parts& parts, size_t from, Variables& variables, const Rest* rest) {
    for (size_t i = from; i < parts.size(); ++i) {
      const Syntax& syntax = *parts[i];
      if (syntax.kind == SyntaxKind::give_back) return evaluate(*syntax.parts[0], variables);
      if (syntax.kind == SyntaxKind::branch) {
        Rest after{&parts, i + 1, rest};
        std::optional<Typed> value;
        if (branch(syntax, variables, after, value)) return value;
        continue;
      }
      if (syntax.kind == SyntaxKind::block && syntax.text.empty()) {
        Rest after{&parts, i + 1, rest};
        return statements(syntax.parts, 0, variables, &after);  // what it declares stays: no name may come twice
      }
      simple(syntax, variables);
    }
    return rest ? statements(*rest->statements, rest->from, variables, rest->rest) : std::nullopt;
  }

  static bool returns(const Syntax& syntax) {
    if (syntax.kind == SyntaxKind::give_back) return true;
    return std::ranges::any_of(syntax.parts, [](const auto& part) { return returns(*part); });
  }

  // True if the function's value is decided here: one of the branches returns, and the rest was run for the other.
  bool branch(const Syntax& syntax, Variables& variables, const Rest& after, std::optional<Typed>& value) {
    Typed condition = to_bool(evaluate(*syntax.parts[0], variables));
    Variables then_variables = variables, else_variables = variables;
    auto run = [&](size_t part, Variables& own, const Rest* rest) -> std::optional<Typed> {
      Parts none;
      if (part >= syntax.parts.size()) return statements(none, 0, own, rest);
      const Syntax& body = *syntax.parts[part];
      if (body.kind == SyntaxKind::block && body.text.empty()) return statements(body.parts, 0, own, rest);
      if (body.kind == SyntaxKind::give_back) return evaluate(*body.parts[0], own);
      if (body.kind == SyntaxKind::branch) {
        std::optional<Typed> inner;
        Rest nothing{&none, 0, rest};
        if (branch(body, own, nothing, inner)) return inner;
      } else {
        simple(body, own);
      }
      return statements(none, 0, own, rest);
    };
    if (condition.known) {
      value = run(*condition.known ? 1 : 2, variables, &after);
      return true;
    }
    if (!returns(syntax)) {
      run(1, then_variables, nullptr);
      run(2, else_variables, nullptr);
      for (auto& [name, variable] : variables)
        variable = choose(condition, then_variables.at(name), else_variables.at(name));
      return false;
    }
    std::optional<Typed> left = run(1, then_variables, &after), right = run(2, else_variables, &after);
    if (left && right) {
      DType common = common_type(*left, *right);
      value = choose(condition, converted(*left, common), converted(*right, common));
    }
    return true;
  }

  void simple(const Syntax& syntax, Variables& variables) {
    switch (syntax.kind) {
      case SyntaxKind::block:
        for (const auto& part : syntax.parts) simple(*part, variables);
        return;
      case SyntaxKind::declaration: {
        if (variables.contains(syntax.text)) fail(syntax, fmt::format("`{}` is declared twice", syntax.text));
        Typed value = evaluate(*syntax.parts[0], variables);
        if (syntax.type != "auto") value = converted(value, type_named(syntax, syntax.type));
        variables[syntax.text] = value;
        return;
      }
      case SyntaxKind::assignment: return assign(syntax, variables);
      case SyntaxKind::loop: return loop(syntax, variables);
      case SyntaxKind::branch: {
        if (returns(syntax)) fail(syntax, "a loop can't return");
        std::optional<Typed> none;
        Parts nothing;
        Rest end{&nothing, 0, nullptr};
        branch(syntax, variables, end, none);
        return;
      }
      default: fail(syntax, "a loop can't return");
    }
  }

  void assign(const Syntax& syntax, Variables& variables) {
    auto found = variables.find(syntax.text);
    if (found == variables.end()) fail(syntax, fmt::format("`{}` is not declared", syntax.text));
    Typed value = evaluate(*syntax.parts[0], variables);
    if (syntax.type != "=") value = binary(syntax, syntax.type.substr(0, 1), found->second, value);
    found->second = converted(value, found->second.value.dtype());
  }

  // Names that a block or loop declared end with it.
  static void keep_names_of(const Variables& before, Variables& variables) {
    std::erase_if(variables, [&](const auto& variable) { return !before.contains(variable.first); });
  }

  void loop(const Syntax& syntax, Variables& variables) {
    Variables outside = variables;
    simple(*syntax.parts[0], variables);
    Variables in_loop = variables;
    for (;;) {
      Typed condition = to_bool(evaluate(*syntax.parts[1], variables));
      if (!condition.known)
        fail(*syntax.parts[1], "the loop's count depends on data",
             "a count that is a number; for other loops custom_op or kernel_op");
      if (!*condition.known) break;
      simple(*syntax.parts[3], variables);
      keep_names_of(in_loop, variables);
      simple(*syntax.parts[2], variables);
    }
    keep_names_of(outside, variables);
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
    std::string text = syntax.text;
    bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    bool is_float = !is_hex && text.find_first_of(".eE") != std::string::npos;
    DType dtype = is_float ? DType::f64 : DType::i32;
    while (!text.empty() && std::string_view(is_hex ? "uUlL" : "fFuUlL").find(text.back()) != std::string_view::npos) {
      if (text.back() == 'f' || text.back() == 'F') dtype = DType::f32;
      if (text.back() == 'l' || text.back() == 'L') dtype = is_float ? DType::f64 : DType::i64;
      text.pop_back();
    }
    const char* end = text.data() + text.size();
    if (is_float) {
      double value = 0;
      auto [stop, error] = std::from_chars(text.data(), end, value);
      if (error != std::errc{} || stop != end) fail(syntax, fmt::format("`{}` is no number", syntax.text));
      return {s_.constant(Scalar(value), dtype), {}};
    }
    int64_t value = 0;
    auto [stop, error] = std::from_chars(text.data() + (is_hex ? 2 : 0), end, value, is_hex ? 16 : 10);
    if (error != std::errc{} || stop != end || dtype == DType::f32)
      fail(syntax, fmt::format("`{}` is no number", syntax.text));
    bool fits = value == static_cast<int32_t>(value);
    return integer(value, dtype == DType::i32 && fits ? DType::i32 : DType::i64);
  }

  Typed variable(const Syntax& syntax, const Variables& variables) {
    auto found = variables.find(syntax.text);
    if (found != variables.end()) return found->second;
    if (syntax.text == "true" || syntax.text == "false") {
      bool value = syntax.text == "true";
      return {s_.constant(value, DType::boolean), value};
    }
    std::string names;
    for (const auto& [name, value] : variables) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
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
    if (syntax.text == "-")
      return x.known ? converted(integer(-*x.known, DType::i64), x.value.dtype()) : Typed{-x.value, {}};
    if (is_floating(x.value.dtype())) fail(syntax, "`~` of a floating number");
    return {s_.apply(ScalarOp::bit_not, {x.value}), {}};
  }

  static std::optional<int64_t> folded(std::string_view operation, int64_t a, int64_t b) {
    if (operation == "+") return a + b;
    if (operation == "-") return a - b;
    if (operation == "*") return a * b;
    if (operation == "/" && b != 0) return a / b;
    if (operation == "%" && b != 0) return a % b;
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
    if (a.known && b.known && std::abs(*a.known) < INT32_MAX && std::abs(*b.known) < INT32_MAX)
      if (std::optional<int64_t> value = folded(operation, *a.known, *b.known))
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

  Typed conditional(const Syntax& syntax, const Variables& variables) {
    Typed condition = to_bool(evaluate(*syntax.parts[0], variables));
    Typed a = evaluate(*syntax.parts[1], variables), b = evaluate(*syntax.parts[2], variables);
    DType common = common_type(a, b);
    return choose(condition, converted(a, common), converted(b, common));
  }

  // The function's name without the `f` of C's float functions, which converts the arguments.
  static std::string_view plain_name(std::string_view name, bool& is_float) {
    is_float = !is_function_name(name) && name.ends_with('f') && is_function_name(name.substr(0, name.size() - 1));
    return is_float ? name.substr(0, name.size() - 1) : name;
  }

  Typed call(const Syntax& syntax, const Variables& variables) {
    bool is_float = false;
    std::string_view function = plain_name(syntax.text, is_float);
    if (!is_function_name(function))
      fail(syntax, fmt::format("there is no function `{}`", syntax.text), all_function_names());
    std::vector<Typed> x;
    for (const auto& part : syntax.parts) x.push_back(evaluate(*part, variables));
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
    if (is_float) common = DType::f32;
    if (!is_floating(common) && !keeps_integers) common = DType::f64;  // as <cmath> has it
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
};

}  // namespace

FormulaText::FormulaText(std::string_view text, std::vector<std::string> parameters, Here here)
    : text_(text), parameters_(std::move(parameters)), here_(here), syntax_(parse_formula(text_, here)) {
  if (syntax_->kind == SyntaxKind::function && syntax_->parameters.size() != parameters_.size())
    fail_formula(text_, syntax_->column, here,
                 fmt::format("`{}` takes {} parameters, the op has {}", syntax_->text, syntax_->parameters.size(),
                             parameters_.size()));
  ScalarDag dag;  // says now what a call would say
  ScalarBuilder builder(dag);
  std::vector<ScalarExpr> operands;
  for (size_t i = 0; i < parameters_.size(); ++i) operands.push_back(builder.input(static_cast<int>(i), DType::f32));
  build(builder, operands);
}

FormulaText::~FormulaText() = default;

ScalarExpr FormulaText::build(ScalarBuilder& builder, std::span<const ScalarExpr> operands) const {
  DType compute = operands.empty() ? DType::f32 : operands[0].dtype();
  Evaluator evaluator(text_, here_, builder, compute);
  Typed value;
  if (syntax_->kind == SyntaxKind::function) {
    value = evaluator.function(*syntax_, operands);
  } else {
    Evaluator::Variables variables;
    for (size_t i = 0; i < operands.size(); ++i) variables[parameters_[i]] = {operands[i], {}};
    value = evaluator.evaluate(*syntax_, variables);
  }
  if (value.value.dtype() == DType::boolean) return value.value;
  return builder.convert(value.value, compute);
}

}  // namespace sinter::graph
