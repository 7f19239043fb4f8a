// Exponential, logarithm, roots, trigonometric functions, erf: bools and integers give the default floating type.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/transcendental.h>

namespace sinter {

namespace {

ScalarExpr rsqrt_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return s.constant(1.0, x[0].dtype()) / sqrt(x[0]);
}

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
constinit const OpDef sin_default = pointwise("aten::sin(Tensor self) -> Tensor", types_float, unary<ScalarOp::sin>);
constinit const OpDef sin_inplace_default = inplace("aten::sin_(Tensor(a!) self) -> Tensor(a!)", sin_default);
constinit const OpDef cos_default = pointwise("aten::cos(Tensor self) -> Tensor", types_float, unary<ScalarOp::cos>);
constinit const OpDef cos_inplace_default = inplace("aten::cos_(Tensor(a!) self) -> Tensor(a!)", cos_default);
constinit const OpDef tanh_default = pointwise("aten::tanh(Tensor self) -> Tensor", types_float, unary<ScalarOp::tanh>);
constinit const OpDef tanh_inplace_default = inplace("aten::tanh_(Tensor(a!) self) -> Tensor(a!)", tanh_default);
constinit const OpDef erf_default = pointwise("aten::erf(Tensor self) -> Tensor", types_float, unary<ScalarOp::erf>);
constinit const OpDef erf_inplace_default = inplace("aten::erf_(Tensor(a!) self) -> Tensor(a!)", erf_default);
constinit const OpDef exp2_default = pointwise("aten::exp2(Tensor self) -> Tensor", types_float, unary<ScalarOp::exp2>);
constinit const OpDef exp2_inplace_default = inplace("aten::exp2_(Tensor(a!) self) -> Tensor(a!)", exp2_default);
constinit const OpDef expm1_default =
    pointwise("aten::expm1(Tensor self) -> Tensor", types_float, unary<ScalarOp::expm1>);
constinit const OpDef expm1_inplace_default = inplace("aten::expm1_(Tensor(a!) self) -> Tensor(a!)", expm1_default);
constinit const OpDef sinh_default = pointwise("aten::sinh(Tensor self) -> Tensor", types_float, unary<ScalarOp::sinh>);
constinit const OpDef sinh_inplace_default = inplace("aten::sinh_(Tensor(a!) self) -> Tensor(a!)", sinh_default);
constinit const OpDef cosh_default = pointwise("aten::cosh(Tensor self) -> Tensor", types_float, unary<ScalarOp::cosh>);
constinit const OpDef cosh_inplace_default = inplace("aten::cosh_(Tensor(a!) self) -> Tensor(a!)", cosh_default);

}  // namespace op_defs

Tensor exp(const Tensor& x, Here here) { return apply_one(op_defs::exp_default, {x}, here); }
Tensor log(const Tensor& x, Here here) { return apply_one(op_defs::log_default, {x}, here); }
Tensor sqrt(const Tensor& x, Here here) { return apply_one(op_defs::sqrt_default, {x}, here); }
Tensor rsqrt(const Tensor& x, Here here) { return apply_one(op_defs::rsqrt_default, {x}, here); }
Tensor sin(const Tensor& x, Here here) { return apply_one(op_defs::sin_default, {x}, here); }
Tensor cos(const Tensor& x, Here here) { return apply_one(op_defs::cos_default, {x}, here); }
Tensor tanh(const Tensor& x, Here here) { return apply_one(op_defs::tanh_default, {x}, here); }
Tensor erf(const Tensor& x, Here here) { return apply_one(op_defs::erf_default, {x}, here); }

}  // namespace sinter
