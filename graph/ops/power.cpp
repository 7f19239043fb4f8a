// pow in its three forms, and float_power, which is pow in f64.

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/power.h>

#include <cmath>

namespace sinter {

namespace {

// Integers have no negative powers.
PointwiseTypes types_pow_number(const OpArgs& args) {
  Scalar exponent = args.scalar("exponent");
  PointwiseTypes types = types_common(args);
  if (!is_floating(types.result) && args.asks(graph::NumberQuestion::is_negative, "exponent"))
    args.fail(ErrorKind::argument, fmt::format("an integer to the negative power {}", to_string(exponent)),
              "need an exponent >= 0, or a floating base");
  return types;
}

ScalarExpr one_over(ScalarBuilder& s, ScalarExpr x) { return s.constant(1.0, x.dtype()) / x; }

// The exponents for which ATen has another formula; it gives other values at -0.0 and -inf than pow.
ScalarExpr pow_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs inputs) {
  ScalarExpr x = inputs[0];
  Scalar exponent = args.scalar("exponent");
  // Of the others nothing but that they are none of these matters.
  double number = args.asks(graph::NumberQuestion::is_special, "exponent") ? exponent.to_double() : std::nan("");
  if (number == 0) return s.constant(1, x.dtype());
  if (number == 1) return x;
  if (number == 2) return x * x;
  if (number == 3) return x * x * x;
  bool is_half_type = x.dtype() != DType::f64 && is_half(common_type(args));
  if (is_floating(x.dtype()) && !is_half_type) {
    if (number == 0.5) return sqrt(x);
    if (number == -0.5) return one_over(s, sqrt(x));
    if (number == -1) return one_over(s, x);
  }
  if (number == -2) return one_over(s, x * x);
  return pow(x, x.dtype() == DType::f64 ? s.constant(exponent, DType::f64) : number_in(s, exponent, common_type(args)));
}

ScalarExpr pow_of_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return pow(number_in(s, args.scalar("self"), common_type(args)), x[0]);
}

// Row-major, however the exponents lie.
Metas power_of_number_meta(const OpArgs& args) {
  TensorMeta meta = pointwise_meta(args, types_without_bool(args).result);
  meta.layout = contiguous_layout(meta.layout.sizes);
  return {meta};
}

PointwiseTypes types_float_power(const OpArgs& args) {
  PointwiseTypes types;
  types.inputs.assign(args.tensor_slots().size(), DType::f64);
  types.result = DType::f64;
  return types;
}
ScalarExpr float_power_of_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return pow(s.constant(args.scalar("self"), DType::f64), x[0]);
}
Metas float_power_inplace_meta(const OpArgs& args) {
  if (args.meta(0).dtype != DType::f64)
    args.fail(ErrorKind::dtype, fmt::format("the result is f64, self is {}", name(args.meta(0).dtype)));
  check_writable(args, infer_meta(OpArgs(*args.op().inplace_of, args.values(), args.here()))[0]);
  return {args.meta(0)};
}

}  // namespace

namespace op_defs {

constinit const OpDef pow_tensor_tensor = pointwise("aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                                                    types_without_bool, binary<ScalarOp::pow>);
constinit const OpDef pow_tensor_scalar =
    pointwise("aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", types_pow_number, pow_number_formula);
constinit const OpDef pow_scalar = pointwise("aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
                                             types_without_bool, pow_of_number_formula, power_of_number_meta);
constinit const OpDef pow_inplace_tensor =
    inplace("aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)", pow_tensor_tensor);
constinit const OpDef pow_inplace_scalar =
    inplace("aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)", pow_tensor_scalar);

constinit const OpDef float_power_tensor_tensor =
    pointwise("aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", types_float_power,
              binary<ScalarOp::pow>);
constinit const OpDef float_power_tensor_scalar = pointwise(
    "aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", types_float_power, pow_number_formula);
constinit const OpDef float_power_scalar = pointwise("aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
                                                     types_float_power, float_power_of_number_formula);
constinit const OpDef float_power_inplace_tensor = {
    .signature = "aten::float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)",
    .meta = float_power_inplace_meta,
    .inplace_of = &float_power_tensor_tensor,
};
constinit const OpDef float_power_inplace_scalar = {
    .signature = "aten::float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)",
    .meta = float_power_inplace_meta,
    .inplace_of = &float_power_tensor_scalar,
};

}  // namespace op_defs

Tensor pow(const Tensor& x, const Tensor& exponent, Here here) {
  return apply_one(op_defs::pow_tensor_tensor, {x, exponent}, here);
}
Tensor pow(const Tensor& x, Scalar exponent, Here here) {
  return apply_one(op_defs::pow_tensor_scalar, {x, exponent}, here);
}
Tensor float_power(const Tensor& x, const Tensor& exponent, Here here) {
  return apply_one(op_defs::float_power_tensor_tensor, {x, exponent}, here);
}
Tensor float_power(const Tensor& x, Scalar exponent, Here here) {
  return apply_one(op_defs::float_power_tensor_scalar, {x, exponent}, here);
}
Tensor pow(Scalar x, const Tensor& exponent, Here here) { return apply_one(op_defs::pow_scalar, {x, exponent}, here); }

}  // namespace sinter
