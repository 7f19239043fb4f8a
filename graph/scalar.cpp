// The table of scalar operations, and the builder of formulas.

#include <sinter/graph/scalar.h>

#include <sinter/graph/scalar_types.h>

#include <array>
#include <bit>

namespace sinter {

namespace {

constexpr auto table = std::to_array<ScalarOpInfo>({
    {ScalarOp::input, "input", 0, false, 0},
    {ScalarOp::constant, "constant", 0, false, 0},
    {ScalarOp::load, "load", 0, false, 0},
    {ScalarOp::index, "index", 0, false, 0},
    {ScalarOp::convert, "convert", 1, false, 1},
    {ScalarOp::neg, "neg", 1, false, 1},
    {ScalarOp::abs, "abs", 1, false, 1},
    {ScalarOp::sqrt, "sqrt", 1, false, 4},
    {ScalarOp::exp, "exp", 1, false, 12},
    {ScalarOp::exp2, "exp2", 1, false, 12},
    {ScalarOp::expm1, "expm1", 1, false, 12},
    {ScalarOp::log, "log", 1, false, 12},
    {ScalarOp::log2, "log2", 1, false, 12},
    {ScalarOp::log10, "log10", 1, false, 12},
    {ScalarOp::log1p, "log1p", 1, false, 12},
    {ScalarOp::sin, "sin", 1, false, 12},
    {ScalarOp::cos, "cos", 1, false, 12},
    {ScalarOp::tan, "tan", 1, false, 12},
    {ScalarOp::asin, "asin", 1, false, 12},
    {ScalarOp::acos, "acos", 1, false, 12},
    {ScalarOp::atan, "atan", 1, false, 12},
    {ScalarOp::sinh, "sinh", 1, false, 12},
    {ScalarOp::cosh, "cosh", 1, false, 12},
    {ScalarOp::tanh, "tanh", 1, false, 12},
    {ScalarOp::asinh, "asinh", 1, false, 12},
    {ScalarOp::acosh, "acosh", 1, false, 12},
    {ScalarOp::atanh, "atanh", 1, false, 12},
    {ScalarOp::sigmoid, "sigmoid", 1, false, 12},
    {ScalarOp::erf, "erf", 1, false, 12},
    {ScalarOp::floor, "floor", 1, false, 1},
    {ScalarOp::ceil, "ceil", 1, false, 1},
    {ScalarOp::trunc, "trunc", 1, false, 1},
    {ScalarOp::round, "round", 1, false, 1},
    {ScalarOp::mantissa, "mantissa", 1, false, 4},
    {ScalarOp::exponent, "exponent", 1, false, 4},
    {ScalarOp::is_nan, "is_nan", 1, true, 1},
    {ScalarOp::bit_not, "bit_not", 1, false, 1},
    {ScalarOp::add, "add", 2, false, 1},
    {ScalarOp::sub, "sub", 2, false, 1},
    {ScalarOp::mul, "mul", 2, false, 1},
    {ScalarOp::div, "div", 2, false, 4},
    {ScalarOp::minimum, "minimum", 2, false, 1},
    {ScalarOp::maximum, "maximum", 2, false, 1},
    {ScalarOp::pow, "pow", 2, false, 30},
    {ScalarOp::atan2, "atan2", 2, false, 20},
    {ScalarOp::hypot, "hypot", 2, false, 12},
    {ScalarOp::copysign, "copysign", 2, false, 1},
    {ScalarOp::nextafter, "nextafter", 2, false, 4},
    {ScalarOp::gcd, "gcd", 2, false, 20},
    {ScalarOp::bit_and, "bit_and", 2, false, 1},
    {ScalarOp::bit_or, "bit_or", 2, false, 1},
    {ScalarOp::bit_xor, "bit_xor", 2, false, 1},
    {ScalarOp::shift_left, "shift_left", 2, false, 1},
    {ScalarOp::shift_right, "shift_right", 2, false, 1},
    {ScalarOp::div_trunc, "div_trunc", 2, false, 12},
    {ScalarOp::div_floor, "div_floor", 2, false, 12},
    {ScalarOp::remainder, "remainder", 2, false, 12},
    {ScalarOp::fmod, "fmod", 2, false, 12},
    {ScalarOp::eq, "eq", 2, true, 1},
    {ScalarOp::ne, "ne", 2, true, 1},
    {ScalarOp::lt, "lt", 2, true, 1},
    {ScalarOp::le, "le", 2, true, 1},
    {ScalarOp::gt, "gt", 2, true, 1},
    {ScalarOp::ge, "ge", 2, true, 1},
    {ScalarOp::select, "select", 3, false, 1},
    {ScalarOp::fma, "fma", 3, false, 1},
});

constexpr bool rows_stand_at_their_number() {
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].op != static_cast<ScalarOp>(i)) return false;
  return true;
}
static_assert(rows_stand_at_their_number());

