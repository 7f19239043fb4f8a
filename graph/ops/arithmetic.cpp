// add, sub, mul, div and what is near them: neg, abs, reciprocal, square.

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/plain_number.h>

namespace sinter {

namespace {

void check_alpha(const OpArgs& args, DType result) {
  Scalar alpha = args.scalar("alpha");
  if (alpha.is_boolean() && result != DType::boolean)
    args.fail(ErrorKind::argument, fmt::format("a bool alpha needs a bool result, this one is {}", name(result)));
  if (alpha.is_floating() && !is_floating(result))
    args.fail(ErrorKind::argument, fmt::format("alpha {} is a float, the result is {}", to_string(alpha), name(result)),
              "need an integer alpha for integer tensors");
  if (!is_floating(result)) check_fills(args, alpha, result);
}

PointwiseTypes types_add(const OpArgs& args) {
  PointwiseTypes types = types_arithmetic(args);
  check_alpha(args, types.result);
  return types;
}

// A bool is no number to subtract.
PointwiseTypes types_sub(const OpArgs& args) {
  for (int slot : args.tensor_slots())
    if (args.typed(slot).dtype == DType::boolean) fail_for_type(args, DType::boolean);
  const Value& other = args[1];
  if (other.is_scalar() && other.scalar().is_boolean()) fail_for_type(args, DType::boolean);
  return types_add(args);
}

PointwiseTypes types_neg(const OpArgs& args) {
  if (args.meta(0).dtype == DType::boolean)
    args.fail(ErrorKind::dtype, "is not implemented for bool", "use logical_not or bitwise_not for bool tensors");
  return types_common(args);
}

// The second operand: a tensor, or the number `other`.
ScalarExpr other_of(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return x.size() > 1 ? x[1] : s.constant(args.scalar("other"), x[0].dtype());
}

ScalarExpr times_alpha(ScalarBuilder& s, const OpArgs& args, ScalarExpr x) {
  Scalar alpha = args.scalar("alpha");
  if (!is_plain(alpha)) return x.dtype() == DType::boolean ? x & alpha : x * alpha;
  if (x.dtype() == DType::boolean) return alpha.to_bool() ? x : s.constant(false, DType::boolean);
  return alpha.to_double() == 1.0 ? x : x * alpha;
}

ScalarExpr add_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr other = times_alpha(s, args, other_of(s, args, x));
  return other.dtype() == DType::boolean ? (x[0] | other) : x[0] + other;
}

ScalarExpr sub_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return x[0] - times_alpha(s, args, other_of(s, args, x));
}

ScalarExpr rsub_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return other_of(s, args, x) - times_alpha(s, args, x[0]);
}

// The result lies as that of other - self does.
Metas rsub_meta(const OpArgs& args) {
  TensorMeta meta = pointwise_meta(args, types_sub(args).result);
  Layout self = args.meta(0).layout, other = args.meta(1).layout;
  const Layout* in_order[] = {&other, &self};
  meta.layout.strides = pointwise_strides(meta.layout.sizes, in_order);
  return {meta};
}

ScalarExpr mul_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr other = other_of(s, args, x);
  return other.dtype() == DType::boolean ? (x[0] & other) : x[0] * other;
}

ScalarExpr div_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) { return x[0] / other_of(s, args, x); }

ScalarExpr reciprocal_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return s.constant(1.0, x[0].dtype()) / x[0];
}

// As pow(x, 2): a bool gives i64.
PointwiseTypes types_square(const OpArgs& args) {
  PointwiseTypes types = types_common(args);
  if (types.result == DType::boolean) types.inputs[0] = types.result = DType::i64;
  return types;
}

ScalarExpr square_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0] * x[0]; }

}  // namespace

