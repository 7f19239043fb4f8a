// Margin losses between the scores of classes, where one class of a row is its target, or several are.

#include <sinter/graph/ops/class_margin_loss.h>

#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/loss_reduction.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

// Scores as rows: a vector is one row, a number a row of one class.
struct Rows {
  Tensor scores;  // [rows, classes]
  int64_t rows = 1, classes = 1;
};

Rows rows_of(const OpArgs& args, const Tensor& self) {
  if (self.dtype() != f32 && self.dtype() != f64) fail_for_type(args, self.dtype());
  Rows r;
  if (self.dim() == 1) r.classes = self.sizes()[0].constant();
  if (self.dim() == 2) r.rows = self.sizes()[0].constant(), r.classes = self.sizes()[1].constant();
  if (self.dim() > 2 || r.classes == 0)
    args.fail(ErrorKind::shape, fmt::format("the scores have sizes {}", to_string(self.sizes())),
              "need a vector or rows of at least one class");
  r.scores = self.reshape({r.rows, r.classes});
  return r;
}

// The factor that a mean over the rows has, beside the one over the classes.
double per_element(const OpArgs& args, const Rows& rows) {
  double count = static_cast<double>(rows.classes);
  return 1 / (reduction_of(args) == Reduction::mean ? count * static_cast<double>(rows.rows) : count);
}

// The gradient of the result as a column, or one number for all rows.
Tensor as_column(const Tensor& grad) { return grad.dim() == 0 ? grad : grad.unsqueeze(-1); }

// --- One target -------------------------------------------------------------------------------------------------

struct OneTarget {
  Rows rows;
  Tensor is_target;  // of each score
  Tensor excess;     // what the score lacks to be a margin below the target's; 0 at the target
  Tensor weight;     // of each row; undefined: 1
};

void check_multi_margin(const OpArgs& args, const Rows& rows, const Tensor& target) {
  double p = args.number("p");
  if (p != 1 && p != 2) args.fail(ErrorKind::argument, fmt::format("p is {}", p), "need 1 or 2");
  check_type(args, "target", i64);
  if (target.dim() > 1 || !(target.numel() == rows.rows))
    args.fail(ErrorKind::shape,
              fmt::format("the target has sizes {} for {} rows", to_string(target.sizes()), rows.rows),
              "need one class for each row");
  check_type(args, "weight", rows.scores.dtype());
  const Value& weight = args["weight"];
  if (!weight.is_none() && (weight.tensor().dim() > 1 || !(weight.tensor().numel() == rows.classes)))
    args.fail(ErrorKind::shape,
              fmt::format("the weight has sizes {} for {} classes", to_string(weight.tensor().sizes()), rows.classes),
              "need one weight for each class");
  check_elements(args, target, 0, rows.classes - 1,
                 fmt::format("the target {{}} is out of range for {} classes", rows.classes),
                 fmt::format("need 0 <= target < {}", rows.classes));
}

OneTarget one_target(const OpArgs& args, const Tensor& self, const Tensor& target) {
  OneTarget one{rows_of(args, self), {}, {}, {}};
  check_multi_margin(args, one.rows, target);
  const Tensor& scores = one.rows.scores;
  one.is_target = arange(one.rows.classes) == target.reshape({one.rows.rows, 1});
  Tensor of_target = sum(where(one.is_target, scores, 0), {1}, true);
  Tensor lack = args.scalar("margin") - of_target + scores;
  one.excess = where(~one.is_target & (lack > 0), lack, 0);
  if (!args["weight"].is_none())
    one.weight = sum(where(one.is_target, args["weight"].tensor().reshape({1, one.rows.classes}), 0), {1}, true);
  return one;
}

Values run_multi_margin_loss(const OpArgs& args) {
  Tensor target = args.tensor(1);
  OneTarget one = one_target(args, args.tensor(0), target);
  Tensor losses = args.number("p") == 1 ? one.excess : one.excess * one.excess;
  if (one.weight.defined()) losses = losses * one.weight;
  losses = sum(losses, {1}) / static_cast<double>(one.rows.classes);
  bool is_one = reduction_of(args) == Reduction::none && target.dim() == 0;
  return {is_one ? losses.reshape({}) : reduced(args, losses)};
}

Values run_multi_margin_loss_backward(const OpArgs& args) {
  Tensor grad = args.tensor(0), self = args.tensor(1);
  OneTarget one = one_target(args, self, args.tensor(2));
  double factor = per_element(args, one.rows);
  Tensor slope =
      args.number("p") == 1 ? where(one.excess > 0, full_like(one.excess, factor), 0) : one.excess * (2 * factor);
  if (one.weight.defined()) slope = slope * one.weight;
  Tensor result = where(one.is_target, neg(sum(slope, {1}, true)), slope) * as_column(grad);
  return {contiguous(result).reshape(self.sizes())};
}

