// Derivatives of losses that compare element with element.

#include <sinter/graph/ops/loss_backward.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/floating_types.h>
#include <sinter/graph/ops/loss_reduction.h>

namespace sinter {

namespace {

// In self's memory order.
Metas gradient_meta(const OpArgs& args) {
  TensorMeta self = args.meta(1);
  reduction_of(args);
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  for (std::string_view other : {"grad_output", "target"}) check_type(args, other, self.dtype);
  SymDims all = pointwise_meta(args, self.dtype).layout.sizes;
  if (!(all == self.layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("self's sizes {} differ from the broadcast sizes {}",
                                            to_string(self.layout.sizes), to_string(all)));
  self.layout = {self.layout.sizes, preserved_strides(self.layout), 0};
  return {self};
}

// What a mean divides by.
double count(const OpArgs& args) {
  if (reduction_of(args) != Reduction::mean) return 1;
  return static_cast<double>(numel(args.meta(1).layout.sizes).constant());
}

// Inputs: the gradient of the result, self, target.
ScalarExpr mse_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  return (x[1] - x[2]) * Scalar(2 / count(args)) * x[0];
}

// slope * grad outside of [-limit, limit], in it as `inside` says.
ScalarExpr bounded_slope(ScalarExpr difference, double limit, ScalarExpr outside, ScalarExpr inside) {
  return select(difference <= Scalar(-limit), -outside, select(difference >= Scalar(limit), outside, inside));
}

ScalarExpr smooth_l1_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  double beta = args.number("beta");
  ScalarExpr difference = x[1] - x[2], scaled = x[0] * Scalar(1 / count(args));
  return bounded_slope(difference, beta, scaled, difference * scaled / Scalar(beta));
}

ScalarExpr huber_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  double delta = args.number("delta");
  ScalarExpr difference = x[1] - x[2], scaled = x[0] * Scalar(1 / count(args));
  return bounded_slope(difference, delta, scaled * Scalar(delta), difference * scaled);
}

ScalarExpr soft_margin_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  ScalarExpr target = x[2];
  ScalarExpr e = exp(-target * x[1]);
  return target * Scalar(-1 / count(args)) * e / (e + Scalar(1.0)) * x[0];
}

ScalarExpr binary_cross_entropy_backward_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr grad = x[0], self = x[1], target = x[2];
  ScalarExpr variance = (s.constant(1.0, self.dtype()) - self) * self;
  ScalarExpr slope = grad * (self - target) / maximum(variance, Scalar(1e-12));
  if (x.size() > 3) slope = slope * x[3];
  return reduction_of(args) == Reduction::mean ? slope / Scalar(count(args)) : slope;
}

}  // namespace

namespace op_defs {

constinit const OpDef mse_loss_backward_default =
    pointwise("aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
              types_floating_tensors, mse_backward_formula, gradient_meta);
constinit const OpDef smooth_l1_loss_backward_default = pointwise(
    "aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> "
    "Tensor",
    types_floating_tensors, smooth_l1_backward_formula, gradient_meta);
constinit const OpDef huber_loss_backward_default = pointwise(
    "aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor",
    types_floating_tensors, huber_backward_formula, gradient_meta);
constinit const OpDef soft_margin_loss_backward_default = pointwise(
    "aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    types_floating_tensors, soft_margin_backward_formula);
constinit const OpDef binary_cross_entropy_backward_default = pointwise(
    "aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, "
    "int reduction=1) -> Tensor",
    types_floating_tensors, binary_cross_entropy_backward_formula, gradient_meta);

}  // namespace op_defs

}  // namespace sinter
