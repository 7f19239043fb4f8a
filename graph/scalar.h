// Scalar formulas: a DAG of operations on one element, the vocabulary in which ops say how they compute.
//
// fusion/ wraps loops around such DAGs, codegen/ spells each operation in its target, and the eager interpreter has one
// primitive for each. Adding an operation is one row in scalar_ops and one function in each target's prelude.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sinter/graph/dtype.h>
#include <sinter/graph/number.h>

namespace sinter {

enum class ScalarOp : uint8_t {
  // Leaves.
  input,     // payload: which tensor argument of the op
  constant,  // payload: the bits: of an int64 for bool and integers, else of a double
  load,      // payload: a row of the loop body's table of loads (fusion only); operand 0: mask, or -1
  index,     // payload: which dim of the result (an op's formula) or a row of the body's index table (fusion): i64
  // One operand.
  convert,
  neg,
  abs,
  sqrt,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  sigmoid,
  erf,
  floor,
  ceil,
  trunc,
  round,
  mantissa,  // frexp: x = mantissa * 2^exponent, 0.5 <= |mantissa| < 1
  exponent,  // a whole number as a float; 0 for zeros, infinities and NaN
  is_nan,
  bit_not,
  // Two operands of one type.
  add,
  sub,
  mul,
  div,
  minimum,
  maximum,
  pow,
  atan2,
  hypot,
  copysign,
  nextafter,
  gcd,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  div_trunc,
  div_floor,
  remainder,
  fmod,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  // Three operands: select(bool, T, T) and fma(a, b, c) = a * b + c with one rounding.
  select,
  fma,
};

struct ScalarOpInfo {
  ScalarOp op;
  std::string_view name;  // also the name of the function in generated code
  int operands;
  bool gives_bool;
  int work;  // beside one addition, roughly
  // A function of many instructions: called, not inlined, where it is used often.
  bool is_function() const { return work >= 12; }
};
const ScalarOpInfo& info(ScalarOp op);
std::span<const ScalarOpInfo> all_scalar_ops();

// Operands are positions of earlier nodes. All arithmetic is in bool, integers, f32 or f64; f16 and bf16 values are
// only made and taken by convert, load and select.
struct ScalarNode {
  ScalarOp op = ScalarOp::constant;
  DType dtype = DType::f32;  // of the value
  int32_t operands[3] = {-1, -1, -1};
  uint64_t payload = 0;
  bool operator==(const ScalarNode&) const = default;
};

struct ScalarDag {
  std::vector<ScalarNode> nodes;
  // Symbolic sizes that a formula computes with: an `index` node whose payload is first_size + its place here, until
  // the loop body's table of index expressions takes it over.
  std::vector<SymInt> sizes;
  static constexpr uint64_t first_size = uint64_t{1} << 32;
  // Numbers that are inputs of the function: an `input` node likewise, until it becomes a load.
  std::vector<Scalar> numbers;
  static constexpr uint64_t first_number = uint64_t{1} << 32;
};

// The value of a constant node in its own type: a bool or integer as int64, else a double.
Scalar constant_value(const ScalarNode& node);

class ScalarBuilder;

// A value in a DAG under construction.
struct ScalarExpr {
  ScalarBuilder* builder = nullptr;
  int32_t id = -1;
  DType dtype() const;
};

// Throws a ScalarTypeError when `x` is no value.
ScalarBuilder& builder_of(ScalarExpr x);

// Appends nodes to a DAG; an equal node is not added twice.
class ScalarBuilder {
 public:
  explicit ScalarBuilder(ScalarDag& dag) : dag_(&dag) {}

  ScalarExpr input(int index, DType dtype) { return add({ScalarOp::input, dtype, {-1, -1, -1}, uint64_t(index)}); }
  // The value is converted to the type as ATen converts numbers (wraps integers, rounds floats).
  ScalarExpr constant(Scalar value, DType dtype);
  ScalarExpr size(SymInt value);
  ScalarExpr number(Scalar traced);  // as a bool, i64 or f64
  ScalarExpr index(int dim) { return add({ScalarOp::index, DType::i64, {-1, -1, -1}, uint64_t(dim)}); }
  ScalarExpr convert(ScalarExpr x, DType dtype);
  ScalarExpr apply(ScalarOp op, std::initializer_list<ScalarExpr> operands);
  // Adds the node, or finds its equal.
  ScalarExpr add(ScalarNode node);

