// Exponentials, logarithms, roots, trigonometric and hyperbolic functions, erf: bools and integers give the default
// floating type.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/transcendental.h>

#include <numbers>

namespace sinter {

namespace {

ScalarExpr rsqrt_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return s.constant(1.0, x[0].dtype()) / sqrt(x[0]);
}
ScalarExpr deg2rad_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0] * Scalar(std::numbers::pi / 180); }
ScalarExpr rad2deg_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0] * Scalar(180 / std::numbers::pi); }

}  // namespace

namespace op_defs {

constinit const OpDef exp_default = pointwise("aten::exp(Tensor self) -> Tensor", types_float, unary<ScalarOp::exp>);
constinit const OpDef exp_inplace_default = inplace("aten::exp_(Tensor(a!) self) -> Tensor(a!)", exp_default);
constinit const OpDef log_default = pointwise("aten::log(Tensor self) -> Tensor", types_float, unary<ScalarOp::log>);
constinit const OpDef log_inplace_default = inplace("aten::log_(Tensor(a!) self) -> Tensor(a!)", log_default);
constinit const OpDef sqrt_default = pointwise("aten::sqrt(Tensor self) -> Tensor", types_float, unary<ScalarOp::sqrt>);
constinit const OpDef sqrt_inplace_default = inplace("aten::sqrt_(Tensor(a!) self) -> Tensor(a!)", sqrt_default);
constinit const OpDef rsqrt_default = pointwise("aten::rsqrt(Tensor self) -> Tensor", types_float, rsqrt_formula);
constinit const OpDef rsqrt_inplace_default = inplace("aten::rsqrt_(Tensor(a!) self) -> Tensor(a!)", rsqrt_default);
constinit const OpDef exp2_default = pointwise("aten::exp2(Tensor self) -> Tensor", types_float, unary<ScalarOp::exp2>);
constinit const OpDef exp2_inplace_default = inplace("aten::exp2_(Tensor(a!) self) -> Tensor(a!)", exp2_default);
constinit const OpDef expm1_default =
    pointwise("aten::expm1(Tensor self) -> Tensor", types_float, unary<ScalarOp::expm1>);
constinit const OpDef expm1_inplace_default = inplace("aten::expm1_(Tensor(a!) self) -> Tensor(a!)", expm1_default);
constinit const OpDef log2_default = pointwise("aten::log2(Tensor self) -> Tensor", types_float, unary<ScalarOp::log2>);
constinit const OpDef log2_inplace_default = inplace("aten::log2_(Tensor(a!) self) -> Tensor(a!)", log2_default);
constinit const OpDef log10_default =
    pointwise("aten::log10(Tensor self) -> Tensor", types_float, unary<ScalarOp::log10>);
constinit const OpDef log10_inplace_default = inplace("aten::log10_(Tensor(a!) self) -> Tensor(a!)", log10_default);
constinit const OpDef log1p_default =
    pointwise("aten::log1p(Tensor self) -> Tensor", types_float, unary<ScalarOp::log1p>);
constinit const OpDef log1p_inplace_default = inplace("aten::log1p_(Tensor(a!) self) -> Tensor(a!)", log1p_default);
constinit const OpDef sin_default = pointwise("aten::sin(Tensor self) -> Tensor", types_float, unary<ScalarOp::sin>);
constinit const OpDef sin_inplace_default = inplace("aten::sin_(Tensor(a!) self) -> Tensor(a!)", sin_default);
constinit const OpDef cos_default = pointwise("aten::cos(Tensor self) -> Tensor", types_float, unary<ScalarOp::cos>);
constinit const OpDef cos_inplace_default = inplace("aten::cos_(Tensor(a!) self) -> Tensor(a!)", cos_default);
constinit const OpDef tan_default = pointwise("aten::tan(Tensor self) -> Tensor", types_float, unary<ScalarOp::tan>);
constinit const OpDef tan_inplace_default = inplace("aten::tan_(Tensor(a!) self) -> Tensor(a!)", tan_default);
constinit const OpDef asin_default = pointwise("aten::asin(Tensor self) -> Tensor", types_float, unary<ScalarOp::asin>);
constinit const OpDef asin_inplace_default = inplace("aten::asin_(Tensor(a!) self) -> Tensor(a!)", asin_default);
constinit const OpDef acos_default = pointwise("aten::acos(Tensor self) -> Tensor", types_float, unary<ScalarOp::acos>);
constinit const OpDef acos_inplace_default = inplace("aten::acos_(Tensor(a!) self) -> Tensor(a!)", acos_default);
constinit const OpDef atan_default = pointwise("aten::atan(Tensor self) -> Tensor", types_float, unary<ScalarOp::atan>);
constinit const OpDef atan_inplace_default = inplace("aten::atan_(Tensor(a!) self) -> Tensor(a!)", atan_default);
constinit const OpDef sinh_default = pointwise("aten::sinh(Tensor self) -> Tensor", types_float, unary<ScalarOp::sinh>);
constinit const OpDef sinh_inplace_default = inplace("aten::sinh_(Tensor(a!) self) -> Tensor(a!)", sinh_default);
constinit const OpDef cosh_default = pointwise("aten::cosh(Tensor self) -> Tensor", types_float, unary<ScalarOp::cosh>);
constinit const OpDef cosh_inplace_default = inplace("aten::cosh_(Tensor(a!) self) -> Tensor(a!)", cosh_default);
constinit const OpDef tanh_default = pointwise("aten::tanh(Tensor self) -> Tensor", types_float, unary<ScalarOp::tanh>);
constinit const OpDef tanh_inplace_default = inplace("aten::tanh_(Tensor(a!) self) -> Tensor(a!)", tanh_default);
constinit const OpDef asinh_default =
    pointwise("aten::asinh(Tensor self) -> Tensor", types_float, unary<ScalarOp::asinh>);
constinit const OpDef asinh_inplace_default = inplace("aten::asinh_(Tensor(a!) self) -> Tensor(a!)", asinh_default);
constinit const OpDef acosh_default =
    pointwise("aten::acosh(Tensor self) -> Tensor", types_float, unary<ScalarOp::acosh>);
constinit const OpDef acosh_inplace_default = inplace("aten::acosh_(Tensor(a!) self) -> Tensor(a!)", acosh_default);
constinit const OpDef atanh_default =
    pointwise("aten::atanh(Tensor self) -> Tensor", types_float, unary<ScalarOp::atanh>);
constinit const OpDef atanh_inplace_default = inplace("aten::atanh_(Tensor(a!) self) -> Tensor(a!)", atanh_default);
constinit const OpDef erf_default = pointwise("aten::erf(Tensor self) -> Tensor", types_float, unary<ScalarOp::erf>);
constinit const OpDef erf_inplace_default = inplace("aten::erf_(Tensor(a!) self) -> Tensor(a!)", erf_default);
constinit const OpDef atan2_default =
    pointwise("aten::atan2(Tensor self, Tensor other) -> Tensor", types_float, binary<ScalarOp::atan2>);
constinit const OpDef atan2_inplace_default =
    inplace("aten::atan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)", atan2_default);
constinit const OpDef hypot_default =
    pointwise("aten::hypot(Tensor self, Tensor other) -> Tensor", types_floating_only, binary<ScalarOp::hypot>);
constinit const OpDef hypot_inplace_default =
    inplace("aten::hypot_(Tensor(a!) self, Tensor other) -> Tensor(a!)", hypot_default);
constinit const OpDef deg2rad_default = pointwise("aten::deg2rad(Tensor self) -> Tensor", types_float, deg2rad_formula);
constinit const OpDef deg2rad_inplace_default =
    inplace("aten::deg2rad_(Tensor(a!) self) -> Tensor(a!)", deg2rad_default);
constinit const OpDef rad2deg_default = pointwise("aten::rad2deg(Tensor self) -> Tensor", types_float, rad2deg_formula);
constinit const OpDef rad2deg_inplace_default =
    inplace("aten::rad2deg_(Tensor(a!) self) -> Tensor(a!)", rad2deg_default);

}  // namespace op_defs

