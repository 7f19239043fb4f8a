// Derivatives of activations, times the gradient of the result.

#include <sinter/graph/ops/activation_backward.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/floating_types.h>

#include <limits>
#include <numbers>

namespace sinter {

namespace {

ScalarExpr one_minus(ScalarExpr x) { return x.builder->constant(1.0, x.dtype()) - x; }

// Of the result.
ScalarExpr sigmoid_backward_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0] * one_minus(x[1]) * x[1]; }
ScalarExpr tanh_backward_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0] * one_minus(x[1] * x[1]); }

ScalarExpr silu_backward_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr gate = sigmoid(x[1]);
  return x[0] * gate * (x[1] * one_minus(gate) + Scalar(1.0));
}

PointwiseTypes types_gelu_backward(const OpArgs& args) {
  const std::string& approximate = args["approximate"].string();
  if (approximate != "none" && approximate != "tanh")
    args.fail(ErrorKind::argument, fmt::format("approximate is '{}'", approximate), "need 'none' or 'tanh'");
  return types_floating_tensors(args);
}

// Phi(x) + x phi(x)
ScalarExpr gelu_slope(ScalarExpr x) {
  ScalarExpr cumulative = (erf(x * Scalar(std::numbers::sqrt2 / 2)) + Scalar(1.0)) * Scalar(0.5);
  double height = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return cumulative + x * (exp(x * x * Scalar(-0.5)) * Scalar(height));
}

ScalarExpr tanh_gelu_slope(ScalarExpr x) {
  double beta = std::numbers::sqrt2 * std::numbers::inv_sqrtpi, kappa = 0.044715;
  ScalarExpr square = x * x;
  ScalarExpr t = tanh((x + x * square * Scalar(kappa)) * Scalar(beta));
  ScalarExpr inner_slope = (square * Scalar(3 * kappa) + Scalar(1.0)) * Scalar(beta);
  return (t + Scalar(1.0)) * Scalar(0.5) + x * Scalar(0.5) * one_minus(t * t) * inner_slope;
}

ScalarExpr gelu_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  return x[0] * (args["approximate"].string() == "none" ? gelu_slope(x[1]) : tanh_gelu_slope(x[1]));
}

// 1 / (x (1 - x)) inside of [eps, 1 - eps]; outside it is flat, or without eps not defined.
ScalarExpr logit_backward_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr grad = x[0], self = x[1];
  bool has_eps = !args["eps"].is_none();
  double eps = has_eps ? args.number("eps") : 0;
  ScalarExpr low = s.constant(eps, self.dtype());
  ScalarExpr is_outside = (self < low) | (self > one_minus(low));
  ScalarExpr outside = s.constant(has_eps ? 0.0 : std::numeric_limits<double>::quiet_NaN(), grad.dtype());
  ScalarExpr is_edge = (self == Scalar(0.0)) | (self == Scalar(1.0));
  ScalarExpr inside =
      select(is_edge, grad * Scalar(std::numeric_limits<double>::infinity()), grad / (self * one_minus(self)));
  return select(is_outside, outside, inside);
}

}  // namespace

namespace op_defs {

constinit const OpDef sigmoid_backward_default =
    pointwise("aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", types_floating_tensors,
              sigmoid_backward_formula);
constinit const OpDef tanh_backward_default = pointwise(
    "aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor", types_floating_tensors, tanh_backward_formula);
constinit const OpDef silu_backward_default = pointwise(
    "aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor", types_floating_tensors, silu_backward_formula);
constinit const OpDef gelu_backward_default =
    pointwise("aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor",
              types_gelu_backward, gelu_backward_formula);
constinit const OpDef logit_backward_default =
    pointwise("aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor",
              types_floating_tensors, logit_backward_formula);

}  // namespace op_defs

}  // namespace sinter
