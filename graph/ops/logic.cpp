// Logical ops, on whether elements are nonzero, and bitwise ops on integers and bools.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/logic.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

// The truth of the operands after they have come to one type, as in ATen: 256 beside u8 elements is 0.
template <ScalarOp op>
ScalarExpr logical(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return s.apply(op, {is_nonzero(x[0]), is_nonzero(x[1])});
}

ScalarExpr logical_not_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return ~is_nonzero(x[0]); }

}  // namespace

namespace op_defs {

constinit const OpDef logical_and_default =
    pointwise("aten::logical_and(Tensor self, Tensor other) -> Tensor", types_compare, logical<ScalarOp::bit_and>);
constinit const OpDef logical_and_inplace_default =
    inplace("aten::logical_and_(Tensor(a!) self, Tensor other) -> Tensor(a!)", logical_and_default);

constinit const OpDef logical_or_default =
    pointwise("aten::logical_or(Tensor self, Tensor other) -> Tensor", types_compare, logical<ScalarOp::bit_or>);
constinit const OpDef logical_or_inplace_default =
    inplace("aten::logical_or_(Tensor(a!) self, Tensor other) -> Tensor(a!)", logical_or_default);

constinit const OpDef logical_xor_default =
    pointwise("aten::logical_xor(Tensor self, Tensor other) -> Tensor", types_compare, logical<ScalarOp::bit_xor>);
constinit const OpDef logical_xor_inplace_default =
    inplace("aten::logical_xor_(Tensor(a!) self, Tensor other) -> Tensor(a!)", logical_xor_default);

constinit const OpDef logical_not_default =
    pointwise("aten::logical_not(Tensor self) -> Tensor", types_compare, logical_not_formula);
constinit const OpDef logical_not_inplace_default =
    inplace("aten::logical_not_(Tensor(a!) self) -> Tensor(a!)", logical_not_default);

constinit const OpDef bitwise_and_tensor = pointwise("aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor",
                                                     types_integral_only, binary<ScalarOp::bit_and>);
constinit const OpDef bitwise_and_scalar = pointwise("aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor",
                                                     types_integral_only, binary_with_number<ScalarOp::bit_and>);
constinit const OpDef bitwise_and_inplace_tensor =
    inplace("aten::bitwise_and_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", bitwise_and_tensor);
constinit const OpDef bitwise_and_inplace_scalar =
    inplace("aten::bitwise_and_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", bitwise_and_scalar);

constinit const OpDef bitwise_or_tensor = pointwise("aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor",
                                                    types_integral_only, binary<ScalarOp::bit_or>);
constinit const OpDef bitwise_or_scalar = pointwise("aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor",
                                                    types_integral_only, binary_with_number<ScalarOp::bit_or>);
constinit const OpDef bitwise_or_inplace_tensor =
    inplace("aten::bitwise_or_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", bitwise_or_tensor);
constinit const OpDef bitwise_or_inplace_scalar =
    inplace("aten::bitwise_or_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", bitwise_or_scalar);

constinit const OpDef bitwise_xor_tensor = pointwise("aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor",
                                                     types_integral_only, binary<ScalarOp::bit_xor>);
constinit const OpDef bitwise_xor_scalar = pointwise("aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor",
                                                     types_integral_only, binary_with_number<ScalarOp::bit_xor>);
constinit const OpDef bitwise_xor_inplace_tensor =
    inplace("aten::bitwise_xor_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", bitwise_xor_tensor);
constinit const OpDef bitwise_xor_inplace_scalar =
    inplace("aten::bitwise_xor_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", bitwise_xor_scalar);

constinit const OpDef bitwise_not_default =
    pointwise("aten::bitwise_not(Tensor self) -> Tensor", types_integral_only, unary<ScalarOp::bit_not>);
constinit const OpDef bitwise_not_inplace_default =
    inplace("aten::bitwise_not_(Tensor(a!) self) -> Tensor(a!)", bitwise_not_default);

}  // namespace op_defs

Tensor logical_and(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::logical_and_default, {a, b}, here);
}
Tensor logical_or(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::logical_or_default, {a, b}, here);
}
Tensor logical_xor(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::logical_xor_default, {a, b}, here);
}
Tensor bitwise_and(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::bitwise_and_tensor, {a, b}, here);
}
Tensor bitwise_and(const Tensor& a, Scalar b, Here here) {
  return apply_one(op_defs::bitwise_and_scalar, {a, b}, here);
}
Tensor bitwise_or(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::bitwise_or_tensor, {a, b}, here);
}
Tensor bitwise_or(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::bitwise_or_scalar, {a, b}, here); }
Tensor bitwise_xor(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::bitwise_xor_tensor, {a, b}, here);
}
Tensor bitwise_xor(const Tensor& a, Scalar b, Here here) {
  return apply_one(op_defs::bitwise_xor_scalar, {a, b}, here);
}
Tensor logical_not(const Tensor& x, Here here) { return apply_one(op_defs::logical_not_default, {x}, here); }
Tensor bitwise_not(const Tensor& x, Here here) { return apply_one(op_defs::bitwise_not_default, {x}, here); }

}  // namespace sinter