Tensor exp(const Tensor& x, Here here) { return apply_one(op_defs::exp_default, {x}, here); }
Tensor log(const Tensor& x, Here here) { return apply_one(op_defs::log_default, {x}, here); }
Tensor sqrt(const Tensor& x, Here here) { return apply_one(op_defs::sqrt_default, {x}, here); }
Tensor rsqrt(const Tensor& x, Here here) { return apply_one(op_defs::rsqrt_default, {x}, here); }
Tensor sin(const Tensor& x, Here here) { return apply_one(op_defs::sin_default, {x}, here); }
Tensor cos(const Tensor& x, Here here) { return apply_one(op_defs::cos_default, {x}, here); }
Tensor tanh(const Tensor& x, Here here) { return apply_one(op_defs::tanh_default, {x}, here); }
Tensor erf(const Tensor& x, Here here) { return apply_one(op_defs::erf_default, {x}, here); }
Tensor exp2(const Tensor& x, Here here) { return apply_one(op_defs::exp2_default, {x}, here); }
Tensor expm1(const Tensor& x, Here here) { return apply_one(op_defs::expm1_default, {x}, here); }
Tensor log2(const Tensor& x, Here here) { return apply_one(op_defs::log2_default, {x}, here); }
Tensor log10(const Tensor& x, Here here) { return apply_one(op_defs::log10_default, {x}, here); }
Tensor log1p(const Tensor& x, Here here) { return apply_one(op_defs::log1p_default, {x}, here); }
Tensor tan(const Tensor& x, Here here) { return apply_one(op_defs::tan_default, {x}, here); }
Tensor asin(const Tensor& x, Here here) { return apply_one(op_defs::asin_default, {x}, here); }
Tensor acos(const Tensor& x, Here here) { return apply_one(op_defs::acos_default, {x}, here); }
Tensor atan(const Tensor& x, Here here) { return apply_one(op_defs::atan_default, {x}, here); }
Tensor sinh(const Tensor& x, Here here) { return apply_one(op_defs::sinh_default, {x}, here); }
Tensor cosh(const Tensor& x, Here here) { return apply_one(op_defs::cosh_default, {x}, here); }
Tensor asinh(const Tensor& x, Here here) { return apply_one(op_defs::asinh_default, {x}, here); }
Tensor acosh(const Tensor& x, Here here) { return apply_one(op_defs::acosh_default, {x}, here); }
Tensor atanh(const Tensor& x, Here here) { return apply_one(op_defs::atanh_default, {x}, here); }
Tensor deg2rad(const Tensor& x, Here here) { return apply_one(op_defs::deg2rad_default, {x}, here); }
Tensor rad2deg(const Tensor& x, Here here) { return apply_one(op_defs::rad2deg_default, {x}, here); }
Tensor atan2(const Tensor& y, const Tensor& x, Here here) { return apply_one(op_defs::atan2_default, {y, x}, here); }
Tensor hypot(const Tensor& x, const Tensor& y, Here here) { return apply_one(op_defs::hypot_default, {x, y}, here); }

}  // namespace sinter
