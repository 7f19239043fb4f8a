// Activations with a formula of their own.

#include <sinter/graph/ops/activation.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>

#include <numbers>

namespace sinter {

namespace {

// NaN stays NaN, and -0.0 itself: the second operand is taken where both are equal.
ScalarExpr relu_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return maximum(s.constant(0.0, x[0].dtype()), x[0]);
}

ScalarExpr silu_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return x[0] / (s.constant(1.0, x[0].dtype()) + exp(-x[0]));
}

ScalarExpr softsign_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return x[0] / (s.constant(1.0, x[0].dtype()) + abs(x[0]));
}

// x * Phi(x), by the error function or by Hendrycks and Gimpel's tanh approximation.
ScalarExpr gelu_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr one = s.constant(1.0, x[0].dtype());
  if (args["approximate"].string() == "none")
    return x[0] * Scalar(0.5) * (one + erf(x[0] * Scalar(std::numbers::sqrt2 / 2)));
  double beta = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  ScalarExpr inner = (x[0] + x[0] * x[0] * x[0] * Scalar(0.044715)) * Scalar(beta);
  return x[0] * Scalar(0.5) * (one + tanh(inner));
}

PointwiseTypes types_gelu(const OpArgs& args) {
  const std::string& approximate = args["approximate"].string();
  if (approximate != "none" && approximate != "tanh")
    args.fail(ErrorKind::argument, fmt::format("approximate is '{}'", approximate), "need 'none' or 'tanh'");
  return types_floating_only(args);
}

}  // namespace

namespace op_defs {

constinit const OpDef relu_default = pointwise("aten::relu(Tensor self) -> Tensor", types_without_bool, relu_formula);
constinit const OpDef relu_inplace_default = inplace("aten::relu_(Tensor(a!) self) -> Tensor(a!)", relu_default);

constinit const OpDef sigmoid_default =
    pointwise("aten::sigmoid(Tensor self) -> Tensor", types_float, unary<ScalarOp::sigmoid>);
constinit const OpDef sigmoid_inplace_default =
    inplace("aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)", sigmoid_default);

constinit const OpDef silu_default = pointwise("aten::silu(Tensor self) -> Tensor", types_floating_only, silu_formula);
constinit const OpDef silu_inplace_default = inplace("aten::silu_(Tensor(a!) self) -> Tensor(a!)", silu_default);

constinit const OpDef softsign_default =
    pointwise("aten::softsign(Tensor self) -> Tensor", types_float, softsign_formula);

constinit const OpDef gelu_default =
    pointwise("aten::gelu(Tensor self, *, str approximate='none') -> Tensor", types_gelu, gelu_formula);
constinit const OpDef gelu_inplace_default =
    inplace("aten::gelu_(Tensor(a!) self, *, str approximate='none') -> Tensor(a!)", gelu_default);

}  // namespace op_defs

Tensor relu(const Tensor& x, Here here) { return apply_one(op_defs::relu_default, {x}, here); }
Tensor sigmoid(const Tensor& x, Here here) { return apply_one(op_defs::sigmoid_default, {x}, here); }
Tensor silu(const Tensor& x, Here here) { return apply_one(op_defs::silu_default, {x}, here); }
Tensor softsign(const Tensor& x, Here here) { return apply_one(op_defs::softsign_default, {x}, here); }
Tensor gelu(const Tensor& x, std::string approximate, Here here) {
  return apply_one(op_defs::gelu_default, {x, std::move(approximate)}, here);
}

}  // namespace sinter
