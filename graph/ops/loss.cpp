// Losses that compare element with element: a formula, then a reduction.

#include <sinter/graph/ops/loss.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/floating_types.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/loss_reduction.h>
#include <sinter/graph/ops/ops.h>

#include <numbers>

namespace sinter {

namespace {

Metas loss_meta(const OpArgs& args) {
  return {reduced_meta(args, pointwise_meta(args, types_floating_tensors(args).result))};
}

// The formula's arguments are the loss's of the same names; what is reduced is not rounded to a half type before.
Tensor losses_of(const OpArgs& args, const OpDef& elements) {
  DType dtype = type_of_tensors(args);
  bool is_reduced = reduction_of(args) != Reduction::none;
  Values operands;
  for (const Parameter& parameter : elements.schema().parameters) {
    Value operand = args[parameter.name];
    if (is_reduced && operand.is_tensor()) operand = operand.tensor().to(compute_type(dtype));
    operands.push_back(operand);
  }
  return apply(elements, operands, {}, args.here())[0].tensor();
}

template <const OpDef& elements>
Values run_loss(const OpArgs& args) {
  return {reduced(args, losses_of(args, elements)).to(type_of_tensors(args))};
}

// --- Distances --------------------------------------------------------------------------------------------------

ScalarExpr mse_formula(ScalarBuilder&, const OpArgs&, Inputs x) {
  ScalarExpr difference = x[0] - x[1];
  return difference * difference;
}

// Of integers too.
Values run_l1_loss(const OpArgs& args) {
  DType dtype = type_of_tensors(args);
  Tensor losses = abs(args.tensor(0).to(compute_type(dtype)) - args.tensor(1).to(compute_type(dtype)));
  Tensor result = reduced(args, losses);
  return {is_half(dtype) ? result.to(dtype) : result};
}

Metas smooth_l1_meta(const OpArgs& args) {
  if (args.number("beta") < 0)
    args.fail(ErrorKind::argument, fmt::format("beta is {}", args.number("beta")), "need beta >= 0");
  return loss_meta(args);
}

// Half a square below beta, a straight line above.
ScalarExpr smooth_l1_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  double beta = args.number("beta");
  ScalarExpr distance = abs(x[0] - x[1]);
  if (beta == 0) return distance;
  ScalarExpr near = distance * Scalar(0.5) * distance / Scalar(beta);
  return select(distance < Scalar(beta), near, distance - Scalar(0.5 * beta));
}

// The type of the losses that ATen writes into a tensor of one operand's type.
DType type_written_to(const OpArgs& args, std::string_view operand) {
  DType dtype = args[operand].tensor().dtype();
  if (!is_floating(dtype))
    args.fail(ErrorKind::dtype, fmt::format("`{}` is {}, the losses can't be", operand, name(dtype)),
              "need a floating type");
  return dtype;
}

Metas huber_meta(const OpArgs& args) {
  if (!(args.number("delta") > 0))
    args.fail(ErrorKind::argument, fmt::format("delta is {}", args.number("delta")), "need delta > 0");
  return {reduced_meta(args, pointwise_meta(args, type_written_to(args, "self")))};
}

Values run_huber_loss(const OpArgs& args) {
  Tensor losses = losses_of(args, op_defs::huber_elements_default);
  return {reduced(args, losses).to(args.meta(0).dtype)};
}

ScalarExpr huber_formula(ScalarBuilder&, const OpArgs& args, Inputs x) {
  double delta = args.number("delta");
  ScalarExpr distance = abs(x[0] - x[1]);
  ScalarExpr far = (distance - Scalar(0.5 * delta)) * Scalar(delta);
  return select(distance <= Scalar(delta), distance * Scalar(0.5) * distance, far);
}

// --- Likelihoods ------------------------------------------------------------------------------------------------

// Elements lie as the product of the negated scores and the targets does.
Metas soft_margin_meta(const OpArgs& args) {
  TensorMeta losses = pointwise_meta(args, type_written_to(args, "self"));
  if (!(losses.layout.sizes == args.meta(0).layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("the targets do not broadcast to the input's sizes {}",
                                            to_string(args.meta(0).layout.sizes)));
  Metas metas = {reduced_meta(args, losses)};
  if (args.integer("reduction") != 0) return metas;
  Layout scores = args.meta(0).layout, targets = args.meta(1).layout;
  const Layout* alone[] = {&scores};
  scores.strides = pointwise_strides(scores.sizes, alone);
  const Layout* both[] = {&scores, &targets};
  metas[0].layout.strides = pointwise_strides(metas[0].layout.sizes, both);
  return metas;
}

// As in ATen half types are rounded at each step: the loss of a score far on the wrong side is infinite in f16.
Values run_soft_margin_loss(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  return {reduced(args, log1p(exp((neg(args.tensor(0)) * args.tensor(1)).to(dtype)))).to(dtype)};
}

// target * (log(target) - x), which is 0 where the target is.
ScalarExpr kl_div_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr target = x[1];
  if (args.flag("log_target")) return exp(target) * (target - x[0]);
  ScalarExpr zero = s.constant(0.0, target.dtype());
  return select(target == zero, zero, target * log(target)) - target * x[0];
}

// `full` adds Stirling's approximation of log(target!).
ScalarExpr poisson_nll_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr target = x[1];
  ScalarExpr loss =
      args.flag("log_input") ? exp(x[0]) - target * x[0] : x[0] - target * log(x[0] + Scalar(args.number("eps")));
  if (!args.flag("full")) return loss;
  ScalarExpr stirling = target * log(target) - target + log(target * Scalar(2 * std::numbers::pi)) * Scalar(0.5);
  return loss + select(target <= Scalar(1.0), s.constant(0.0, loss.dtype()), stirling);
}

