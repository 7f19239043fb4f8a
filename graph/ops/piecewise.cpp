// Activations made of straight pieces, and their derivatives.

#include <sinter/graph/ops/piecewise.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/floating_types.h>
#include <sinter/graph/ops/functions/activation.h>
#include <sinter/graph/ops/ops.h>

#include <algorithm>

namespace sinter {

namespace {

ScalarExpr zero_like(ScalarExpr x) { return x.builder->constant(0.0, x.dtype()); }

// Where both are equal (zeros of either sign) the value stays: the second operand of both.
ScalarExpr clamped(ScalarExpr x, ScalarExpr low, ScalarExpr high) { return minimum(high, maximum(low, x)); }

// --- hardtanh, relu6 --------------------------------------------------------------------------------------------

struct Limits {
  int64_t low, high;
};

Limits limits_of(DType dtype) {
  int bits = static_cast<int>(byte_size(dtype)) * 8;
  if (!is_signed(dtype)) return {0, (int64_t{1} << bits) - 1};
  int64_t high = static_cast<int64_t>(~uint64_t{0} >> (65 - bits));
  return {-high - 1, high};
}

// A limit outside of an integer type is its own limit, unless no element could be inside.
PointwiseTypes types_hardtanh(const OpArgs& args) {
  PointwiseTypes types = types_number_tensors(args);
  if (is_floating(types.result)) return types;
  Limits limits = limits_of(types.result);
  int64_t low = args.scalar("min_val").to_int(), high = args.scalar("max_val").to_int();
  if (low > limits.high || high < limits.low)
    args.fail(ErrorKind::argument, fmt::format("[{}, {}] holds no {}", low, high, name(types.result)));
  return types;
}

ScalarExpr limit(ScalarBuilder& s, const OpArgs& args, std::string_view parameter) {
  DType dtype = args.meta(0).dtype;
  if (is_floating(dtype)) return number_in(s, args.scalar(parameter), dtype);
  Limits limits = limits_of(dtype);
  return s.constant(std::clamp(args.scalar(parameter).to_int(), limits.low, limits.high), dtype);
}

ScalarExpr hardtanh_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return clamped(x[0], limit(s, args, "min_val"), limit(s, args, "max_val"));
}

ScalarExpr hardtanh_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  ScalarExpr outside = (x[1] <= number_like(x[1], args, "min_val")) | (x[1] >= number_like(x[1], args, "max_val"));
  return select(outside, zero_like(x[0]), x[0]);
}

ScalarExpr relu6_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return clamped(x[0], s.constant(0, x[0].dtype()), s.constant(6, x[0].dtype()));
}

// --- hardswish, hardsigmoid -------------------------------------------------------------------------------------

// relu6(x + 3)
ScalarExpr shifted_relu6(ScalarBuilder& s, ScalarExpr x) {
  return clamped(x + Scalar(3.0), s.constant(0.0, x.dtype()), s.constant(6.0, x.dtype()));
}

ScalarExpr hardswish_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return x[0] * shifted_relu6(s, x[0]) / Scalar(6.0);
}

ScalarExpr hardswish_backward_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr grad = x[0], self = x[1];
  ScalarExpr middle = grad * (self / Scalar(3.0) + Scalar(0.5));
  return select(self <= Scalar(-3.0), zero_like(grad), select(self < Scalar(3.0), middle, grad));
}

ScalarExpr hardsigmoid_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return shifted_relu6(s, x[0]) / Scalar(6.0);
}

ScalarExpr hardsigmoid_backward_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr inside = (x[1] > Scalar(-3.0)) & (x[1] < Scalar(3.0));
  return select(inside, x[0] * Scalar(1.0 / 6.0), zero_like(x[0]));
}

// --- leaky_relu, threshold --------------------------------------------------------------------------------------

ScalarExpr leaky_relu_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  return select(x[0] > Scalar(0.0), x[0], x[0] * number_like(x[0], args, "negative_slope"));
}

PointwiseTypes types_leaky_relu_backward(const OpArgs& args) {
  if (args.flag("self_is_result") && args.asks(graph::NumberQuestion::is_negative, "negative_slope"))
    args.fail(ErrorKind::argument,
              fmt::format("with the negative slope {} the result does not tell the input's sign",
                          to_string(args.scalar("negative_slope"))),
              "need a slope >= 0 where self is the result");
  return types_floating_tensors(args);
}

