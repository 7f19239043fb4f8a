// Negative log likelihood and cross entropy: each row's own class is picked from the scores as they are, so that
// log-probabilities are never written to memory.

#include <sinter/graph/ops/cross_entropy.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/loss_reduction.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/pick.h>

namespace sinter {

namespace {

// Rows of classes and each row's target. Rows are all positions beside the dim of the classes.
struct ClassTargets {
  int64_t dim = 0;
  SymInt classes = 0;
  Tensor is_ignored;  // of the target's sizes
  Tensor position;    // of the target's sizes: the class, 0 where it is ignored
  Tensor weight;      // of each class; undefined: 1
};

// Classes lie along dim 1; a vector is one row.
int64_t class_dim(const OpArgs& args, const Tensor& self) {
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no classes");
  return self.dim() == 1 ? 0 : 1;
}

Tensor class_weight(const OpArgs& args, const Tensor& self, int64_t dim) {
  if (args["weight"].is_none()) return {};
  Tensor weight = args["weight"].tensor();
  check_type(args, "weight", self.dtype());
  if (weight.dim() != 1 || !(weight.numel() == self.sizes()[dim]))
    args.fail(
        ErrorKind::shape,
        fmt::format("the weight has sizes {} for {} classes", to_string(weight.sizes()), to_string(self.sizes()[dim])),
        "need one weight for each class");
  return weight.to(compute_type(weight.dtype()));
}

// Values of the classes as a view that broadcasts to the scores.
Tensor along_classes(const Tensor& values, int64_t dim, int64_t rank) {
  SymDims sizes(rank, 1);
  sizes[dim] = values.numel();
  return values.reshape(sizes);
}

void check_class_targets(const OpArgs& args, const Tensor& self, const Tensor& target, int64_t dim) {
  if (!is_floating(self.dtype())) fail_for_type(args, self.dtype());
  if (target.dtype() != i64 && target.dtype() != u8)
    args.fail(ErrorKind::dtype, fmt::format("the target is {}", name(target.dtype())),
              "need class numbers in i64 or u8");
  SymDims rows = self.sizes();
  rows.erase(rows.begin() + dim);
  if (!(target.sizes() == rows))
    args.fail(ErrorKind::shape,
              fmt::format("the target has sizes {}, the input without its classes {}", to_string(target.sizes()),
                          to_string(rows)),
              "need one target for each row");
}

ClassTargets class_targets(const OpArgs& args, const Tensor& self, const Tensor& given) {
  ClassTargets t;
  t.dim = class_dim(args, self);
  t.classes = self.sizes()[t.dim];
  check_class_targets(args, self, given, t.dim);
  t.weight = class_weight(args, self, t.dim);
  Tensor target = given.to(i64);
  t.is_ignored = target == args.integer("ignore_index");
  t.position = where(t.is_ignored, 0, target);
  check_elements(args, t.position, 0, t.classes - 1,
                 fmt::format("the target {{}} is out of range for {} classes", size_in_message(t.classes)),
                 fmt::format("need 0 <= target < {}, or ignore_index", size_in_message(t.classes)));
  return t;
}

// gather by numbers that have been checked: it would check them again.
Tensor gather_checked(const OpArgs& args, const Tensor& from, int64_t dim, const Tensor& index) {
  std::vector<Tensor> indices(from.dim());
  indices[dim] = index;
  bool aligned = true, wraps = false, keeps_order = false;
  return apply_one(op_defs::pick_default, {from, indices, aligned, wraps, keeps_order, args.op().schema().name},
                   args.here());
}

// Of each row, the score of its class.
Tensor picked(const OpArgs& args, const ClassTargets& t, const Tensor& scores) {
  return gather_checked(args, scores, t.dim, t.position.unsqueeze(t.dim)).squeeze(t.dim);
}

// Of each row, 0 where it is ignored.
Tensor row_weights(const OpArgs& args, const ClassTargets& t, DType dtype) {
  if (!t.weight.defined()) return (~t.is_ignored).to(dtype);
  Tensor weights = gather_checked(args, t.weight, 0, t.position.reshape({t.position.numel()})).view(t.position.sizes());
  return where(t.is_ignored, 0.0, weights);
}

struct Likelihood {
  Tensor loss, total_weight;
};

// From the negative log-probability of each row's class, in compute type.
Likelihood likelihood(const OpArgs& args, const ClassTargets& t, const Tensor& rows) {
  Tensor weights = row_weights(args, t, rows.dtype());
  Tensor losses = where(t.is_ignored, 0.0, t.weight.defined() ? rows * weights : rows);
  Tensor total = sum(weights);
  switch (reduction_of(args)) {
    case Reduction::none: return {losses, total};
    case Reduction::mean: return {sum(losses) / total, total};
    case Reduction::sum: return {sum(losses), total};
  }
  return {};
}

Tensor finished(const Tensor& result, DType dtype) { return contiguous(result.to(dtype)); }

void check_rank(const OpArgs& args, const Tensor& self, int64_t least, int64_t most) {
  if (self.dim() < least || self.dim() > most)
    args.fail(ErrorKind::shape, fmt::format("the input has {} dims", self.dim()),
              least == most ? fmt::format("need {}", least) : fmt::format("need {} or {}", least, most));
}

// --- nll_loss ---------------------------------------------------------------------------------------------------

Likelihood run_likelihood(const OpArgs& args) {
  Tensor self = args.tensor(0);
  ClassTargets t = class_targets(args, self, args.tensor(1));
  return likelihood(args, t, neg(picked(args, t, self).to(compute_type(self.dtype()))));
}

Values forward_results(const OpArgs& args) {
  Tensor self = args.tensor(0);
  auto [loss, total_weight] = run_likelihood(args);
  // ATen does not sum up the weights where it has losses to give.
  if (reduction_of(args) == Reduction::none && self.dim() > 1) total_weight = zeros({}, total_weight.dtype());
  return {finished(loss, self.dtype()), total_weight.to(self.dtype())};
}

Values run_nll_loss_forward(const OpArgs& args) {
  check_rank(args, args.tensor(0), 1, 2);
  return forward_results(args);
}

Values run_nll_loss2d_forward(const OpArgs& args) {
  check_rank(args, args.tensor(0), 4, 4);
  return forward_results(args);
}

Values run_nll_loss(const OpArgs& args) { return {finished(run_likelihood(args).loss, args.tensor(0).dtype())}; }

// -weight * grad at each row's target.
Values backward_result(const OpArgs& args) {
  Tensor self = args.tensor(1);
  DType wide = compute_type(self.dtype());
  ClassTargets t = class_targets(args, self, args.tensor(2));
  Tensor grad = args.tensor(0).to(wide);
  if (reduction_of(args) == Reduction::none && self.dim() > 1) {
    if (!(grad.sizes() == args.tensor(2).sizes()))
      args.fail(ErrorKind::shape, fmt::format("the gradient has sizes {}, the losses {}", to_string(grad.sizes()),
                                              to_string(args.tensor(2).sizes())));
    grad = grad.unsqueeze(t.dim);
  } else if (!(grad.numel() == 1)) {
    args.fail(ErrorKind::shape, fmt::format("the gradient has sizes {}", to_string(grad.sizes())),
              "need that of one number");
  } else {
    grad = grad.reshape({});
  }
  if (reduction_of(args) == Reduction::mean) grad = grad / args["total_weight"].tensor().to(wide);
  Tensor slope = t.weight.defined() ? neg(along_classes(t.weight, t.dim, self.dim()) * grad) : neg(grad);
  Tensor target = where(t.is_ignored, -1, t.position).unsqueeze(t.dim);
  Tensor is_target = target == along_classes(arange(Scalar(t.classes)), t.dim, self.dim());
  return {finished(where(is_target, slope, 0.0), self.dtype())};
}

Values run_nll_loss_backward(const OpArgs& args) {
  check_rank(args, args.tensor(1), 1, 2);
  return backward_result(args);
}

Values run_nll_loss2d_backward(const OpArgs& args) {
  check_rank(args, args.tensor(1), 4, 4);
  return backward_result(args);
}

// --- cross_entropy ----------------------------------------------------------------------------------------------

void check_smoothing(const OpArgs& args) {
  double smoothing = args.number("label_smoothing");
  if (!(smoothing >= 0 && smoothing <= 1))
    args.fail(ErrorKind::argument, fmt::format("label_smoothing is {}", smoothing), "need 0 <= label_smoothing <= 1");
}

// Part of each target's probability is spread over all classes.
Tensor smoothed(const OpArgs& args, const Tensor& probabilities, SymInt classes) {
  double smoothing = args.number("label_smoothing");
  if (smoothing == 0) return probabilities;
  return probabilities * (1 - smoothing) + smoothing / floating_count(classes);
}

// The mean is one over the rows, whatever their weights.
Tensor cross_entropy_of_probabilities(const OpArgs& args, const Tensor& self, const Tensor& log_probabilities) {
  Tensor target = args.tensor(1);
  if (!is_floating(target.dtype()))
    args.fail(ErrorKind::dtype, fmt::format("the target has the input's sizes and is {}", name(target.dtype())),
              "need floating probabilities, or class numbers without the dim of the classes");
  if (args.integer("ignore_index") >= 0)
    args.fail(ErrorKind::argument, "ignore_index is given beside targets that are probabilities",
              "leave ignore_index out");
  int64_t dim = class_dim(args, self);
  Tensor weight = class_weight(args, self, dim);
  Tensor terms = log_probabilities * smoothed(args, target.to(log_probabilities.dtype()), self.sizes()[dim]);
  if (weight.defined()) terms = terms * along_classes(weight, dim, self.dim());
  switch (reduction_of(args)) {
    case Reduction::none: return neg(sum(terms, {dim}));
    case Reduction::sum: return neg(sum(terms));
    case Reduction::mean: break;
  }
  SymInt rows = 1;
  for (int64_t other = 0; other < self.dim(); ++other)
    if (other != dim) rows *= self.sizes()[other];
  return neg(sum(terms)) / (is_known_to_be(self.numel(), 0) ? Scalar(0.0) : floating_count(rows));
}

// The mean over classes of the losses that each class would have as the target.
Tensor smoothing_loss(const OpArgs& args, const ClassTargets& t, const Tensor& log_probabilities,
                      const Tensor& total_weight) {
  Tensor terms = log_probabilities;
  if (t.weight.defined()) terms = terms * along_classes(t.weight, t.dim, terms.dim());
  Tensor losses = where(t.is_ignored, 0.0, neg(sum(terms, {t.dim})));
  switch (reduction_of(args)) {
    case Reduction::none: return losses;
    case Reduction::mean: return sum(losses) / total_weight;
    case Reduction::sum: return sum(losses);
  }
  return {};
}

// The negative log-probability of each row's class: the scores' log-sum-exp less the class's score.
Tensor row_losses(const OpArgs& args, const ClassTargets& t, const Tensor& self) {
  DType wide = compute_type(self.dtype());
  if (is_known_to_be(self.numel(), 0)) return zeros(t.position.sizes(), wide);
  Tensor scores = self.to(wide);
  Tensor largest = amax(scores, {t.dim}, true);
  Tensor log_total = log(sum(exp(scores - largest), {t.dim}));
  return log_total - (picked(args, t, self).to(wide) - largest.squeeze(t.dim));
}

Values run_cross_entropy(const OpArgs& args) {
  Tensor self = args.tensor(0), target = args.tensor(1);
  int64_t dim = class_dim(args, self);
  if (!is_floating(self.dtype())) fail_for_type(args, self.dtype());
  check_smoothing(args);
  auto log_probabilities = [&] { return log_softmax(self.to(compute_type(self.dtype())), dim); };
  if (self.sizes() == target.sizes())
    return {finished(cross_entropy_of_probabilities(args, self, log_probabilities()), self.dtype())};
  ClassTargets t = class_targets(args, self, target);
  Likelihood plain = likelihood(args, t, row_losses(args, t, self));
  double smoothing = args.number("label_smoothing");
  if (smoothing == 0) return {finished(plain.loss, self.dtype())};
  Tensor spread = smoothing_loss(args, t, log_probabilities(), plain.total_weight);
  Tensor loss = plain.loss * (1 - smoothing) + spread * (smoothing / floating_count(t.classes));
  return {finished(loss, self.dtype())};
}

}  // namespace

namespace op_defs {

#define SINTER_NLL_ARGUMENTS \
  "Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100"
constinit const OpDef nll_loss_default = decomposed("aten::nll_loss(" SINTER_NLL_ARGUMENTS ") -> Tensor", run_nll_loss);
constinit const OpDef nll_loss2d_default =
    decomposed("aten::nll_loss2d(" SINTER_NLL_ARGUMENTS ") -> Tensor", run_nll_loss);
constinit const OpDef nll_loss_nd_default =
    decomposed("aten::nll_loss_nd(" SINTER_NLL_ARGUMENTS ") -> Tensor", run_nll_loss);
#undef SINTER_NLL_ARGUMENTS

#define SINTER_NLL_ARGUMENTS "Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index"
constinit const OpDef nll_loss_forward_default = decomposed(
    "aten::nll_loss_forward(" SINTER_NLL_ARGUMENTS ") -> (Tensor output, Tensor total_weight)", run_nll_loss_forward);
constinit const OpDef nll_loss_backward_default =
    decomposed("aten::nll_loss_backward(Tensor grad_output, " SINTER_NLL_ARGUMENTS ", Tensor total_weight) -> Tensor",
               run_nll_loss_backward);
constinit const OpDef nll_loss2d_forward_default =
    decomposed("aten::nll_loss2d_forward(" SINTER_NLL_ARGUMENTS ") -> (Tensor output, Tensor total_weight)",
               run_nll_loss2d_forward);
constinit const OpDef nll_loss2d_backward_default =
    decomposed("aten::nll_loss2d_backward(Tensor grad_output, " SINTER_NLL_ARGUMENTS ", Tensor total_weight) -> Tensor",
               run_nll_loss2d_backward);
#undef SINTER_NLL_ARGUMENTS

constinit const OpDef cross_entropy_loss_default = decomposed(
    "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
    "SymInt ignore_index=-100, float label_smoothing=0.0) -> Tensor",
    run_cross_entropy);

}  // namespace op_defs

Tensor nll_loss(const Tensor& x, const Tensor& target, const Tensor& weight, Reduction reduction, int64_t ignore_index,
                Here here) {
  return apply_one(op_defs::nll_loss_nd_default, {x, target, weight, int(reduction), ignore_index}, here);
}
Tensor cross_entropy_loss(const Tensor& x, const Tensor& target, const Tensor& weight, Reduction reduction,
                          int64_t ignore_index, double label_smoothing, Here here) {
  return apply_one(op_defs::cross_entropy_loss_default,
                   {x, target, weight, int(reduction), ignore_index, label_smoothing}, here);
}

}  // namespace sinter
