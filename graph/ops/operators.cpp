// The operators of the language on tensors and numbers.

#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/compare.h>
#include <sinter/graph/ops/division.h>
#include <sinter/graph/ops/integer.h>
#include <sinter/graph/ops/logic.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

Here place_of(const Operand& a, const Operand& b) { return a.is_number ? b.here : a.here; }

// tensor op tensor, tensor op number, or number op tensor by the op that takes the operands the other way round.
Tensor call(const OpDef& on_tensors, const OpDef& with_number, const OpDef& turned, const Operand& a,
            const Operand& b) {
  Here here = place_of(a, b);
  if (a.is_number) return apply_one(turned, {b.tensor, a.number}, here);
  if (b.is_number) return apply_one(with_number, {a.tensor, b.number}, here);
  return apply_one(on_tensors, {a.tensor, b.tensor}, here);
}

// The same with an op of its own for a number on the left.
Tensor call_in_order(const OpDef& on_tensors, const OpDef& with_number, const OpDef& of_number, const Operand& a,
                     const Operand& b) {
  if (a.is_number) return apply_one(of_number, {a.number, b.tensor}, b.here);
  return call(on_tensors, with_number, of_number, a, b);
}

// Writes tensor op tensor or tensor op number into the first tensor.
const Tensor& write(const OpDef& on_tensors, const OpDef& with_number, const Tensor& a, const Operand& b) {
  if (b.is_number)
    apply_one(with_number, {a, b.number}, b.here);
  else
    apply_one(on_tensors, {a, b.tensor}, b.here);
  return a;
}

}  // namespace

namespace d = op_defs;

Tensor operator+(const Operand& a, const Operand& b) { return call(d::add_tensor, d::add_scalar, d::add_scalar, a, b); }
Tensor operator-(const Operand& a, const Operand& b) {
  return call(d::sub_tensor, d::sub_scalar, d::rsub_scalar, a, b);
}
Tensor operator*(const Operand& a, const Operand& b) { return call(d::mul_tensor, d::mul_scalar, d::mul_scalar, a, b); }

Tensor operator/(const Operand& a, const Operand& b) {
  Here here = place_of(a, b);
  // ATen has no division of a number: it is the reciprocal times the number.
  if (a.is_number)
    return apply_one(d::mul_scalar, {apply_one(d::reciprocal_default, {b.tensor}, here), a.number}, here);
  return call(d::div_tensor, d::div_scalar, d::div_scalar, a, b);
}

Tensor operator&(const Operand& a, const Operand& b) {
  return call(d::bitwise_and_tensor, d::bitwise_and_scalar, d::bitwise_and_scalar, a, b);
}
Tensor operator|(const Operand& a, const Operand& b) {
  return call(d::bitwise_or_tensor, d::bitwise_or_scalar, d::bitwise_or_scalar, a, b);
}
Tensor operator^(const Operand& a, const Operand& b) {
  return call(d::bitwise_xor_tensor, d::bitwise_xor_scalar, d::bitwise_xor_scalar, a, b);
}
Tensor operator==(const Operand& a, const Operand& b) { return call(d::eq_tensor, d::eq_scalar, d::eq_scalar, a, b); }
Tensor operator!=(const Operand& a, const Operand& b) { return call(d::ne_tensor, d::ne_scalar, d::ne_scalar, a, b); }
Tensor operator<(const Operand& a, const Operand& b) { return call(d::lt_tensor, d::lt_scalar, d::gt_scalar, a, b); }
Tensor operator<=(const Operand& a, const Operand& b) { return call(d::le_tensor, d::le_scalar, d::ge_scalar, a, b); }
Tensor operator>(const Operand& a, const Operand& b) { return call(d::gt_tensor, d::gt_scalar, d::lt_scalar, a, b); }
Tensor operator>=(const Operand& a, const Operand& b) { return call(d::ge_tensor, d::ge_scalar, d::le_scalar, a, b); }
Tensor operator-(const TensorOperand& x) { return apply_one(d::neg_default, {x.tensor}, x.here); }
Tensor operator~(const TensorOperand& x) { return apply_one(d::bitwise_not_default, {x.tensor}, x.here); }

const Tensor& operator+=(const Tensor& a, const Operand& b) {
  return write(d::add_inplace_tensor, d::add_inplace_scalar, a, b);
}
const Tensor& operator-=(const Tensor& a, const Operand& b) {
  return write(d::sub_inplace_tensor, d::sub_inplace_scalar, a, b);
}
const Tensor& operator*=(const Tensor& a, const Operand& b) {
  return write(d::mul_inplace_tensor, d::mul_inplace_scalar, a, b);
}
const Tensor& operator/=(const Tensor& a, const Operand& b) {
  return write(d::div_inplace_tensor, d::div_inplace_scalar, a, b);
}
const Tensor& operator&=(const Tensor& a, const Operand& b) {
  return write(d::bitwise_and_inplace_tensor, d::bitwise_and_inplace_scalar, a, b);
}
const Tensor& operator|=(const Tensor& a, const Operand& b) {
  return write(d::bitwise_or_inplace_tensor, d::bitwise_or_inplace_scalar, a, b);
}
const Tensor& operator^=(const Tensor& a, const Operand& b) {
  return write(d::bitwise_xor_inplace_tensor, d::bitwise_xor_inplace_scalar, a, b);
}
Tensor operator%(const Operand& a, const Operand& b) {
  return call_in_order(d::remainder_tensor, d::remainder_scalar, d::remainder_scalar_tensor, a, b);
}
Tensor operator<<(const Operand& a, const Operand& b) {
  return call_in_order(d::bitwise_left_shift_tensor, d::bitwise_left_shift_tensor_scalar,
                       d::bitwise_left_shift_scalar_tensor, a, b);
}
Tensor operator>>(const Operand& a, const Operand& b) {
  return call_in_order(d::bitwise_right_shift_tensor, d::bitwise_right_shift_tensor_scalar,
                       d::bitwise_right_shift_scalar_tensor, a, b);
}

}  // namespace sinter