ScalarExpr leaky_relu_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  return select(x[1] > Scalar(0.0), x[0], x[0] * number_like(x[0], args, "negative_slope"));
}

PointwiseTypes types_threshold(const OpArgs& args) {
  PointwiseTypes types = types_number_tensors(args);
  check_fills(args, args.scalar("threshold"), types.result);
  if (args.op().schema().find("value") >= 0) check_fills(args, args.scalar("value"), types.result);
  return types;
}

ScalarExpr threshold_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  return select(x[0] <= number_like(x[0], args, "threshold"), number_like(x[0], args, "value"), x[0]);
}

ScalarExpr threshold_backward_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return select(x[1] <= number_like(x[1], args, "threshold"), s.constant(0, x[0].dtype()), x[0]);
}

// --- hardshrink, softshrink -------------------------------------------------------------------------------------

// -lambd <= x <= lambd
ScalarExpr is_small(const OpArgs& args, ScalarExpr x) {
  ScalarExpr limit = number_like(x, args, "lambd");
  return (x >= -limit) & (x <= limit);
}

ScalarExpr hardshrink_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  return select(is_small(args, x[0]), zero_like(x[0]), x[0]);
}

ScalarExpr shrink_backward_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  return select(is_small(args, x[1]), zero_like(x[0]), x[0]);
}

PointwiseTypes types_softshrink(const OpArgs& args) {
  if (args.asks(graph::NumberQuestion::is_negative, "lambd"))
    args.fail(ErrorKind::argument, fmt::format("lambd is {}", to_string(args.scalar("lambd"))), "need lambd >= 0");
  return types_floating_tensors(args);
}

// A NaN stays one: x * 0 in the middle.
ScalarExpr softshrink_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  ScalarExpr limit = number_like(x[0], args, "lambd");
  ScalarExpr middle = x[0] * Scalar(0.0);
  return select(x[0] > limit, x[0] - limit, select(x[0] < -limit, x[0] + limit, middle));
}

// --- prelu ------------------------------------------------------------------------------------------------------

ScalarExpr prelu_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  return select(x[0] > Scalar(0.0), x[0], x[1] * x[0]);
}

void check_prelu(const OpArgs& args, const Tensor& self, const Tensor& weight) {
  if (weight.dtype() != self.dtype())
    args.fail(ErrorKind::dtype,
              fmt::format("the weight is {} and the input {}", name(weight.dtype()), name(self.dtype())),
              "need one type");
  if (weight.dim() > 1)
    args.fail(ErrorKind::shape, fmt::format("the weight has {} dims", weight.dim()), "need at most one");
  if (weight.numel() == 1) return;
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim input has one channel", "need a weight of one element");
  SymInt channels = self.dim() > 1 ? self.sizes()[1] : SymInt(1);
  if (!(channels == weight.numel()))
    args.fail(ErrorKind::shape,
              fmt::format("{} weights for {} channels", to_string(weight.numel()), to_string(channels)),
              "need one weight, or one for each channel (dim 1)");
}

// The weight stands along dim 1.
Values run_prelu(const OpArgs& args) {
  Tensor self = args.tensor(0), weight = args.tensor(1);
  check_prelu(args, self, weight);
  if (weight.dim() != self.dim()) {
    SymDims sizes(self.dim(), 1);
    if (self.dim() > 1) sizes[1] = weight.numel();
    weight = weight.view(sizes);
  }
  return {apply_one(op_defs::prelu_kernel_default, {self, weight}, args.here())};
}

Values run_prelu_backward(const OpArgs& args) {
  DType dtype = type_of_tensors(args), wide = compute_type(dtype);
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  Tensor grad = args.tensor(0).to(wide), self = args.tensor(1).to(wide), weight = args.tensor(2).to(wide);
  Tensor is_positive = self > 0;
  return {where(is_positive, grad, weight * grad).to(dtype), where(is_positive, 0.0, self * grad).to(dtype)};
}

}  // namespace

