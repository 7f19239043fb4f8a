// Sums of three operands: lerp, addcmul, addcdiv.

#include <sinter/graph/ops/blend.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

PointwiseTypes types_lerp(const OpArgs& args) {
  for (int slot : args.tensor_slots())
    if (args.meta(slot).dtype != args.meta(0).dtype)
      args.fail(ErrorKind::dtype,
                fmt::format("dtypes differ ({} vs {})", name(args.meta(0).dtype), name(args.meta(slot).dtype)));
  return types_floating_only(args);
}
// From the nearer end, so that both ends are met exactly.
ScalarExpr lerp_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr start = x[0], end = x[1], one = s.constant(1.0, start.dtype());
  ScalarExpr weight = x.size() > 2 ? x[2] : s.constant(args.scalar("weight"), start.dtype());
  ScalarExpr way = end - start;
  return select(abs(weight) < Scalar(0.5), start + weight * way, end - way * (one - weight));
}

PointwiseTypes types_addcmul(const OpArgs& args) {
  PointwiseTypes types = types_common(args);
  if (args.scalar("value").is_floating() && !is_floating(types.result))
    args.fail(ErrorKind::argument,
              fmt::format("value {} is a float, the result is {}", to_string(args.scalar("value")), name(types.result)),
              "need an integer value for integer tensors");
  if (!is_floating(types.result)) check_fills(args, args.scalar("value"), types.result);
  return types;
}
PointwiseTypes types_addcdiv(const OpArgs& args) {
  PointwiseTypes types = types_common(args);
  bool divides_integers = !is_floating(args.meta(1).dtype) && !is_floating(args.meta(2).dtype);
  if (divides_integers || !is_floating(types.result))
    args.fail(ErrorKind::dtype, fmt::format("is not implemented for {}", name(types.result)),
              "for integers, say the division by div(..., rounding_mode) or by converting to a float");
  return types;
}
ScalarExpr addcmul_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr value = s.constant(args.scalar("value"), x[0].dtype());
  if (x[0].dtype() == DType::boolean) return x[0] | (value & x[1] & x[2]);
  return x[0] + value * x[1] * x[2];
}
ScalarExpr addcdiv_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return x[0] + s.constant(args.scalar("value"), x[0].dtype()) * x[1] / x[2];
}

}  // namespace

namespace op_defs {

constinit const OpDef lerp_scalar =
    pointwise("aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor", types_lerp, lerp_formula);
constinit const OpDef lerp_tensor =
    pointwise("aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", types_lerp, lerp_formula);
constinit const OpDef lerp_inplace_scalar =
    inplace("aten::lerp_.Scalar(Tensor(a!) self, Tensor end, Scalar weight) -> Tensor(a!)", lerp_scalar);
constinit const OpDef lerp_inplace_tensor =
    inplace("aten::lerp_.Tensor(Tensor(a!) self, Tensor end, Tensor weight) -> Tensor(a!)", lerp_tensor);

constinit const OpDef addcmul_default =
    pointwise("aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", types_addcmul,
              addcmul_formula);
constinit const OpDef addcmul_inplace_default =
    inplace("aten::addcmul_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)",
            addcmul_default);
constinit const OpDef addcdiv_default =
    pointwise("aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", types_addcdiv,
              addcdiv_formula);
constinit const OpDef addcdiv_inplace_default =
    inplace("aten::addcdiv_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)",
            addcdiv_default);

}  // namespace op_defs

Tensor lerp(const Tensor& start, const Tensor& end, Scalar weight, Here here) {
  return apply_one(op_defs::lerp_scalar, {start, end, weight}, here);
}
Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight, Here here) {
  return apply_one(op_defs::lerp_tensor, {start, end, weight}, here);
}
Tensor addcmul(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value, Here here) {
  return apply_one(op_defs::addcmul_default, {x, a, b, value}, here);
}
Tensor addcdiv(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value, Here here) {
  return apply_one(op_defs::addcdiv_default, {x, a, b, value}, here);
}

}  // namespace sinter
