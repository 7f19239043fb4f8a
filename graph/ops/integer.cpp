// Ops of integers alone: shifts (by the width or more: 0, or the sign), greatest common divisor, least common multiple.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/integer.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

PointwiseTypes types_integer(const OpArgs& args) {
  PointwiseTypes types = types_integral_only(args);
  if (types.result == DType::boolean) fail_for_type(args, types.result);
  return types;
}

template <ScalarOp op>
ScalarExpr number_shifted(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return s.apply(op, {number_in(s, args.scalar("self"), common_type(args)), x[0]});
}

// Narrow integers are multiplied in i32, as C does. A division by the divisor of two zeros gives 0.
ScalarExpr lcm_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  DType wide = byte_size(x[0].dtype()) < 4 ? DType::i32 : x[0].dtype();
  ScalarExpr divisor = s.apply(ScalarOp::gcd, {x[0], x[1]});
  return abs(div_trunc(s.convert(x[0], wide), s.convert(divisor, wide)) * s.convert(x[1], wide));
}

}  // namespace

namespace op_defs {

constinit const OpDef bitwise_left_shift_tensor =
    pointwise("aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", types_integer,
              binary<ScalarOp::shift_left>);
constinit const OpDef bitwise_left_shift_tensor_scalar =
    pointwise("aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", types_integer,
              binary_with_number<ScalarOp::shift_left>);
constinit const OpDef bitwise_left_shift_scalar_tensor =
    pointwise("aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", types_integer,
              number_shifted<ScalarOp::shift_left>);
constinit const OpDef bitwise_left_shift_inplace_tensor =
    inplace("aten::bitwise_left_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", bitwise_left_shift_tensor);
constinit const OpDef bitwise_left_shift_inplace_tensor_scalar =
    inplace("aten::bitwise_left_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
            bitwise_left_shift_tensor_scalar);

constinit const OpDef bitwise_right_shift_tensor =
    pointwise("aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", types_integer,
              binary<ScalarOp::shift_right>);
constinit const OpDef bitwise_right_shift_tensor_scalar =
    pointwise("aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", types_integer,
              binary_with_number<ScalarOp::shift_right>);
constinit const OpDef bitwise_right_shift_scalar_tensor =
    pointwise("aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", types_integer,
              number_shifted<ScalarOp::shift_right>);
constinit const OpDef bitwise_right_shift_inplace_tensor = inplace(
    "aten::bitwise_right_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", bitwise_right_shift_tensor);
constinit const OpDef bitwise_right_shift_inplace_tensor_scalar =
    inplace("aten::bitwise_right_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
            bitwise_right_shift_tensor_scalar);

constinit const OpDef gcd_default =
    pointwise("aten::gcd(Tensor self, Tensor other) -> Tensor", types_integer, binary<ScalarOp::gcd>);
constinit const OpDef gcd_inplace_default =
    inplace("aten::gcd_(Tensor(a!) self, Tensor other) -> Tensor(a!)", gcd_default);
constinit const OpDef lcm_default =
    pointwise("aten::lcm(Tensor self, Tensor other) -> Tensor", types_integer, lcm_formula);
constinit const OpDef lcm_inplace_default =
    inplace("aten::lcm_(Tensor(a!) self, Tensor other) -> Tensor(a!)", lcm_default);

}  // namespace op_defs

Tensor bitwise_left_shift(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::bitwise_left_shift_tensor, {a, b}, here);
}
Tensor bitwise_left_shift(const Tensor& a, Scalar b, Here here) {
  return apply_one(op_defs::bitwise_left_shift_tensor_scalar, {a, b}, here);
}
Tensor bitwise_right_shift(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::bitwise_right_shift_tensor, {a, b}, here);
}
Tensor bitwise_right_shift(const Tensor& a, Scalar b, Here here) {
  return apply_one(op_defs::bitwise_right_shift_tensor_scalar, {a, b}, here);
}
Tensor gcd(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::gcd_default, {a, b}, here); }
Tensor lcm(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::lcm_default, {a, b}, here); }

}  // namespace sinter