// Logarithms are cut off at -100, so that no loss is infinite.
ScalarExpr binary_cross_entropy_formula(ScalarBuilder& s, const OpArgs&, Inputs x) {
  ScalarExpr target = x[1], floor = s.constant(-100.0, x[0].dtype());
  ScalarExpr loss = (target - Scalar(1.0)) * maximum(log1p(-x[0]), floor) - target * maximum(log(x[0]), floor);
  return x.size() > 2 ? loss * x[2] : loss;
}

Metas binary_cross_entropy_meta(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  check_type(args, "target", dtype);
  check_type(args, "weight", dtype);
  check_equal_sizes(args, "self", "target");
  TensorMeta losses = pointwise_meta(args, types_floating_tensors(args).result);
  if (!(losses.layout.sizes == args.meta(0).layout.sizes))
    args.fail(ErrorKind::shape, fmt::format("the weight does not broadcast to the input's sizes {}",
                                            to_string(args.meta(0).layout.sizes)));
  return {reduced_meta(args, losses)};
}

Values run_binary_cross_entropy(const OpArgs& args) {
  Tensor self = args.tensor(0);
  check_elements(args, self.to(compute_type(self.dtype())), 0.0, 1.0, "the input {} is not in [0, 1]",
                 "need probabilities; binary_cross_entropy_with_logits takes any number");
  return run_loss<op_defs::binary_cross_entropy_elements_default>(args);
}

// ATen's losses take the place of 1 - target: their type, sizes and strides are the target's.
Metas binary_cross_entropy_with_logits_meta(const OpArgs& args) {
  if (!is_floating(args.meta(0).dtype)) fail_for_type(args, args.meta(0).dtype);
  TensorMeta losses = pointwise_meta(args, type_written_to(args, "target")), target = args.meta(1);
  if (!(losses.layout.sizes == target.layout.sizes))
    args.fail(ErrorKind::shape,
              fmt::format("the losses have sizes {}, the target {}", to_string(losses.layout.sizes),
                          to_string(target.layout.sizes)),
              "need an input and weights that broadcast to the target's sizes");
  const Layout* alone[] = {&target.layout};
  losses.layout.strides = pointwise_strides(losses.layout.sizes, alone);
  return {reduced_meta(args, losses)};
}

Values run_binary_cross_entropy_with_logits(const OpArgs& args) {
  Tensor losses = losses_of(args, op_defs::binary_cross_entropy_with_logits_elements_default);
  return {reduced(args, losses).to(args.meta(1).dtype)};
}

// With log_sigmoid's formula, which never overflows; pos_weight weighs the positive target's part.
ScalarExpr binary_cross_entropy_with_logits_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr target = x[0], self = x[1];
  bool has_weight = args.has(2), has_pos_weight = args.has(3);
  ScalarExpr log_sigmoid = minimum(self, Scalar(0.0)) - log1p(exp(-abs(self)));
  if (has_pos_weight) {
    ScalarExpr pos_weight = x[has_weight ? 3 : 2];
    log_sigmoid = log_sigmoid * ((pos_weight - Scalar(1.0)) * target + Scalar(1.0));
  }
  ScalarExpr loss = (s.constant(1.0, target.dtype()) - target) * self - log_sigmoid;
  return has_weight ? loss * x[2] : loss;
}

}  // namespace

