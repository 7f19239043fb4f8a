// Second names of ops: each calls the op of the first name, which alone is recorded.

#include <sinter/graph/ops/activation.h>
#include <sinter/graph/ops/aliases.h>
#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/choice.h>
#include <sinter/graph/ops/compare.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/division.h>
#include <sinter/graph/ops/integer.h>
#include <sinter/graph/ops/logarithmic.h>
#include <sinter/graph/ops/logic.h>
#include <sinter/graph/ops/rounding.h>
#include <sinter/graph/ops/transcendental.h>

namespace sinter {

namespace op_defs {

constinit const OpDef arccos_default = alias<acos_default>("aten::arccos(Tensor self) -> Tensor");
constinit const OpDef arccos_inplace_default =
    alias<acos_inplace_default>("aten::arccos_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef arccosh_default = alias<acosh_default>("aten::arccosh(Tensor self) -> Tensor");
constinit const OpDef arccosh_inplace_default =
    alias<acosh_inplace_default>("aten::arccosh_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef arcsin_default = alias<asin_default>("aten::arcsin(Tensor self) -> Tensor");
constinit const OpDef arcsin_inplace_default =
    alias<asin_inplace_default>("aten::arcsin_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef arcsinh_default = alias<asinh_default>("aten::arcsinh(Tensor self) -> Tensor");
constinit const OpDef arcsinh_inplace_default =
    alias<asinh_inplace_default>("aten::arcsinh_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef arctan_default = alias<atan_default>("aten::arctan(Tensor self) -> Tensor");
constinit const OpDef arctan_inplace_default =
    alias<atan_inplace_default>("aten::arctan_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef arctanh_default = alias<atanh_default>("aten::arctanh(Tensor self) -> Tensor");
constinit const OpDef arctanh_inplace_default =
    alias<atanh_inplace_default>("aten::arctanh_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef absolute_default = alias<abs_default>("aten::absolute(Tensor self) -> Tensor");
constinit const OpDef absolute_inplace_default =
    alias<abs_inplace_default>("aten::absolute_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef negative_default = alias<neg_default>("aten::negative(Tensor self) -> Tensor");
constinit const OpDef negative_inplace_default =
    alias<neg_inplace_default>("aten::negative_(Tensor(a!) self) -> Tensor(a!)");
// No tensor has a negative bit or a conjugate bit here: what both give back is their argument.
constinit const OpDef resolve_neg_default =
    composite("aten::resolve_neg(Tensor(a) self) -> Tensor(a)", [](const OpArgs& args) -> Values { return {args[0]}; });
constinit const OpDef resolve_conj_default = composite("aten::resolve_conj(Tensor(a) self) -> Tensor(a)",
                                                       [](const OpArgs& args) -> Values { return {args[0]}; });
constinit const OpDef fix_default = alias<trunc_default>("aten::fix(Tensor self) -> Tensor");
constinit const OpDef fix_inplace_default = alias<trunc_inplace_default>("aten::fix_(Tensor(a!) self) -> Tensor(a!)");
constinit const OpDef arctan2_default = alias<atan2_default>("aten::arctan2(Tensor self, Tensor other) -> Tensor");
constinit const OpDef arctan2_inplace_default =
    alias<atan2_inplace_default>("aten::arctan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef subtract_tensor =
    alias<sub_tensor>("aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
constinit const OpDef subtract_inplace_tensor =
    alias<sub_inplace_tensor>("aten::subtract_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
constinit const OpDef subtract_scalar =
    alias<sub_scalar>("aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
constinit const OpDef subtract_inplace_scalar =
    alias<sub_inplace_scalar>("aten::subtract_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)");
constinit const OpDef multiply_tensor = alias<mul_tensor>("aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef multiply_inplace_tensor =
    alias<mul_inplace_tensor>("aten::multiply_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef multiply_scalar = alias<mul_scalar>("aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef multiply_inplace_scalar =
    alias<mul_inplace_scalar>("aten::multiply_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef divide_tensor = alias<div_tensor>("aten::divide.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef divide_inplace_tensor =
    alias<div_inplace_tensor>("aten::divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef divide_scalar = alias<div_scalar>("aten::divide.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef divide_inplace_scalar =
    alias<div_inplace_scalar>("aten::divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef divide_tensor_mode =
    alias<div_tensor_mode>("aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor");
constinit const OpDef divide_inplace_tensor_mode = alias<div_inplace_tensor_mode>(
    "aten::divide_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)");
constinit const OpDef divide_scalar_mode =
    alias<div_scalar_mode>("aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor");
constinit const OpDef divide_inplace_scalar_mode = alias<div_inplace_scalar_mode>(
    "aten::divide_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)");
constinit const OpDef true_divide_scalar =
    alias<div_scalar>("aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef true_divide_inplace_scalar =
    alias<div_inplace_scalar>("aten::true_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef greater_tensor = alias<gt_tensor>("aten::greater.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef greater_inplace_tensor =
    alias<gt_inplace_tensor>("aten::greater_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef greater_scalar = alias<gt_scalar>("aten::greater.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef greater_inplace_scalar =
    alias<gt_inplace_scalar>("aten::greater_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef greater_equal_tensor =
    alias<ge_tensor>("aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef greater_equal_inplace_tensor =
    alias<ge_inplace_tensor>("aten::greater_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef greater_equal_scalar =
    alias<ge_scalar>("aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef greater_equal_inplace_scalar =
    alias<ge_inplace_scalar>("aten::greater_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef less_tensor = alias<lt_tensor>("aten::less.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef less_inplace_tensor =
    alias<lt_inplace_tensor>("aten::less_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef less_scalar = alias<lt_scalar>("aten::less.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef less_inplace_scalar =
    alias<lt_inplace_scalar>("aten::less_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef less_equal_tensor =
    alias<le_tensor>("aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef less_equal_inplace_tensor =
    alias<le_inplace_tensor>("aten::less_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef less_equal_scalar =
    alias<le_scalar>("aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef less_equal_inplace_scalar =
    alias<le_inplace_scalar>("aten::less_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef not_equal_tensor =
    alias<ne_tensor>("aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef not_equal_inplace_tensor =
    alias<ne_inplace_tensor>("aten::not_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef not_equal_scalar =
    alias<ne_scalar>("aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef not_equal_inplace_scalar =
    alias<ne_inplace_scalar>("aten::not_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef clip_default =
    alias<clamp_default>("aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor");
constinit const OpDef clip_inplace_default =
    alias<clamp_inplace_default>("aten::clip_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)");
constinit const OpDef clip_tensor =
    alias<clamp_tensor>("aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor");
constinit const OpDef clip_inplace_tensor = alias<clamp_inplace_tensor>(
    "aten::clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)");
constinit const OpDef operator_and_tensor =
    alias<bitwise_and_tensor>("aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef operator_iand_tensor =
    alias<bitwise_and_inplace_tensor>("aten::__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef operator_and_scalar =
    alias<bitwise_and_scalar>("aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef operator_iand_scalar =
    alias<bitwise_and_inplace_scalar>("aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef operator_or_tensor =
    alias<bitwise_or_tensor>("aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef operator_ior_tensor =
    alias<bitwise_or_inplace_tensor>("aten::__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef operator_or_scalar =
    alias<bitwise_or_scalar>("aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef operator_ior_scalar =
    alias<bitwise_or_inplace_scalar>("aten::__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef operator_xor_tensor =
    alias<bitwise_xor_tensor>("aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef operator_ixor_tensor =
    alias<bitwise_xor_inplace_tensor>("aten::__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef operator_xor_scalar =
    alias<bitwise_xor_scalar>("aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef operator_ixor_scalar =
    alias<bitwise_xor_inplace_scalar>("aten::__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef operator_lshift_tensor =
    alias<bitwise_left_shift_tensor>("aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef operator_ilshift_tensor =
    alias<bitwise_left_shift_inplace_tensor>("aten::__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef operator_lshift_scalar =
    alias<bitwise_left_shift_tensor_scalar>("aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef operator_ilshift_scalar = alias<bitwise_left_shift_inplace_tensor_scalar>(
    "aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef operator_rshift_tensor =
    alias<bitwise_right_shift_tensor>("aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor");
constinit const OpDef operator_irshift_tensor =
    alias<bitwise_right_shift_inplace_tensor>("aten::__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
constinit const OpDef operator_rshift_scalar =
    alias<bitwise_right_shift_tensor_scalar>("aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef operator_irshift_scalar = alias<bitwise_right_shift_inplace_tensor_scalar>(
    "aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
constinit const OpDef special_exp2_default = alias<exp2_default>("aten::special_exp2(Tensor self) -> Tensor");
constinit const OpDef special_expm1_default = alias<expm1_default>("aten::special_expm1(Tensor self) -> Tensor");
constinit const OpDef special_log1p_default = alias<log1p_default>("aten::special_log1p(Tensor self) -> Tensor");
constinit const OpDef special_logit_default =
    alias<logit_default>("aten::special_logit(Tensor self, float? eps=None) -> Tensor");
constinit const OpDef special_expit_default = alias<sigmoid_default>("aten::special_expit(Tensor self) -> Tensor");
constinit const OpDef special_round_default =
    alias<round_decimals>("aten::special_round(Tensor self, *, int decimals=0) -> Tensor");
constinit const OpDef special_xlogy_default =
    alias<xlogy_tensor>("aten::special_xlogy(Tensor self, Tensor other) -> Tensor");
constinit const OpDef special_xlogy_other_scalar =
    alias<xlogy_scalar_other>("aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor");
constinit const OpDef special_xlogy_self_scalar =
    alias<xlogy_scalar_self>("aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor");
constinit const OpDef bitwise_and_scalar_tensor =
    alias<bitwise_and_tensor>("aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor");
constinit const OpDef bitwise_or_scalar_tensor =
    alias<bitwise_or_tensor>("aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor");
constinit const OpDef bitwise_xor_scalar_tensor =
    alias<bitwise_xor_tensor>("aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor");
constinit const OpDef where_scalarother =
    alias<where_self>("aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor");
constinit const OpDef where_scalarself =
    alias<where_self>("aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor");
constinit const OpDef where_scalar =
    alias<where_self>("aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor");

}  // namespace op_defs

}  // namespace sinter