namespace op_defs {

constinit const OpDef add_tensor =
    pointwise("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", types_add, add_formula);
constinit const OpDef add_scalar =
    pointwise("aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", types_add, add_formula);
constinit const OpDef add_inplace_tensor =
    inplace("aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", add_tensor);
constinit const OpDef add_inplace_scalar =
    inplace("aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", add_scalar);

constinit const OpDef sub_tensor =
    pointwise("aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", types_sub, sub_formula);
constinit const OpDef sub_scalar =
    pointwise("aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", types_sub, sub_formula);
constinit const OpDef sub_inplace_tensor =
    inplace("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", sub_tensor);
constinit const OpDef sub_inplace_scalar =
    inplace("aten::sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", sub_scalar);

constinit const OpDef rsub_tensor = pointwise(
    "aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", types_sub, rsub_formula, rsub_meta);
constinit const OpDef rsub_scalar =
    pointwise("aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", types_sub, rsub_formula);

constinit const OpDef mul_tensor =
    pointwise("aten::mul.Tensor(Tensor self, Tensor other) -> Tensor", types_arithmetic, mul_formula);
constinit const OpDef mul_scalar =
    pointwise("aten::mul.Scalar(Tensor self, Scalar other) -> Tensor", types_arithmetic, mul_formula);
constinit const OpDef mul_inplace_tensor =
    inplace("aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", mul_tensor);
constinit const OpDef mul_inplace_scalar =
    inplace("aten::mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", mul_scalar);

constinit const OpDef div_tensor =
    pointwise("aten::div.Tensor(Tensor self, Tensor other) -> Tensor", types_divide, div_formula);
constinit const OpDef div_scalar =
    pointwise("aten::div.Scalar(Tensor self, Scalar other) -> Tensor", types_divide, div_formula);
constinit const OpDef div_inplace_tensor =
    inplace("aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", div_tensor);
constinit const OpDef div_inplace_scalar =
    inplace("aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", div_scalar);
constinit const OpDef true_divide_tensor =
    pointwise("aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor", types_divide, div_formula);
constinit const OpDef true_divide_inplace_tensor =
    inplace("aten::true_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", true_divide_tensor);

constinit const OpDef neg_default = pointwise("aten::neg(Tensor self) -> Tensor", types_neg, unary<ScalarOp::neg>);
constinit const OpDef neg_inplace_default = inplace("aten::neg_(Tensor(a!) self) -> Tensor(a!)", neg_default);
constinit const OpDef abs_default =
    pointwise("aten::abs(Tensor self) -> Tensor", types_without_bool, unary<ScalarOp::abs>);
constinit const OpDef abs_inplace_default = inplace("aten::abs_(Tensor(a!) self) -> Tensor(a!)", abs_default);
constinit const OpDef reciprocal_default =
    pointwise("aten::reciprocal(Tensor self) -> Tensor", types_float, reciprocal_formula);
constinit const OpDef reciprocal_inplace_default =
    inplace("aten::reciprocal_(Tensor(a!) self) -> Tensor(a!)", reciprocal_default);
constinit const OpDef square_default = pointwise("aten::square(Tensor self) -> Tensor", types_square, square_formula);
constinit const OpDef square_inplace_default = inplace("aten::square_(Tensor(a!) self) -> Tensor(a!)", square_default);

}  // namespace op_defs

Tensor add(const Tensor& a, const Tensor& b, Scalar alpha, Here here) {
  return apply_one(op_defs::add_tensor, {a, b, alpha}, here);
}
Tensor add(const Tensor& a, Scalar b, Scalar alpha, Here here) {
  return apply_one(op_defs::add_scalar, {a, b, alpha}, here);
}
Tensor sub(const Tensor& a, const Tensor& b, Scalar alpha, Here here) {
  return apply_one(op_defs::sub_tensor, {a, b, alpha}, here);
}
Tensor sub(const Tensor& a, Scalar b, Scalar alpha, Here here) {
  return apply_one(op_defs::sub_scalar, {a, b, alpha}, here);
}
Tensor rsub(const Tensor& a, const Tensor& b, Scalar alpha, Here here) {
  return apply_one(op_defs::rsub_tensor, {a, b, alpha}, here);
}
Tensor rsub(const Tensor& a, Scalar b, Scalar alpha, Here here) {
  return apply_one(op_defs::rsub_scalar, {a, b, alpha}, here);
}
Tensor mul(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::mul_tensor, {a, b}, here); }
Tensor mul(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::mul_scalar, {a, b}, here); }
Tensor div(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::div_tensor, {a, b}, here); }
Tensor div(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::div_scalar, {a, b}, here); }
Tensor neg(const Tensor& x, Here here) { return apply_one(op_defs::neg_default, {x}, here); }
Tensor abs(const Tensor& x, Here here) { return apply_one(op_defs::abs_default, {x}, here); }
Tensor reciprocal(const Tensor& x, Here here) { return apply_one(op_defs::reciprocal_default, {x}, here); }
Tensor square(const Tensor& x, Here here) { return apply_one(op_defs::square_default, {x}, here); }

}  // namespace sinter