namespace op_defs {

constinit const OpDef mse_elements_default =
    pointwise("sinter::mse_elements(Tensor self, Tensor target) -> Tensor", types_floating_tensors, mse_formula);
constinit const OpDef mse_loss_default = decomposed(
    "aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", run_loss<mse_elements_default>, loss_meta);
constinit const OpDef l1_loss_default =
    decomposed("aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", run_l1_loss);
constinit const OpDef smooth_l1_elements_default =
    pointwise("sinter::smooth_l1_elements(Tensor self, Tensor target, float beta) -> Tensor", types_floating_tensors,
              smooth_l1_formula);
constinit const OpDef smooth_l1_loss_default =
    decomposed("aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.0) -> Tensor",
               run_loss<smooth_l1_elements_default>, smooth_l1_meta);
constinit const OpDef huber_elements_default = pointwise(
    "sinter::huber_elements(Tensor self, Tensor target, float delta) -> Tensor", types_floating_tensors, huber_formula);
constinit const OpDef huber_loss_default =
    decomposed("aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.0) -> Tensor",
               run_huber_loss, huber_meta);

constinit const OpDef soft_margin_loss_default =
    decomposed("aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", run_soft_margin_loss,
               soft_margin_meta);
constinit const OpDef kl_div_elements_default =
    pointwise("sinter::kl_div_elements(Tensor self, Tensor target, *, bool log_target) -> Tensor",
              types_floating_tensors, kl_div_formula);
constinit const OpDef kl_div_default =
    decomposed("aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor",
               run_loss<kl_div_elements_default>, loss_meta);
constinit const OpDef poisson_nll_elements_default = pointwise(
    "sinter::poisson_nll_elements(Tensor input, Tensor target, bool log_input, bool full, float eps) -> Tensor",
    types_floating_tensors, poisson_nll_formula);
constinit const OpDef poisson_nll_loss_default = decomposed(
    "aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> "
    "Tensor",
    run_loss<poisson_nll_elements_default>, loss_meta);
constinit const OpDef binary_cross_entropy_elements_default =
    pointwise("sinter::binary_cross_entropy_elements(Tensor self, Tensor target, Tensor? weight) -> Tensor",
              types_floating_tensors, binary_cross_entropy_formula);
constinit const OpDef binary_cross_entropy_default =
    decomposed("aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor",
               run_binary_cross_entropy, binary_cross_entropy_meta);
constinit const OpDef binary_cross_entropy_with_logits_elements_default = pointwise(
    "sinter::binary_cross_entropy_with_logits_elements(Tensor target, Tensor self, Tensor? weight, Tensor? pos_weight) "
    "-> Tensor",
    types_floating_tensors, binary_cross_entropy_with_logits_formula);
constinit const OpDef binary_cross_entropy_with_logits_default = decomposed(
    "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, "
    "int reduction=1) -> Tensor",
    run_binary_cross_entropy_with_logits, binary_cross_entropy_with_logits_meta);

}  // namespace op_defs

Tensor mse_loss(const Tensor& x, const Tensor& target, Reduction reduction, Here here) {
  return apply_one(op_defs::mse_loss_default, {x, target, int(reduction)}, here);
}
Tensor l1_loss(const Tensor& x, const Tensor& target, Reduction reduction, Here here) {
  return apply_one(op_defs::l1_loss_default, {x, target, int(reduction)}, here);
}
Tensor smooth_l1_loss(const Tensor& x, const Tensor& target, Reduction reduction, double beta, Here here) {
  return apply_one(op_defs::smooth_l1_loss_default, {x, target, int(reduction), beta}, here);
}
Tensor huber_loss(const Tensor& x, const Tensor& target, Reduction reduction, double delta, Here here) {
  return apply_one(op_defs::huber_loss_default, {x, target, int(reduction), delta}, here);
}
Tensor soft_margin_loss(const Tensor& x, const Tensor& target, Reduction reduction, Here here) {
  return apply_one(op_defs::soft_margin_loss_default, {x, target, int(reduction)}, here);
}
Tensor kl_div(const Tensor& x, const Tensor& target, Reduction reduction, bool log_target, Here here) {
  Values results =
      apply(op_defs::kl_div_default, Values{x, target, int(reduction)}, {{"log_target", log_target}}, here);
  return results[0].tensor();
}
Tensor poisson_nll_loss(const Tensor& x, const Tensor& target, bool log_input, bool full, double eps,
                        Reduction reduction, Here here) {
  return apply_one(op_defs::poisson_nll_loss_default, {x, target, log_input, full, eps, int(reduction)}, here);
}
Tensor binary_cross_entropy(const Tensor& x, const Tensor& target, const Tensor& weight, Reduction reduction,
                            Here here) {
  return apply_one(op_defs::binary_cross_entropy_default, {x, target, weight, int(reduction)}, here);
}
Tensor binary_cross_entropy_with_logits(const Tensor& x, const Tensor& target, const Tensor& weight,
                                        const Tensor& pos_weight, Reduction reduction, Here here) {
  return apply_one(op_defs::binary_cross_entropy_with_logits_default, {x, target, weight, pos_weight, int(reduction)},
                   here);
}

}  // namespace sinter
