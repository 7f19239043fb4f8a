// Comparisons, maximum and minimum, tests for NaN and infinity, and comparison of whole tensors.

#include <sinter/graph/ops/compare.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>

#include <limits>

namespace sinter {

namespace {

// NaN where either side is NaN.
ScalarExpr maximum_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  return x[0].dtype() == DType::boolean ? (x[0] | x[1]) : maximum(x[0], x[1]);
}
ScalarExpr minimum_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  return x[0].dtype() == DType::boolean ? (x[0] & x[1]) : minimum(x[0], x[1]);
}

// The other side where one is NaN; of equal ones (zeros of either sign) the first.
ScalarExpr unless_nan(Inputs x, ScalarExpr chosen) {
  if (!is_floating(x[0].dtype())) return chosen;
  return select(is_nan(x[0]), x[1], select(is_nan(x[1]), x[0], chosen));
}
ScalarExpr fmax_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr turned[] = {x[1], x[0]};
  return unless_nan(x, maximum_formula(s, args, turned));
}
ScalarExpr fmin_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr turned[] = {x[1], x[0]};
  return unless_nan(x, minimum_formula(s, args, turned));
}

ScalarExpr isnan_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return is_floating(x[0].dtype()) ? is_nan(x[0]) : s.constant(false, DType::boolean);
}
ScalarExpr isinf_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  if (!is_floating(x[0].dtype())) return s.constant(false, DType::boolean);
  return abs(x[0]) == Scalar(std::numeric_limits<double>::infinity());
}
// False for NaN too.
ScalarExpr isfinite_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  if (!is_floating(x[0].dtype())) return s.constant(true, DType::boolean);
  return abs(x[0]) < Scalar(std::numeric_limits<double>::infinity());
}

Values run_equal(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  return {a.sizes() == b.sizes() && all(eq(a, b)).item<bool>(args.here())};
}

// |a - b| <= atol + rtol * |b|, infinities equal; integers are compared as floats.
Values run_isclose(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  double rtol = args.number("rtol"), atol = args.number("atol");
  if (a.dtype() != b.dtype())
    args.fail(ErrorKind::dtype, fmt::format("dtypes differ ({} vs {})", name(a.dtype()), name(b.dtype())));
  if (rtol < 0) args.fail(ErrorKind::argument, fmt::format("rtol {} is negative", rtol));
  if (atol < 0) args.fail(ErrorKind::argument, fmt::format("atol {} is negative", atol));
  Tensor close = eq(a, b);
  if (args.flag("equal_nan") && is_floating(a.dtype())) close = close | (isnan(a) & isnan(b));
  if (rtol == 0 && atol == 0) return {close};
  if (!is_floating(a.dtype())) a = a.to(default_dtype), b = b.to(default_dtype);
  Tensor difference = abs(a - b);
  return {close | (isfinite(difference) & (difference <= abs(b * rtol) + atol))};
}

