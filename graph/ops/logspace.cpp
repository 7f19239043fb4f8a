// logspace: powers of a base with evenly spaced exponents.

#include <sinter/graph/ops/factory.h>
#include <sinter/graph/ops/logspace.h>

namespace sinter {

namespace {

// base ^ (start + step * i) from the start, base ^ (end - step * (steps - 1 - i)) from the end, in f64; the way from
// start to end is taken in the result's type.
ScalarExpr logspace_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  DType result = types_generated(args).result, compute = compute_type(result);
  int64_t steps = args.integer("steps");
  size_t next = 0;
  auto bound = [&](int slot) {
    if (args.op().schema().parameters[slot].type == ArgType::tensor) return x[next++];
    return number_in(s, args[slot].scalar(), result);
  };
  ScalarExpr start = bound(0), end = bound(1);
  auto wide = [&](ScalarExpr value) { return s.convert(value, DType::f64); };
  auto power = [&](ScalarExpr exponent) { return pow(s.constant(args.number("base"), DType::f64), exponent); };
  if (steps <= 1) return power(wide(start));
  DType exact = is_floating(result) ? compute : DType::i64;
  ScalarExpr way = s.convert(end, exact) - s.convert(start, exact);
  if (is_half(result)) way = s.convert(s.convert(way, result), compute);
  ScalarExpr step = wide(way) / Scalar(static_cast<double>(steps - 1));
  ScalarExpr i = s.index(0);
  ScalarExpr from_start = wide(start) + step * wide(i);
  ScalarExpr from_end = wide(end) - step * wide(s.constant(steps - 1, DType::i64) - i);
  return power(select(i < Scalar(steps / 2), from_start, from_end));
}

constexpr OpDef logspace_op(std::string_view signature) {
  return pointwise(signature, types_points, logspace_formula, points_meta);
}

}  // namespace

namespace op_defs {

constinit const OpDef logspace_default = logspace_op(
    "aten::logspace(Scalar start, Scalar end, int steps, float base=10.0, *, " SINTER_FACTORY ") -> Tensor");
constinit const OpDef logspace_tensor_tensor =
    logspace_op("aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10.0, *, " SINTER_FACTORY
                ") -> Tensor");
constinit const OpDef logspace_tensor_scalar =
    logspace_op("aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10.0, *, " SINTER_FACTORY
                ") -> Tensor");
constinit const OpDef logspace_scalar_tensor =
    logspace_op("aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10.0, *, " SINTER_FACTORY
                ") -> Tensor");

}  // namespace op_defs

}  // namespace sinter
