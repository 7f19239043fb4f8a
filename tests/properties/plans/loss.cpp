// Losses: targets that are classes, signs, probabilities or numbers, and the gradients.

#include "properties/plans/plans.h"

namespace sinter::test {

namespace {

int64_t set_reduction(Draw& draw) {
  int64_t reduction = draw.random.between(0, 2);
  draw.set("reduction", Value(reduction));
  return reduction;
}

// Of two numbers for each element.
void plan_numbers(Draw& draw) {
  Known self = draw.any(Types::floating);
  draw.set_first(self);
  draw.set("self", self);
  draw.set("input", self);
  Known target = draw.tensor(self.dtype(), self.sizes());
  draw.set("target", target);
  int64_t reduction = set_reduction(draw);
  for (const char* positive : {"beta", "delta", "eps"}) draw.set(positive, Value(draw.random.pick({0.5, 1.0, 2.0})));
  if (draw.has("grad_output"))
    draw.set("grad_output", draw.tensor(self.dtype(), reduction == 0 ? self.sizes() : Sizes{}));
}

void plan_probabilities(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  Sizes sizes = draw.small_sizes(0, 3, 7);
  auto probability = [&] { return draw.random.unit(); };
  draw.set("self", draw.tensor(dtype, sizes, probability));
  draw.set("target", draw.tensor(dtype, sizes, probability));
  for (const char* weight : {"weight", "pos_weight"}) {
    draw.set(weight, Value());
    if (draw.has(weight) && draw.random.chance(0.3)) draw.set(weight, draw.tensor(dtype, sizes, probability));
  }
  int64_t reduction = set_reduction(draw);
  draw.set("grad_output", draw.tensor(dtype, reduction == 0 ? sizes : Sizes{}));
}

// Of scores of classes, with places behind them or not.
void plan_classes(Draw& draw) {
  const std::string& name = draw.op.schema().name;
  DType dtype = draw.dtype(Types::matrix);
  int64_t batch = draw.random.between(1, 5), classes = draw.random.between(2, 6);
  bool is_2d = name.find("2d") != std::string::npos;
  bool has_places = is_2d || (draw.flag() && (name == "cross_entropy_loss" || name == "nll_loss_nd"));
  Sizes places = has_places ? Sizes{draw.random.between(1, 3), draw.random.between(1, 3)} : Sizes{};
  Sizes scores = {batch, classes}, targets = {batch};
  scores.insert(scores.end(), places.begin(), places.end());
  targets.insert(targets.end(), places.begin(), places.end());
  Known self = draw.tensor(dtype, scores), target = draw.indices(targets, 0, classes);
  draw.set("self", self);
  draw.set("target", target);
  std::optional<Known> weight;
  if (draw.random.chance(0.3)) weight = draw.tensor(dtype, {classes}, [&] { return 0.5 + draw.random.unit(); });
  Operand weights = weight ? weight->operand : operand(Value());
  draw.set_operand("weight", weights);
  int64_t reduction = set_reduction(draw), ignored = draw.flag() ? -100 : draw.random.below(classes);
  draw.set("ignore_index", Value(ignored));
  draw.set("label_smoothing", Value(draw.random.pick({0.0, 0.1})));
  draw.set("p", Value(draw.random.between(1, 2)));
  draw.set("margin", Value(draw.random.pick({1.0, 0.5})));
  if (!draw.has("grad_output")) return;
  draw.set("grad_output", draw.tensor(dtype, reduction == 0 ? targets : Sizes{}));
  if (!draw.has("total_weight")) return;
  std::string forward = is_2d ? "aten::nll_loss2d_forward" : "aten::nll_loss_forward";
  draw.set("total_weight",
           draw.call(forward, {self.operand, target.operand, weights, operand(reduction), operand(ignored)})[1]);
}

// Class numbers in front, then -1.
void plan_label_lists(Draw& draw) {
  DType dtype = draw.dtype(Types::matrix);
  int64_t batch = draw.random.between(1, 3), classes = draw.random.between(2, 5);
  std::vector<double> labels;
  for (int64_t i = 0; i < batch; ++i) {
    Sizes order = draw.distinct_dims(classes, classes);
    int64_t count = draw.random.between(0, classes);
    for (int64_t j = 0; j < classes; ++j) {
      int64_t label = order[j] < 0 ? order[j] + classes : order[j];
      labels.push_back(j < count ? static_cast<double>(label) : -1.0);
    }
  }
  Known self = draw.tensor(dtype, {batch, classes}), target = draw.tensor(i64, {batch, classes}, labels);
  draw.set("self", self);
  draw.set("target", target);
  int64_t reduction = set_reduction(draw);
  if (!draw.has("grad_output")) return;
  auto results = draw.call("aten::multilabel_margin_loss_forward", {self.operand, target.operand, operand(reduction)});
  draw.set("grad_output", draw.tensor(dtype, results[0].sizes()));
  draw.set("is_target", results[1]);
}

// Of pairs and triples of vectors.
void plan_pairs(Draw& draw) {
  DType dtype = draw.dtype(Types::floating);
  const std::string& name = draw.op.schema().name;
  int64_t batch = draw.random.between(1, 5);
  Sizes sizes = name == "margin_ranking_loss" ? Sizes{batch} : Sizes{batch, draw.random.between(1, 6)};
  for (const char* parameter : {"self", "input1", "input2", "anchor", "positive", "negative"})
    if (draw.has(parameter)) draw.set(parameter, draw.tensor(dtype, sizes));
  Sizes labels = name == "hinge_embedding_loss" ? sizes : Sizes{batch};
  draw.set("target", draw.tensor(dtype, labels, [&] { return draw.flag() ? 1.0 : -1.0; }));
  draw.set("margin", Value(draw.random.pick({0.0, 0.5, 1.0})));
  draw.set("p", Value(draw.random.pick({1.0, 2.0})));
  draw.set("eps", Value(1e-6));
  set_reduction(draw);
}

constexpr PlanEntry plans[] = {
    {"mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss kl_div poisson_nll_loss mse_loss_backward "
     "smooth_l1_loss_backward huber_loss_backward soft_margin_loss_backward",
     plan_numbers},
    {"binary_cross_entropy binary_cross_entropy_with_logits binary_cross_entropy_backward", plan_probabilities},
    {"cross_entropy_loss nll_loss nll_loss_nd nll_loss2d nll_loss_forward nll_loss2d_forward nll_loss_backward "
     "nll_loss2d_backward multi_margin_loss multi_margin_loss_backward",
     plan_classes},
    {"multilabel_margin_loss multilabel_margin_loss_forward multilabel_margin_loss_backward", plan_label_lists},
    {"hinge_embedding_loss margin_ranking_loss cosine_embedding_loss triplet_margin_loss", plan_pairs},
};

}  // namespace

std::span<const PlanEntry> loss_plans() { return plans; }

}  // namespace sinter::test
