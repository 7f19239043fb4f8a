// Functions with a logarithm inside that keep its limits: logaddexp, logaddexp2, xlogy, logit.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/logarithmic.h>
#include <sinter/graph/ops/ops.h>

#include <limits>
#include <numbers>

namespace sinter {

namespace {

// Infinities of one sign are their own sum; their difference would be NaN.
ScalarExpr unless_equal_infinities(Inputs x, ScalarExpr sum) {
  ScalarExpr infinite = abs(x[0]) == Scalar(std::numeric_limits<double>::infinity());
  return select(infinite & (x[0] == x[1]), x[0], sum);
}
ScalarExpr logaddexp_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  return unless_equal_infinities(x, maximum(x[0], x[1]) + log1p(exp(-abs(x[0] - x[1]))));
}
ScalarExpr logaddexp2_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr rest = log1p(exp2(-abs(x[0] - x[1]))) * Scalar(std::numbers::log2e);
  return unless_equal_infinities(x, maximum(x[0], x[1]) + rest);
}

// x log y, and 0 where x is 0, but for y = NaN.
ScalarExpr xlogy(ScalarBuilder& s, ScalarExpr x, ScalarExpr y) {
  ScalarExpr product = select(x == Scalar(0.0), s.constant(0.0, x.dtype()), x * log(y));
  return select(is_nan(y), y, product);
}
ScalarExpr xlogy_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return xlogy(s, x[0], x.size() > 1 ? x[1] : number_in(s, args.scalar("other"), types_float(args).result));
}
ScalarExpr xlogy_of_number_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return xlogy(s, number_in(s, args.scalar("self"), types_float(args).result), x[0]);
}

// log(x / (1 - x)) of x brought between eps and 1 - eps, if there is an eps.
ScalarExpr logit_formula(ScalarBuilder& s, const OpArgs& args, Inputs inputs) {
  ScalarExpr x = inputs[0], one = s.constant(1.0, x.dtype());
  if (!args["eps"].is_none()) {
    ScalarExpr low = s.constant(args.scalar("eps"), x.dtype()), high = one - low;
    x = select(x < low, low, select(x > high, high, x));
  }
  return log(x / (one - x));
}

}  // namespace

namespace op_defs {

constinit const OpDef logaddexp_default =
    pointwise("aten::logaddexp(Tensor self, Tensor other) -> Tensor", types_floating_only, logaddexp_formula);
constinit const OpDef logaddexp2_default =
    pointwise("aten::logaddexp2(Tensor self, Tensor other) -> Tensor", types_floating_only, logaddexp2_formula);

constinit const OpDef xlogy_tensor =
    pointwise("aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", types_float, xlogy_formula);
constinit const OpDef xlogy_scalar_other =
    pointwise("aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor", types_float, xlogy_formula);
constinit const OpDef xlogy_scalar_self =
    pointwise("aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor", types_float, xlogy_of_number_formula);
constinit const OpDef xlogy_inplace_tensor =
    inplace("aten::xlogy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", xlogy_tensor);
constinit const OpDef xlogy_inplace_scalar_other =
    inplace("aten::xlogy_.Scalar_Other(Tensor(a!) self, Scalar other) -> Tensor(a!)", xlogy_scalar_other);

constinit const OpDef logit_default =
    pointwise("aten::logit(Tensor self, float? eps=None) -> Tensor", types_float, logit_formula);
constinit const OpDef logit_inplace_default =
    inplace("aten::logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!)", logit_default);

}  // namespace op_defs

Tensor logaddexp(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::logaddexp_default, {a, b}, here);
}
Tensor logaddexp2(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::logaddexp2_default, {a, b}, here);
}
Tensor xlogy(const Tensor& x, const Tensor& y, Here here) { return apply_one(op_defs::xlogy_tensor, {x, y}, here); }
Tensor logit(const Tensor& x, std::optional<double> eps, Here here) {
  return apply_one(op_defs::logit_default, {x, eps ? Value(*eps) : Value()}, here);
}

}  // namespace sinter