Values run_allclose(const OpArgs& args) {
  Tensor close = apply_one(op_defs::isclose_default, {args[0], args[1], args[2], args[3], args[4]}, args.here());
  return {all(close).item<bool>(args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef eq_tensor =
    pointwise("aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", types_compare, binary<ScalarOp::eq>);
constinit const OpDef eq_scalar =
    pointwise("aten::eq.Scalar(Tensor self, Scalar other) -> Tensor", types_compare, binary_with_number<ScalarOp::eq>);
constinit const OpDef eq_inplace_tensor =
    inplace("aten::eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", eq_tensor);
constinit const OpDef eq_inplace_scalar =
    inplace("aten::eq_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", eq_scalar);

constinit const OpDef ne_tensor =
    pointwise("aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", types_compare, binary<ScalarOp::ne>);
constinit const OpDef ne_scalar =
    pointwise("aten::ne.Scalar(Tensor self, Scalar other) -> Tensor", types_compare, binary_with_number<ScalarOp::ne>);
constinit const OpDef ne_inplace_tensor =
    inplace("aten::ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ne_tensor);
constinit const OpDef ne_inplace_scalar =
    inplace("aten::ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ne_scalar);

constinit const OpDef lt_tensor =
    pointwise("aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", types_compare, binary<ScalarOp::lt>);
constinit const OpDef lt_scalar =
    pointwise("aten::lt.Scalar(Tensor self, Scalar other) -> Tensor", types_compare, binary_with_number<ScalarOp::lt>);
constinit const OpDef lt_inplace_tensor =
    inplace("aten::lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", lt_tensor);
constinit const OpDef lt_inplace_scalar =
    inplace("aten::lt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", lt_scalar);

constinit const OpDef le_tensor =
    pointwise("aten::le.Tensor(Tensor self, Tensor other) -> Tensor", types_compare, binary<ScalarOp::le>);
constinit const OpDef le_scalar =
    pointwise("aten::le.Scalar(Tensor self, Scalar other) -> Tensor", types_compare, binary_with_number<ScalarOp::le>);
constinit const OpDef le_inplace_tensor =
    inplace("aten::le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", le_tensor);
constinit const OpDef le_inplace_scalar =
    inplace("aten::le_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", le_scalar);

constinit const OpDef gt_tensor =
    pointwise("aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", types_compare, binary<ScalarOp::gt>);
constinit const OpDef gt_scalar =
    pointwise("aten::gt.Scalar(Tensor self, Scalar other) -> Tensor", types_compare, binary_with_number<ScalarOp::gt>);
constinit const OpDef gt_inplace_tensor =
    inplace("aten::gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", gt_tensor);
constinit const OpDef gt_inplace_scalar =
    inplace("aten::gt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", gt_scalar);

constinit const OpDef ge_tensor =
    pointwise("aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", types_compare, binary<ScalarOp::ge>);
constinit const OpDef ge_scalar =
    pointwise("aten::ge.Scalar(Tensor self, Scalar other) -> Tensor", types_compare, binary_with_number<ScalarOp::ge>);
constinit const OpDef ge_inplace_tensor =
    inplace("aten::ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ge_tensor);
constinit const OpDef ge_inplace_scalar =
    inplace("aten::ge_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ge_scalar);

constinit const OpDef maximum_default =
    pointwise("aten::maximum(Tensor self, Tensor other) -> Tensor", types_common, maximum_formula);
constinit const OpDef minimum_default =
    pointwise("aten::minimum(Tensor self, Tensor other) -> Tensor", types_common, minimum_formula);

constinit const OpDef fmax_default =
    pointwise("aten::fmax(Tensor self, Tensor other) -> Tensor", types_common, fmax_formula);
constinit const OpDef fmin_default =
    pointwise("aten::fmin(Tensor self, Tensor other) -> Tensor", types_common, fmin_formula);
constinit const OpDef max_other =
    pointwise("aten::max.other(Tensor self, Tensor other) -> Tensor", types_common, maximum_formula);
constinit const OpDef min_other =
    pointwise("aten::min.other(Tensor self, Tensor other) -> Tensor", types_common, minimum_formula);

constinit const OpDef isnan_default = pointwise("aten::isnan(Tensor self) -> Tensor", types_predicate, isnan_formula);
constinit const OpDef isinf_default = pointwise("aten::isinf(Tensor self) -> Tensor", types_predicate, isinf_formula);
constinit const OpDef isfinite_default =
    pointwise("aten::isfinite(Tensor self) -> Tensor", types_predicate, isfinite_formula);

constinit const OpDef equal_default = composite("aten::equal(Tensor self, Tensor other) -> bool", run_equal);
constinit const OpDef isclose_default = decomposed(
    "aten::isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
    run_isclose);
constinit const OpDef allclose_default = composite(
    "aten::allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool",
    run_allclose);

}  // namespace op_defs

Tensor eq(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::eq_tensor, {a, b}, here); }
Tensor eq(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::eq_scalar, {a, b}, here); }
Tensor ne(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::ne_tensor, {a, b}, here); }
Tensor ne(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::ne_scalar, {a, b}, here); }
Tensor lt(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::lt_tensor, {a, b}, here); }
Tensor lt(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::lt_scalar, {a, b}, here); }
Tensor le(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::le_tensor, {a, b}, here); }
Tensor le(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::le_scalar, {a, b}, here); }
Tensor gt(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::gt_tensor, {a, b}, here); }
Tensor gt(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::gt_scalar, {a, b}, here); }
Tensor ge(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::ge_tensor, {a, b}, here); }
Tensor ge(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::ge_scalar, {a, b}, here); }
Tensor maximum(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::maximum_default, {a, b}, here);
}
Tensor minimum(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::minimum_default, {a, b}, here);
}
Tensor fmax(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::fmax_default, {a, b}, here); }
Tensor fmin(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::fmin_default, {a, b}, here); }
Tensor max(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::max_other, {a, b}, here); }
Tensor min(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::min_other, {a, b}, here); }
Tensor isclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan, Here here) {
  return apply_one(op_defs::isclose_default, {a, b, rtol, atol, equal_nan}, here);
}
Tensor isnan(const Tensor& x, Here here) { return apply_one(op_defs::isnan_default, {x}, here); }
Tensor isinf(const Tensor& x, Here here) { return apply_one(op_defs::isinf_default, {x}, here); }
Tensor isfinite(const Tensor& x, Here here) { return apply_one(op_defs::isfinite_default, {x}, here); }

bool equal(const Tensor& a, const Tensor& b, Here here) {
  return apply(op_defs::equal_default, {a, b}, here)[0].scalar().to_bool();
}
bool allclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan, Here here) {
  return apply(op_defs::allclose_default, {a, b, rtol, atol, equal_nan}, here)[0].scalar().to_bool();
}

}  // namespace sinter