// The bits of a number as a value of the type: wrapped, or rounded.
uint64_t bits_in(Scalar value, DType dtype) {
  if (is_floating(dtype)) {
    double number = value.to_double();
    if (dtype == DType::f32) number = static_cast<float>(number);
    if (dtype == DType::f16) number = static_cast<float>(Half(static_cast<float>(number)));
    if (dtype == DType::bf16) number = static_cast<float>(BFloat16(static_cast<float>(number)));
    return std::bit_cast<uint64_t>(number);
  }
  int64_t number = dtype == DType::boolean ? value.to_bool() : value.to_int();
  switch (dtype) {
    case DType::u8: number = static_cast<uint8_t>(number); break;
    case DType::i8: number = static_cast<int8_t>(number); break;
    case DType::i16: number = static_cast<int16_t>(number); break;
    case DType::i32: number = static_cast<int32_t>(number); break;
    default: break;
  }
  return static_cast<uint64_t>(number);
}

}  // namespace

const ScalarOpInfo& info(ScalarOp op) { return table[static_cast<size_t>(op)]; }
std::span<const ScalarOpInfo> all_scalar_ops() { return table; }

Scalar constant_value(const ScalarNode& node) {
  if (is_floating(node.dtype)) return std::bit_cast<double>(node.payload);
  if (node.dtype == DType::boolean) return node.payload != 0;
  return static_cast<int64_t>(node.payload);
}

namespace {

void check_is_value(ScalarExpr x) {
  if (!x.builder) throw ScalarTypeError("a ScalarExpr that is no value");
}

}  // namespace

DType ScalarExpr::dtype() const { return builder_of(*this).dag().nodes[id].dtype; }

ScalarBuilder& builder_of(ScalarExpr x) {
  check_is_value(x);
  return *x.builder;
}

size_t ScalarBuilder::Hash::operator()(const ScalarNode& node) const {
  uint64_t hash = static_cast<uint64_t>(node.op) * 31 + static_cast<uint64_t>(node.dtype);
  for (uint64_t part : {uint64_t(uint32_t(node.operands[0])), uint64_t(uint32_t(node.operands[1])),
                        uint64_t(uint32_t(node.operands[2])), node.payload})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

ScalarExpr ScalarBuilder::add(ScalarNode node) {
  auto [entry, is_new] = known_.try_emplace(node, static_cast<int32_t>(dag_->nodes.size()));
  if (is_new) dag_->nodes.push_back(node);
  return {this, entry->second};
}

ScalarExpr ScalarBuilder::size(SymInt value) {
  if (value.is_constant()) return constant(value.hint(), DType::i64);
  std::vector<SymInt>& sizes = dag_->sizes;
  size_t place = 0;
  while (place < sizes.size() && !sizes[place].same(value)) ++place;
  if (place == sizes.size()) sizes.push_back(value);
  return add({ScalarOp::index, DType::i64, {-1, -1, -1}, ScalarDag::first_size + place});
}

ScalarExpr ScalarBuilder::number(Scalar traced) {
  std::vector<Scalar>& numbers = dag_->numbers;
  size_t place = 0;
  while (place < numbers.size() && numbers[place].bits() != traced.bits()) ++place;
  if (place == numbers.size()) numbers.push_back(traced);
  return add({ScalarOp::input, traced.dtype(), {-1, -1, -1}, ScalarDag::first_number + place});
}

ScalarExpr ScalarBuilder::constant(Scalar value, DType dtype) {
  if (value.is_symbolic()) return convert(size(value.size()), dtype);
  if (value.is_traced()) {  // by the steps of bits_in
    ScalarExpr x = number(value);
    if (dtype == DType::boolean) return convert(x, dtype);
    if (!is_floating(dtype)) return convert(convert(x, DType::i64), dtype);
    x = convert(x, DType::f64);
    return is_half(dtype) ? convert(convert(x, DType::f32), dtype) : convert(x, dtype);
  }
  return add({ScalarOp::constant, dtype, {-1, -1, -1}, bits_in(value, dtype)});
}

ScalarExpr ScalarBuilder::convert(ScalarExpr x, DType dtype) {
  if (x.dtype() == dtype) return x;
  return add({ScalarOp::convert, dtype, {x.id, -1, -1}, 0});
}

ScalarExpr ScalarBuilder::apply(ScalarOp op, std::initializer_list<ScalarExpr> operands) {
  const ScalarOpInfo& row = info(op);
  SINTER_CHECK(static_cast<int>(operands.size()) == row.operands, "{} takes {} operands", row.name, row.operands);
  ScalarNode node{op, DType::boolean, {-1, -1, -1}, 0};
  int at = 0;
  for (ScalarExpr operand : operands) {
    check_is_value(operand);
    node.operands[at++] = operand.id;
  }
  bool is_select = op == ScalarOp::select;
  auto type_of = [&](int operand) { return dag_->nodes[node.operands[operand]].dtype; };
  if (is_select && type_of(0) != DType::boolean)
    throw ScalarTypeError(fmt::format("select with a condition of {}", name(type_of(0))));
  for (int i = is_select ? 2 : 1; i < row.operands; ++i)
    if (type_of(i) != type_of(i - 1))
      throw ScalarTypeError(fmt::format("{} of {} and {}", row.name, name(type_of(i - 1)), name(type_of(i))));
  if (!row.gives_bool) node.dtype = type_of(is_select ? 1 : 0);
  return add(node);
}

}  // namespace sinter
