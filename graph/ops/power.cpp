// pow in its three forms.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/power.h>

namespace sinter {

namespace {

// Integers have no negative powers.
PointwiseTypes types_pow_number(const OpArgs& args) {
  Scalar exponent = args.scalar("exponent");
  PointwiseTypes types = types_common(args);
  if (!is_floating(types.result) && exponent.to_int() < 0)
    args.fail(ErrorKind::argument, fmt::format("an integer to the negative power {}", to_string(exponent)),
              "need an exponent >= 0, or a floating base");
  return types;
}

ScalarExpr one_over(ScalarBuilder& s, ScalarExpr x) { return s.constant(1.0, x.dtype()) / x; }

// The exponents for which ATen has another formula; it gives other values at -0.0 and -inf than pow.
ScalarExpr pow_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs inputs) {
  ScalarExpr x = inputs[0];
  Scalar exponent = args.scalar("exponent");
  double number = exponent.to_double();
  if (number == 0) return s.constant(1, x.dtype());
  if (number == 1) return x;
  if (number == 2) return x * x;
  if (number == 3) return x * x * x;
  bool is_half_type = is_half(common_type(args));
  if (is_floating(x.dtype()) && !is_half_type) {
    if (number == 0.5) return sqrt(x);
    if (number == -0.5) return one_over(s, sqrt(x));
    if (number == -1) return one_over(s, x);
  }
  if (number == -2) return one_over(s, x * x);
  return pow(x, number_in(s, exponent, common_type(args)));
}

ScalarExpr pow_of_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return pow(number_in(s, args.scalar("self"), common_type(args)), x[0]);
}

}  // namespace

namespace op_defs {

constinit const OpDef pow_tensor_tensor = pointwise("aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                                                    types_without_bool, binary<ScalarOp::pow>);
constinit const OpDef pow_tensor_scalar =
    pointwise("aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", types_pow_number, pow_number_formula);
constinit const OpDef pow_scalar =
    pointwise("aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor", types_without_bool, pow_of_number_formula);
constinit const OpDef pow_inplace_tensor =
    inplace("aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)", pow_tensor_tensor);
constinit const OpDef pow_inplace_scalar =
    inplace("aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)", pow_tensor_scalar);

}  // namespace op_defs

Tensor pow(const Tensor& x, const Tensor& exponent, Here here) {
  return apply_one(op_defs::pow_tensor_tensor, {x, exponent}, here);
}
Tensor pow(const Tensor& x, Scalar exponent, Here here) {
  return apply_one(op_defs::pow_tensor_scalar, {x, exponent}, here);
}
Tensor pow(Scalar x, const Tensor& exponent, Here here) { return apply_one(op_defs::pow_scalar, {x, exponent}, here); }

}  // namespace sinter