namespace op_defs {

constinit const OpDef hardtanh_default = pointwise(
    "aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", types_hardtanh, hardtanh_formula);
constinit const OpDef hardtanh_inplace_default =
    inplace("aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)", hardtanh_default);
constinit const OpDef hardtanh_backward_default =
    pointwise("aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
              types_floating_tensors, hardtanh_backward_formula);
constinit const OpDef relu6_default =
    pointwise("aten::relu6(Tensor self) -> Tensor", types_number_tensors, relu6_formula);
constinit const OpDef relu6_inplace_default = inplace("aten::relu6_(Tensor(a!) self) -> Tensor(a!)", relu6_default);

constinit const OpDef hardswish_default =
    pointwise("aten::hardswish(Tensor self) -> Tensor", types_floating_tensors, hardswish_formula);
constinit const OpDef hardswish_inplace_default =
    inplace("aten::hardswish_(Tensor(a!) self) -> Tensor(a!)", hardswish_default);
constinit const OpDef hardswish_backward_default =
    pointwise("aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor", types_floating_tensors,
              hardswish_backward_formula);
constinit const OpDef hardsigmoid_default =
    pointwise("aten::hardsigmoid(Tensor self) -> Tensor", types_floating_tensors, hardsigmoid_formula);
constinit const OpDef hardsigmoid_inplace_default =
    inplace("aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!)", hardsigmoid_default);
constinit const OpDef hardsigmoid_backward_default =
    pointwise("aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor", types_floating_tensors,
              hardsigmoid_backward_formula);

constinit const OpDef leaky_relu_default = pointwise(
    "aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", types_floating_tensors, leaky_relu_formula);
constinit const OpDef leaky_relu_inplace_default =
    inplace("aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)", leaky_relu_default);
constinit const OpDef leaky_relu_backward_default = pointwise(
    "aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor",
    types_leaky_relu_backward, leaky_relu_backward_formula);
constinit const OpDef threshold_default = pointwise(
    "aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", types_threshold, threshold_formula);
constinit const OpDef threshold_inplace_default =
    inplace("aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)", threshold_default);
constinit const OpDef threshold_backward_default =
    pointwise("aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor", types_threshold,
              threshold_backward_formula);

constinit const OpDef hardshrink_default =
    pointwise("aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", types_floating_tensors, hardshrink_formula);
constinit const OpDef hardshrink_backward_default =
    pointwise("aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor", types_floating_tensors,
              shrink_backward_formula);
constinit const OpDef softshrink_default =
    pointwise("aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", types_softshrink, softshrink_formula);
constinit const OpDef softshrink_backward_default =
    pointwise("aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor",
              types_floating_tensors, shrink_backward_formula);

constinit const OpDef prelu_default = composite("aten::prelu(Tensor self, Tensor weight) -> Tensor", run_prelu);
constinit const OpDef prelu_kernel_default =
    pointwise("aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor", types_floating_tensors, prelu_formula);
constinit const OpDef prelu_kernel_backward_default =
    decomposed("aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)",
               run_prelu_backward);

}  // namespace op_defs

Tensor hardtanh(const Tensor& x, Scalar min_val, Scalar max_val, Here here) {
  return apply_one(op_defs::hardtanh_default, {x, min_val, max_val}, here);
}
Tensor relu6(const Tensor& x, Here here) { return apply_one(op_defs::relu6_default, {x}, here); }
Tensor hardswish(const Tensor& x, Here here) { return apply_one(op_defs::hardswish_default, {x}, here); }
Tensor hardsigmoid(const Tensor& x, Here here) { return apply_one(op_defs::hardsigmoid_default, {x}, here); }
Tensor leaky_relu(const Tensor& x, Scalar negative_slope, Here here) {
  return apply_one(op_defs::leaky_relu_default, {x, negative_slope}, here);
}
Tensor threshold(const Tensor& x, Scalar threshold, Scalar value, Here here) {
  return apply_one(op_defs::threshold_default, {x, threshold, value}, here);
}
Tensor hardshrink(const Tensor& x, Scalar lambd, Here here) {
  return apply_one(op_defs::hardshrink_default, {x, lambd}, here);
}
Tensor softshrink(const Tensor& x, Scalar lambd, Here here) {
  return apply_one(op_defs::softshrink_default, {x, lambd}, here);
}
Tensor prelu(const Tensor& x, const Tensor& weight, Here here) {
  return apply_one(op_defs::prelu_default, {x, weight}, here);
}

}  // namespace sinter
