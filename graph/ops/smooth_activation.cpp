// Activations made of exponentials and logarithms, and their derivatives.

#include <sinter/graph/ops/smooth_activation.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/floating_types.h>
#include <sinter/graph/ops/functions/activation.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/plain_number.h>

namespace sinter {

namespace {

ScalarExpr number(ScalarExpr like, double value) { return like.builder->constant(value, like.dtype()); }

// --- elu and its special cases ----------------------------------------------------------------------------------

struct EluFactors {
  Scalar alpha = 1.0, scale = 1.0, input_scale = 1.0;

  // Their product, taken in f64, as a number beside x.
  ScalarExpr below(ScalarExpr x) const {
    ScalarBuilder& s = *x.builder;
    if (is_plain(alpha) && is_plain(scale)) return number(x, alpha.to_double() * scale.to_double());
    return s.convert(s.constant(alpha, DType::f64) * s.constant(scale, DType::f64), x.dtype());
  }
};

EluFactors elu_factors(const OpArgs& args) {
  return {args.scalar("alpha"), args.scalar("scale"), args.scalar("input_scale")};
}

// scale * x above zero, scale * alpha * (exp(input_scale * x) - 1) below.
ScalarExpr elu_of(ScalarExpr x, EluFactors factors) {
  ScalarExpr below = expm1(x * factors.input_scale) * factors.below(x);
  return select(x < Scalar(0.0), below, x * factors.scale);
}

ScalarExpr elu_formula(ScalarBuilder&, const OpArgs& args, Inputs x) { return elu_of(x[0], elu_factors(args)); }

ScalarExpr selu_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  return elu_of(x[0], {1.6732632423543772848170429916717, 1.0507009873554804934193349852946});
}

PointwiseTypes types_celu(const OpArgs& args) {
  if (args.asks(graph::NumberQuestion::is_zero, "alpha"))
    args.fail(ErrorKind::argument, "alpha is 0", "need another alpha: x / alpha is taken");
  return types_floating_tensors(args);
}

ScalarExpr celu_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  double alpha = args.number("alpha");
  return elu_of(x[0], {alpha, 1, 1 / alpha});
}

PointwiseTypes types_elu_backward(const OpArgs& args) {
  if (args.flag("is_result") && args.asks(graph::NumberQuestion::is_negative, "alpha"))
    args.fail(ErrorKind::argument,
              fmt::format("with alpha {} the result does not tell the input's sign", to_string(args.scalar("alpha"))),
              "need alpha >= 0 where the result is given");
  return types_floating_tensors(args);
}

ScalarExpr elu_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  ScalarExpr grad = x[0], given = x[1];
  EluFactors factors = elu_factors(args);
  ScalarExpr below_factor = factors.below(grad);
  ScalarExpr outer = grad * factors.input_scale;
  ScalarExpr below =
      args.flag("is_result") ? outer * (given + below_factor) : outer * below_factor * exp(given * factors.input_scale);
  return select(given <= Scalar(0.0), below, grad * factors.scale);
}

// --- softplus, mish ---------------------------------------------------------------------------------------------

// log(1 + exp(beta x)) / beta, and x itself where beta x is above the threshold.
ScalarExpr softplus_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  ScalarExpr beta = number_like(x[0], args, "beta");
  ScalarExpr scaled = x[0] * beta;
  return select(scaled > number_like(scaled, args, "threshold"), x[0], log1p(exp(scaled)) / beta);
}

ScalarExpr softplus_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  ScalarExpr grad = x[0];
  ScalarExpr scaled = x[1] * number_like(x[1], args, "beta");
  ScalarExpr e = exp(scaled);
  return select(scaled > number_like(scaled, args, "threshold"), grad, grad * e / (e + Scalar(1.0)));
}

ScalarExpr mish_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0] * tanh(log1p(exp(x[0]))); }

ScalarExpr mish_backward_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr grad = x[0], self = x[1];
  ScalarExpr t = tanh(log1p(exp(self)));
  ScalarExpr slope = self * sigmoid(self) * (number(t, 1) - t * t);
  return grad * (t + slope);
}

// --- log_sigmoid ------------------------------------------------------------------------------------------------

