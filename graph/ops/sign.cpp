// The sign of numbers and what follows from it alone.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/sign.h>

#include <limits>
#include <numbers>

namespace sinter {

namespace {

// 0 for NaN; a bool is its own sign.
ScalarExpr sign_formula(ScalarBuilder& s, const OpArgs&, Inputs inputs) {
  ScalarExpr x = inputs[0];
  if (x.dtype() == DType::boolean) return x;
  ScalarExpr zero = s.constant(0, x.dtype());
  return select(x > zero, s.constant(1, x.dtype()), select(x < zero, s.constant(-1, x.dtype()), zero));
}

// True for -0.0.
ScalarExpr signbit_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  if (x[0].dtype() == DType::boolean) return s.constant(false, DType::boolean);
  if (!is_floating(x[0].dtype())) return x[0] < Scalar(0);
  return copysign(s.constant(1.0, x[0].dtype()), x[0]) < Scalar(0.0);
}

ScalarExpr copysign_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return copysign(x[0], s.constant(args.scalar("other"), x[0].dtype()));
}

PointwiseTypes types_heaviside(const OpArgs& args) {
  if (args.meta(0).dtype != args.meta(1).dtype)
    args.fail(ErrorKind::dtype,
              fmt::format("dtypes differ ({} vs {})", name(args.meta(0).dtype), name(args.meta(1).dtype)));
  return types_common(args);
}
// 0 for NaN.
ScalarExpr heaviside_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  if (x[0].dtype() == DType::boolean) return x[0] | x[1];
  ScalarExpr zero = s.constant(0, x[0].dtype());
  return select(x[0] == zero, x[1], select(x[0] > zero, s.constant(1, x[0].dtype()), zero));
}

// 0 or pi.
ScalarExpr angle_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  ScalarExpr zero = s.constant(0.0, x[0].dtype());
  ScalarExpr angle = select(x[0] < zero, s.constant(std::numbers::pi, x[0].dtype()), zero);
  return select(is_nan(x[0]), x[0], angle);
}

template <int sign>
ScalarExpr is_infinity(ScalarBuilder& s, const OpArgs&, Inputs x) {
  if (!is_floating(x[0].dtype())) return s.constant(false, DType::boolean);
  return x[0] == Scalar(sign * std::numeric_limits<double>::infinity());
}
ScalarExpr isreal_formula(ScalarBuilder& s, const OpArgs&, Inputs) { return s.constant(true, DType::boolean); }

Values run_itself(const OpArgs& args) { return {args.tensor(0)}; }
Values run_positive(const OpArgs& args) {
  if (args.meta(0).dtype == DType::boolean) fail_for_type(args, DType::boolean);
  return run_itself(args);
}

}  // namespace

namespace op_defs {

constinit const OpDef sign_default = pointwise("aten::sign(Tensor self) -> Tensor", types_common, sign_formula);
constinit const OpDef sign_inplace_default = inplace("aten::sign_(Tensor(a!) self) -> Tensor(a!)", sign_default);
constinit const OpDef sgn_default = pointwise("aten::sgn(Tensor self) -> Tensor", types_common, sign_formula);
constinit const OpDef sgn_inplace_default = inplace("aten::sgn_(Tensor(a!) self) -> Tensor(a!)", sgn_default);
constinit const OpDef signbit_default =
    pointwise("aten::signbit(Tensor self) -> Tensor", types_predicate, signbit_formula);

constinit const OpDef copysign_tensor =
    pointwise("aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor", types_float, binary<ScalarOp::copysign>);
constinit const OpDef copysign_scalar =
    pointwise("aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor", types_float, copysign_number_formula);
constinit const OpDef copysign_inplace_tensor =
    inplace("aten::copysign_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", copysign_tensor);
constinit const OpDef copysign_inplace_scalar =
    inplace("aten::copysign_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", copysign_scalar);

constinit const OpDef heaviside_default =
    pointwise("aten::heaviside(Tensor self, Tensor values) -> Tensor", types_heaviside, heaviside_formula);
constinit const OpDef heaviside_inplace_default =
    inplace("aten::heaviside_(Tensor(a!) self, Tensor values) -> Tensor(a!)", heaviside_default);
constinit const OpDef angle_default = pointwise("aten::angle(Tensor self) -> Tensor", types_float, angle_formula);
constinit const OpDef positive_default = composite("aten::positive(Tensor(a) self) -> Tensor(a)", run_positive);
constinit const OpDef conj_physical_default = composite("aten::conj_physical(Tensor self) -> Tensor", run_itself);

constinit const OpDef isposinf_default =
    pointwise("aten::isposinf(Tensor self) -> Tensor", types_predicate, is_infinity<1>);
constinit const OpDef isneginf_default =
    pointwise("aten::isneginf(Tensor self) -> Tensor", types_predicate, is_infinity<-1>);
constinit const OpDef isreal_default =
    pointwise("aten::isreal(Tensor self) -> Tensor", types_predicate, isreal_formula);

}  // namespace op_defs

Tensor sign(const Tensor& x, Here here) { return apply_one(op_defs::sign_default, {x}, here); }
Tensor sgn(const Tensor& x, Here here) { return apply_one(op_defs::sgn_default, {x}, here); }
Tensor signbit(const Tensor& x, Here here) { return apply_one(op_defs::signbit_default, {x}, here); }
Tensor angle(const Tensor& x, Here here) { return apply_one(op_defs::angle_default, {x}, here); }
Tensor positive(const Tensor& x, Here here) { return apply_one(op_defs::positive_default, {x}, here); }
Tensor isposinf(const Tensor& x, Here here) { return apply_one(op_defs::isposinf_default, {x}, here); }
Tensor isneginf(const Tensor& x, Here here) { return apply_one(op_defs::isneginf_default, {x}, here); }
Tensor isreal(const Tensor& x, Here here) { return apply_one(op_defs::isreal_default, {x}, here); }
Tensor copysign(const Tensor& x, const Tensor& sign, Here here) {
  return apply_one(op_defs::copysign_tensor, {x, sign}, here);
}
Tensor copysign(const Tensor& x, Scalar sign, Here here) {
  return apply_one(op_defs::copysign_scalar, {x, sign}, here);
}
Tensor heaviside(const Tensor& x, const Tensor& at_zero, Here here) {
  return apply_one(op_defs::heaviside_default, {x, at_zero}, here);
}

}  // namespace sinter
