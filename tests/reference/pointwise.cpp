// Pointwise operators of the reference: broadcast, convert, apply, round.

#include "reference/evaluate.h"
#include "reference/promotion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

namespace sinter::reference {

namespace {

using Inputs = std::vector<Number>;

// Exact, but of two equal zeros either may be the greater.
constexpr double either_zero = 0.25;

std::vector<int64_t> broadcast(const std::vector<const Array*>& operands) {
  std::vector<int64_t> sizes;
  for (const Array* operand : operands) {
    while (static_cast<int64_t>(sizes.size()) < operand->rank()) sizes.insert(sizes.begin(), 1);
    size_t shift = sizes.size() - operand->sizes.size();
    for (size_t dim = 0; dim < operand->sizes.size(); ++dim)
      if (operand->sizes[dim] != 1) sizes[dim + shift] = operand->sizes[dim];
  }
  return sizes;
}

const Number& element_at(const Array& array, const std::vector<int64_t>& index) {
  size_t shift = index.size() - array.sizes.size();
  int64_t flat = 0;
  for (size_t dim = 0; dim < array.sizes.size(); ++dim)
    flat = flat * array.sizes[dim] + (array.sizes[dim] == 1 ? 0 : index[dim + shift]);
  return array.values[flat];
}

// The operands converted to `inputs`, f of each broadcast element, and its value rounded to `result`.
Array map(const std::vector<const Array*>& operands, DType inputs, DType result, double error_units,
          const std::function<Number(const Inputs&)>& f) {
  Array out{result, broadcast(operands), {}, false, error_units, {}};
  if (element_count(out.sizes) == 0) return out;
  std::vector<int64_t> index(out.sizes.size());
  Inputs values(operands.size());
  do {
    for (size_t i = 0; i < operands.size(); ++i) {
      // A number enters the computation unrounded where ATen computes in f32 and rounds once.
      DType from = operands[i]->dtype, to = operands[i]->is_number && is_half(inputs) ? DType::f32 : inputs;
      values[i] = convert(element_at(*operands[i], index), from, to);
    }
    Number value = f(values);
    out.values.push_back(is_floating(result) ? Number{round_float(result, value.f), 0}
                                             : Number{0, wrap_integer(result, value.i)});
  } while (advance(index, out.sizes));
  return out;
}

// Steps in between (exp of silu, the square of a negative power) may overflow where the result is nearly 0.
Array with_underflow(Array out) {
  out.scales.assign(out.values.size(), out.dtype == DType::f64 ? 1e-292 : 1e-29);
  return out;
}

DType floating_type(DType type) { return is_floating(type) ? type : DType::f32; }

double minimum_of(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : a < b ? a : b; }
double maximum_of(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : a > b ? a : b; }

double round_half_even(double x) { return std::nearbyint(x); }

double gelu(double x, bool is_tanh) {
  if (!is_tanh) return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

using FloatUnary = double (*)(double);

// Functions of floats; integers become f32 first.
const std::map<std::string_view, FloatUnary>& float_functions() {
  static const std::map<std::string_view, FloatUnary> functions = {
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"erf", [](double x) { return std::erf(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"reciprocal", [](double x) { return 1 / x; }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
  };
  return functions;
}

// Of any type: on floats, and on integers.
struct SameTypeUnary {
  FloatUnary on_floats;
  int64_t (*on_integers)(int64_t);
};
int64_t same(int64_t x) { return x; }
int64_t negate(int64_t x) { return static_cast<int64_t>(0 - static_cast<uint64_t>(x)); }
int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

const std::map<std::string_view, SameTypeUnary>& same_type_functions() {
  static const std::map<std::string_view, SameTypeUnary> functions = {
      {"neg", {[](double x) { return -x; }, negate}},
      {"abs", {[](double x) { return std::fabs(x); }, [](int64_t x) { return x < 0 ? negate(x) : x; }}},
      {"relu", {[](double x) { return maximum_of(x, 0); }, [](int64_t x) { return x < 0 ? 0 : x; }}},
      {"square", {[](double x) { return x * x; }, [](int64_t x) { return multiply(x, x); }}},
      {"ceil", {[](double x) { return std::ceil(x); }, same}},
      {"floor", {[](double x) { return std::floor(x); }, same}},
      {"round", {round_half_even, same}},
      {"trunc", {[](double x) { return std::trunc(x); }, same}},
      {"clone", {[](double x) { return x; }, same}},
      {"contiguous", {[](double x) { return x; }, same}},
  };
  return functions;
}

using Predicate = bool (*)(double);
const std::map<std::string_view, Predicate>& predicates() {
  static const std::map<std::string_view, Predicate> functions = {
      {"isnan", [](double x) { return std::isnan(x); }},
      {"isinf", [](double x) { return std::isinf(x); }},
      {"isfinite", [](double x) { return std::isfinite(x); }},
      {"logical_not", [](double x) { return x == 0; }},
  };
  return functions;
}

struct Binary {
  double (*on_floats)(double, double);
  int64_t (*on_integers)(int64_t, int64_t);
};
const std::map<std::string_view, Binary>& binary_functions() {
  static const std::map<std::string_view, Binary> functions = {
      {"mul", {[](double a, double b) { return a * b; }, multiply}},
      {"maximum", {maximum_of, [](int64_t a, int64_t b) { return std::max(a, b); }}},
      {"minimum", {minimum_of, [](int64_t a, int64_t b) { return std::min(a, b); }}},
      {"clamp_min", {maximum_of, [](int64_t a, int64_t b) { return std::max(a, b); }}},
      {"clamp_max", {minimum_of, [](int64_t a, int64_t b) { return std::min(a, b); }}},
      {"bitwise_and", {nullptr, [](int64_t a, int64_t b) { return a & b; }}},
      {"bitwise_or", {nullptr, [](int64_t a, int64_t b) { return a | b; }}},
      {"bitwise_xor", {nullptr, [](int64_t a, int64_t b) { return a ^ b; }}},
  };
  return functions;
}

using Comparison = bool (*)(double, double);
struct Compare {
  Comparison on_floats;
  bool (*on_integers)(int64_t, int64_t);
};
const std::map<std::string_view, Compare>& comparisons() {
  static const std::map<std::string_view, Compare> functions = {
      {"eq", {[](double a, double b) { return a == b; }, [](int64_t a, int64_t b) { return a == b; }}},
      {"ne", {[](double a, double b) { return a != b; }, [](int64_t a, int64_t b) { return a != b; }}},
      {"lt", {[](double a, double b) { return a < b; }, [](int64_t a, int64_t b) { return a < b; }}},
      {"le", {[](double a, double b) { return a <= b; }, [](int64_t a, int64_t b) { return a <= b; }}},
      {"gt", {[](double a, double b) { return a > b; }, [](int64_t a, int64_t b) { return a > b; }}},
      {"ge", {[](double a, double b) { return a >= b; }, [](int64_t a, int64_t b) { return a >= b; }}},
  };
  return functions;
}

bool truth(const Number& value, DType dtype) { return is_floating(dtype) ? value.f != 0 : value.i != 0; }

std::optional<Array> unary(std::string_view name, const Arguments& arguments) {
  const Array& x = array(arguments[0]);
  if (auto f = float_functions().find(name); f != float_functions().end()) {
    bool is_rounded_right = name == "sqrt" || name == "reciprocal";
    Array out = map({&x}, floating_type(x.dtype), floating_type(x.dtype), is_rounded_right ? 0 : 4,
                    [&](const Inputs& in) { return Number{f->second(in[0].f), 0}; });
    return is_rounded_right ? out : with_underflow(std::move(out));
  }
  if (auto f = same_type_functions().find(name); f != same_type_functions().end()) {
    DType type = name == "square" && x.dtype == DType::boolean ? DType::i64 : x.dtype;  // as pow(x, 2)
    return map({&x}, type, type, name == "relu" ? either_zero : 0, [&](const Inputs& in) {
      return is_floating(x.dtype) ? Number{f->second.on_floats(in[0].f), 0} : Number{0, f->second.on_integers(in[0].i)};
    });
  }
  if (auto f = predicates().find(name); f != predicates().end())
    return map({&x}, x.dtype, DType::boolean, 0, [&](const Inputs& in) {
      return Number{0, f->second(is_floating(x.dtype) ? in[0].f : static_cast<double>(in[0].i))};
    });
  if (name == "bitwise_not")
    return map({&x}, x.dtype, x.dtype, 0,
               [&](const Inputs& in) { return Number{0, x.dtype == DType::boolean ? !in[0].i : ~in[0].i}; });
  if (name == "gelu") {
    bool is_tanh = std::get<Value>(arguments[1]).string() == "tanh";
    Array out = map({&x}, x.dtype, x.dtype, 8, [&](const Inputs& in) { return Number{gelu(in[0].f, is_tanh), 0}; });
    for (const Number& value : x.values) out.scales.push_back(std::min(std::fabs(value.f), 1.0));
    return out;
  }
  return std::nullopt;
}

std::optional<Array> binary(std::string_view name, const Arguments& arguments) {
  if (arguments.size() < 2 || !std::holds_alternative<Array>(arguments[1])) return std::nullopt;
  const Array &a = array(arguments[0]), &b = array(arguments[1]);
  DType type = common_type({&a, &b});
  if (auto f = binary_functions().find(name); f != binary_functions().end())
    return map({&a, &b}, type, type, name == "mul" ? 0 : either_zero, [&](const Inputs& in) {
      return is_floating(type) ? Number{f->second.on_floats(in[0].f, in[1].f), 0}
                               : Number{0, f->second.on_integers(in[0].i, in[1].i)};
    });
  if (auto f = comparisons().find(name); f != comparisons().end())
    return map({&a, &b}, type, DType::boolean, 0, [&](const Inputs& in) {
      return Number{
          0, is_floating(type) ? f->second.on_floats(in[0].f, in[1].f) : f->second.on_integers(in[0].i, in[1].i)};
    });
  if (name.starts_with("logical_"))
    return map({&a, &b}, type, DType::boolean, 0, [&](const Inputs& in) {
      bool x = truth(in[0], type), y = truth(in[1], type);
      return Number{0, name == "logical_and" ? x && y : name == "logical_or" ? x || y : x != y};
    });
  if (name == "div" || name == "true_divide")
    return map({&a, &b}, floating_type(type), floating_type(type), b.is_number ? 1 : 0,
               [](const Inputs& in) { return Number{in[0].f / in[1].f, 0}; });
  if (name == "pow")
    return with_underflow(map({&a, &b}, type, type, 8, [&](const Inputs& in) {
      // ATen takes the square root, but not of f16 and bf16.
      if (b.is_number && in[1].f == 0.5 && !is_half(type)) return Number{std::sqrt(in[0].f), 0};
      return Number{std::pow(in[0].f, in[1].f), 0};
    }));
  return std::nullopt;
}

// add, sub, rsub: the second operand times alpha.
std::optional<Array> sum_of_two(std::string_view name, const Arguments& arguments) {
  if (name != "add" && name != "sub" && name != "rsub") return std::nullopt;
  const Array &a = array(arguments[0]), &b = array(arguments[1]);
  Scalar alpha = std::get<Value>(arguments[2]).scalar();
  DType type = common_type({&a, &b});
  bool is_plain = alpha == Scalar(1);
  Array out = map({&a, &b}, type, type, is_plain ? 0 : 4, [&](const Inputs& in) -> Number {
    const Number &left = name == "rsub" ? in[1] : in[0], &right = name == "rsub" ? in[0] : in[1];
    if (is_floating(type)) {
      double term = alpha.to_double() * right.f;
      return {name == "add" ? left.f + term : left.f - term, 0};
    }
    auto x = static_cast<uint64_t>(left.i), term = static_cast<uint64_t>(multiply(alpha.to_int(), right.i));
    return {0, static_cast<int64_t>(name == "add" ? x + term : x - term)};
  });
  if (is_plain || !is_floating(type)) return out;
  // Terms that cancel leave the error of the larger one.
  Array size = map({&a, &b}, DType::f64, DType::f64, 0, [&](const Inputs& in) {
    return Number{std::max({std::fabs(in[0].f), std::fabs(in[1].f)}) * std::max(1.0, std::fabs(alpha.to_double())), 0};
  });
  for (const Number& value : size.values) out.scales.push_back(value.f);
  return out;
}

std::optional<Array> choice(std::string_view name, const Arguments& arguments) {
  if (name == "where") {
    const Array &condition = array(arguments[0]), &a = array(arguments[1]), &b = array(arguments[2]);
    DType type = common_type({&a, &b});
    Array left = convert(a, type), right = convert(b, type), chooser = convert(condition, DType::f64);
    left.is_number = right.is_number = false;
    Array exact{type, broadcast({&chooser, &left, &right}), {}, false, 0, {}};
    if (element_count(exact.sizes) == 0) return exact;
    std::vector<int64_t> index(exact.sizes.size());
    do exact.values.push_back(element_at(element_at(chooser, index).f != 0 ? left : right, index));
    while (advance(index, exact.sizes));
    return exact;
  }
  if (name == "clamp") {
    std::vector<const Array*> operands;
    for (const Argument& argument : arguments)
      if (!is_none(argument)) operands.push_back(&array(argument));
    DType type = common_type(operands);
    bool has_min = !is_none(arguments[1]);
    return map(operands, type, type, either_zero, [&](const Inputs& in) {
      Number value = in[0];
      for (size_t i = 1; i < in.size(); ++i) {
        bool is_min = i == 1 && has_min;
        if (is_floating(type))
          value.f = is_min ? maximum_of(value.f, in[i].f) : minimum_of(value.f, in[i].f);
        else
          value.i = is_min ? std::max(value.i, in[i].i) : std::min(value.i, in[i].i);
      }
      return value;
    });
  }
  return std::nullopt;
}

// Whether a wider zero-dim operand of a half-precision operator is rounded first is for the recorded calls to say.
bool rounds_unknown(const Arguments& arguments) {
  std::vector<const Array*> operands;
  for (const Argument& argument : arguments)
    if (const Array* operand = std::get_if<Array>(&argument)) operands.push_back(operand);
  DType type = common_type(operands);
  return is_half(type) && std::any_of(operands.begin(), operands.end(), [&](const Array* operand) {
           return operand->sizes.empty() && !operand->is_number && operand->dtype != type;
         });
}

}  // namespace

std::optional<std::vector<Array>> evaluate_pointwise(std::string_view name, const Arguments& arguments) {
  if (arguments.empty() || !std::holds_alternative<Array>(arguments[0])) return std::nullopt;
  if (rounds_unknown(arguments)) return std::nullopt;
  if (name == "to") return {{convert(array(arguments[0]), std::get<Value>(arguments[1]).dtype())}};
  if (name == "copy" || name == "fill") {
    Array value = convert(array(arguments[1]), array(arguments[0]).dtype);
    value.is_number = false;
    Array target = array(arguments[0]);
    Array out = map({&target, &value}, target.dtype, target.dtype, 0, [](const Inputs& in) { return in[1]; });
    return {{out}};
  }
  if (name == "zero") {
    Array out = array(arguments[0]);
    for (Number& value : out.values) value = {};
    return {{out}};
  }
  for (auto* kind : {sum_of_two, choice, unary, binary})
    if (std::optional<Array> out = kind(name, arguments)) return {{std::move(*out)}};
  return std::nullopt;
}

}  // namespace sinter::reference