// --- Several targets --------------------------------------------------------------------------------------------

// A row lists its targets; a negative one ends the list.
struct Targets {
  Rows rows;
  Tensor hits;       // [rows, entry, class]: the entry of the list is there and names the class
  Tensor is_listed;  // [rows, entry, 1]
  Tensor lack;       // [rows, entry, class]: what the class lacks to be 1 below the entry's class
};

Targets targets_of(const OpArgs& args, const Tensor& self, const Tensor& target) {
  Targets t{rows_of(args, self), {}, {}, {}};
  auto [scores, rows, classes] = t.rows;
  check_type(args, "target", i64);
  bool fits = self.dim() == 2 ? target.sizes() == self.sizes() : target.dim() <= 1 && target.numel() == classes;
  if (!fits)
    args.fail(ErrorKind::shape, fmt::format("the target has sizes {}, the scores {}", to_string(target.sizes()),
                                            to_string(self.sizes())));
  check_elements(args, target, -1, classes - 1, fmt::format("the target {{}} is out of range for {} classes", classes),
                 fmt::format("need -1 <= target < {}", classes));
  Tensor lists = target.reshape({rows, classes}), positions = arange(classes);
  Tensor end = amin(where(lists < 0, positions, classes), {1}, true);
  t.is_listed = (positions < end).unsqueeze(2);
  t.hits = (lists.unsqueeze(2) == positions) & t.is_listed;
  Tensor of_class = scores.unsqueeze(1);
  t.lack = 1.0 - (sum(where(t.hits, of_class, 0), {2}, true) - of_class);
  return t;
}

// Where a loss arises: between a listed class and one that is not.
Tensor is_counted(const Targets& t, const Tensor& is_target) {
  return t.is_listed & ~is_target.unsqueeze(1) & (t.lack > 0);
}

Values run_multilabel_margin_loss_forward(const OpArgs& args) {
  Tensor self = args.tensor(0), target = args.tensor(1);
  Targets t = targets_of(args, self, target);
  Tensor is_target = any(t.hits, 1);
  Tensor losses = sum(where(is_counted(t, is_target), t.lack, 0), {1, 2}) / static_cast<double>(t.rows.classes);
  if (self.dim() <= 1) losses = losses.reshape({});
  return {reduced(args, losses), contiguous(is_target.to(self.dtype())).reshape(target.sizes())};
}

Values run_multilabel_margin_loss(const OpArgs& args) {
  return {apply(op_defs::multilabel_margin_loss_forward_default, {args[0], args[1], args[2]}, args.here())[0]};
}

// Each counted pair pulls its unlisted class down and its listed class up.
Values run_multilabel_margin_loss_backward(const OpArgs& args) {
  Tensor grad = args.tensor(0), self = args.tensor(1);
  Targets t = targets_of(args, self, args.tensor(2));
  check_type(args, "is_target", self.dtype());
  check_equal_sizes(args, "is_target", "target");
  Tensor is_target = args["is_target"].tensor().reshape({t.rows.rows, t.rows.classes}) != 0;
  Tensor counted = is_counted(t, is_target).to(self.dtype());
  Tensor pushed = sum(counted, {1});
  Tensor pulled = sum(where(t.hits, sum(counted, {2}, true), 0), {1});
  Tensor result = (pushed - pulled) * per_element(args, t.rows) * as_column(grad);
  return {contiguous(result).reshape(self.sizes())};
}

}  // namespace

namespace op_defs {

constinit const OpDef multi_margin_loss_default = decomposed(
    "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, "
    "int reduction=1) -> Tensor",
    run_multi_margin_loss);
constinit const OpDef multi_margin_loss_backward_default = decomposed(
    "aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, "
    "Tensor? weight=None, int reduction=1) -> Tensor",
    run_multi_margin_loss_backward);
constinit const OpDef multilabel_margin_loss_default = decomposed(
    "aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", run_multilabel_margin_loss);
constinit const OpDef multilabel_margin_loss_forward_default = decomposed(
    "aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, "
    "Tensor is_target)",
    run_multilabel_margin_loss_forward);
constinit const OpDef multilabel_margin_loss_backward_default = decomposed(
    "aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
    "Tensor is_target) -> Tensor",
    run_multilabel_margin_loss_backward);

}  // namespace op_defs

Tensor multi_margin_loss(const Tensor& x, const Tensor& target, Scalar p, Scalar margin, const Tensor& weight,
                         Reduction reduction, Here here) {
  return apply_one(op_defs::multi_margin_loss_default, {x, target, p, margin, weight, int(reduction)}, here);
}
Tensor multilabel_margin_loss(const Tensor& x, const Tensor& target, Reduction reduction, Here here) {
  return apply_one(op_defs::multilabel_margin_loss_default, {x, target, int(reduction)}, here);
}

}  // namespace sinter