  ScalarDag& dag() { return *dag_; }

 private:
  struct Hash {
    size_t operator()(const ScalarNode& node) const;
  };
  ScalarDag* dag_;
  std::unordered_map<ScalarNode, int32_t, Hash> known_;
};

// Spelled as one writes formulas. A number takes the other operand's type.
#define SINTER_UNARY(function) \
  inline ScalarExpr function(ScalarExpr x) { return builder_of(x).apply(ScalarOp::function, {x}); }
SINTER_UNARY(abs)
SINTER_UNARY(sqrt)
SINTER_UNARY(exp)
SINTER_UNARY(exp2)
SINTER_UNARY(expm1)
SINTER_UNARY(log)
SINTER_UNARY(log2)
SINTER_UNARY(log10)
SINTER_UNARY(log1p)
SINTER_UNARY(sin)
SINTER_UNARY(cos)
SINTER_UNARY(tan)
SINTER_UNARY(asin)
SINTER_UNARY(acos)
SINTER_UNARY(atan)
SINTER_UNARY(sinh)
SINTER_UNARY(cosh)
SINTER_UNARY(tanh)
SINTER_UNARY(asinh)
SINTER_UNARY(acosh)
SINTER_UNARY(atanh)
SINTER_UNARY(sigmoid)
SINTER_UNARY(erf)
SINTER_UNARY(floor)
SINTER_UNARY(ceil)
SINTER_UNARY(trunc)
SINTER_UNARY(round)
SINTER_UNARY(is_nan)
#undef SINTER_UNARY
inline ScalarExpr operator-(ScalarExpr x) { return builder_of(x).apply(ScalarOp::neg, {x}); }
inline ScalarExpr operator~(ScalarExpr x) { return builder_of(x).apply(ScalarOp::bit_not, {x}); }

#define SINTER_BINARY(spelling, operation)                                                                            \
  inline ScalarExpr spelling(ScalarExpr a, ScalarExpr b) { return builder_of(a).apply(ScalarOp::operation, {a, b}); } \
  inline ScalarExpr spelling(ScalarExpr a, Scalar b) { return spelling(a, builder_of(a).constant(b, a.dtype())); }    \
  inline ScalarExpr spelling(Scalar a, ScalarExpr b) { return spelling(builder_of(b).constant(a, b.dtype()), b); }
SINTER_BINARY(operator+, add)
SINTER_BINARY(operator-, sub)
SINTER_BINARY(operator*, mul)
SINTER_BINARY(operator/, div)
SINTER_BINARY(operator&, bit_and)
SINTER_BINARY(operator|, bit_or)
SINTER_BINARY(operator^, bit_xor)
SINTER_BINARY(operator==, eq)
SINTER_BINARY(operator!=, ne)
SINTER_BINARY(operator<, lt)
SINTER_BINARY(operator<=, le)
SINTER_BINARY(operator>, gt)
SINTER_BINARY(operator>=, ge)
SINTER_BINARY(minimum, minimum)
SINTER_BINARY(maximum, maximum)
SINTER_BINARY(pow, pow)
SINTER_BINARY(atan2, atan2)
SINTER_BINARY(hypot, hypot)
SINTER_BINARY(fmod, fmod)
SINTER_BINARY(remainder, remainder)
SINTER_BINARY(copysign, copysign)
SINTER_BINARY(shift_left, shift_left)
SINTER_BINARY(shift_right, shift_right)
SINTER_BINARY(div_trunc, div_trunc)
SINTER_BINARY(div_floor, div_floor)
#undef SINTER_BINARY
inline ScalarExpr select(ScalarExpr condition, ScalarExpr a, ScalarExpr b) {
  return builder_of(condition).apply(ScalarOp::select, {condition, a, b});
}
inline ScalarExpr fma(ScalarExpr a, ScalarExpr b, ScalarExpr c) {
  return builder_of(a).apply(ScalarOp::fma, {a, b, c});
}

}  // namespace sinter