// ATen makes its results row-major.
Metas contiguous_meta(const OpArgs& args) {
  TensorMeta meta = pointwise_meta(args, types_floating_tensors(args).result);
  meta.layout = contiguous_layout(meta.layout.sizes);
  return {meta};
}

Metas log_sigmoid_forward_meta(const OpArgs& args) {
  Metas metas = contiguous_meta(args);
  return {metas[0], metas[0]};
}

// Arranged so that exp never overflows.
ScalarExpr log_sigmoid_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  return minimum(x[0], Scalar(0.0)) - log1p(exp(-abs(x[0])));
}

// The second result is exp(-|x|), for the derivative.
Values run_log_sigmoid_forward(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Tensor wide = self.to(compute_type(self.dtype()));
  return {log_sigmoid(self), contiguous(exp(neg(abs(wide))).to(self.dtype()))};
}

ScalarExpr log_sigmoid_backward_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr grad = x[0], buffer = x[2];
  ScalarExpr is_negative = x[1] < Scalar(0.0);
  ScalarExpr ratio = buffer / (buffer + Scalar(1.0));
  return select(is_negative, number(ratio, 1) - ratio, ratio) * grad;
}

}  // namespace

namespace op_defs {

constinit const OpDef elu_default =
    pointwise("aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
              types_floating_tensors, elu_formula);
constinit const OpDef elu_inplace_default = inplace(
    "aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)", elu_default);
constinit const OpDef elu_backward_default = pointwise(
    "aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, "
    "Tensor self_or_result) -> Tensor",
    types_elu_backward, elu_backward_formula);
constinit const OpDef selu_default =
    pointwise("aten::selu(Tensor self) -> Tensor", types_floating_tensors, selu_formula);
constinit const OpDef selu_inplace_default = inplace("aten::selu_(Tensor(a!) self) -> Tensor(a!)", selu_default);
constinit const OpDef celu_default =
    pointwise("aten::celu(Tensor self, Scalar alpha=1.0) -> Tensor", types_celu, celu_formula);
constinit const OpDef celu_inplace_default =
    inplace("aten::celu_(Tensor(a!) self, Scalar alpha=1.0) -> Tensor(a!)", celu_default);

constinit const OpDef softplus_default =
    pointwise("aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", types_floating_tensors,
              softplus_formula);
constinit const OpDef softplus_backward_default =
    pointwise("aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
              types_floating_tensors, softplus_backward_formula);
constinit const OpDef mish_default =
    pointwise("aten::mish(Tensor self) -> Tensor", types_floating_tensors, mish_formula);
constinit const OpDef mish_inplace_default = inplace("aten::mish_(Tensor(a!) self) -> Tensor(a!)", mish_default);
constinit const OpDef mish_backward_default = pointwise(
    "aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor", types_floating_tensors, mish_backward_formula);

constinit const OpDef log_sigmoid_default =
    pointwise("aten::log_sigmoid(Tensor self) -> Tensor", types_floating_tensors, log_sigmoid_formula, contiguous_meta);
constinit const OpDef log_sigmoid_forward_default =
    decomposed("aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)", run_log_sigmoid_forward,
               log_sigmoid_forward_meta);
constinit const OpDef log_sigmoid_backward_default =
    pointwise("aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor",
              types_floating_tensors, log_sigmoid_backward_formula);

}  // namespace op_defs

Tensor elu(const Tensor& x, Scalar alpha, Scalar scale, Scalar input_scale, Here here) {
  return apply_one(op_defs::elu_default, {x, alpha, scale, input_scale}, here);
}
Tensor selu(const Tensor& x, Here here) { return apply_one(op_defs::selu_default, {x}, here); }
Tensor celu(const Tensor& x, Scalar alpha, Here here) { return apply_one(op_defs::celu_default, {x, alpha}, here); }
Tensor softplus(const Tensor& x, Scalar beta, Scalar threshold, Here here) {
  return apply_one(op_defs::softplus_default, {x, beta, threshold}, here);
}
Tensor mish(const Tensor& x, Here here) { return apply_one(op_defs::mish_default, {x}, here); }
Tensor log_sigmoid(const Tensor& x, Here here) { return apply_one(op_defs::log_sigmoid_default, {x}, here); }

}  // namespace sinter
