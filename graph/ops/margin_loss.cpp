// Losses that ask for a margin between a pair, a pair and its label, or a triplet.

#include <sinter/graph/ops/margin_loss.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/floating_types.h>
#include <sinter/graph/ops/loss_reduction.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

Tensor widened(const OpArgs& args, int slot) { return args.tensor(slot).to(compute_type(args.meta(slot).dtype)); }

// Integers give floats, as the margin is one; half types are rounded here.
Values finished(const OpArgs& args, const Tensor& losses) {
  DType dtype = type_of_tensors(args);
  Tensor result = reduced(args, losses);
  return {is_half(dtype) ? result.to(dtype) : result};
}

// As in ATen half types, the margin too, are rounded at each step.
Values run_hinge_embedding_loss(const OpArgs& args) {
  Tensor self = args.tensor(0), target = args.tensor(1);
  Tensor below_margin = clamp_min(scalar_tensor(args.number("margin"), self.dtype()) - self, 0);
  return finished(args, where(target != 1, below_margin, 0) + where(target != -1, self, 0));
}

Values run_margin_ranking_loss(const OpArgs& args) {
  for (int slot : {1, 2})
    if (args.tensor(slot).dim() != args.tensor(0).dim())
      args.fail(ErrorKind::shape, fmt::format("ranks differ ({} vs {})", args.tensor(0).dim(), args.tensor(slot).dim()),
                "need three tensors of one rank");
  Tensor difference = widened(args, 0) - widened(args, 1);
  return finished(args, clamp_min(neg(widened(args, 2)) * difference + args.number("margin"), 0));
}

void check_cosine_embedding(const OpArgs& args) {
  int64_t rank = args.tensor(2).dim();
  if (rank > 1)
    args.fail(ErrorKind::shape, fmt::format("the target has {} dims", rank), "need one label for each pair of rows");
  for (int slot : {0, 1})
    if (args.tensor(slot).dim() != rank + 1)
      args.fail(ErrorKind::shape, fmt::format("a target of {} dims, an input of {}", rank, args.tensor(slot).dim()),
                "need inputs of one dim more than the target");
}

// Label 1: 1 - cos; label -1: what cos exceeds the margin by.
Values run_cosine_embedding_loss(const OpArgs& args) {
  check_cosine_embedding(args);
  constexpr double epsilon = 1e-12;
  Tensor a = widened(args, 0), b = widened(args, 1), target = args.tensor(2);
  Dims dims = {target.dim()};
  Tensor square_a = sum(a * a, dims) + epsilon, square_b = sum(b * b, dims) + epsilon;
  Tensor cosine = sum(a * b, dims) / sqrt(square_a * square_b);
  Tensor alike = where(target == 1, 1.0 - cosine, 0);
  Tensor unlike = where(target == -1, clamp_min(cosine - args.number("margin"), 0), 0);
  return finished(args, alike + unlike);
}

// With `swap` the negative is compared with the nearer of anchor and positive.
// Of two tensors of integers it is a float.
DType distance_type(const OpArgs& args, int a, int b) {
  DType dtype = promote(args.meta(a).dtype, args.meta(b).dtype);
  return is_floating(dtype) ? dtype : default_dtype;
}

Values run_triplet_margin_loss(const OpArgs& args) {
  Tensor anchor = widened(args, 0), positive = widened(args, 1), negative = widened(args, 2);
  if (anchor.dim() != positive.dim() || anchor.dim() != negative.dim())
    args.fail(ErrorKind::shape, fmt::format("ranks differ ({}, {}, {})", anchor.dim(), positive.dim(), negative.dim()),
              "need three tensors of one rank");
  double p = args.number("p"), eps = args.number("eps");
  Tensor near = pairwise_distance(anchor, positive, p, eps), far = pairwise_distance(anchor, negative, p, eps);
  DType dtype = promote(distance_type(args, 0, 1), distance_type(args, 0, 2));
  if (args.flag("swap")) {
    far = minimum(far, pairwise_distance(positive, negative, p, eps));
    dtype = promote(dtype, distance_type(args, 1, 2));
  }
  return {reduced(args, clamp_min(near + args.number("margin") - far, 0)).to(dtype)};
}

}  // namespace

namespace op_defs {

constinit const OpDef hinge_embedding_loss_default =
    decomposed("aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=1) -> Tensor",
               run_hinge_embedding_loss);
constinit const OpDef margin_ranking_loss_default = decomposed(
    "aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1) -> "
    "Tensor",
    run_margin_ranking_loss);
constinit const OpDef cosine_embedding_loss_default = decomposed(
    "aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1) -> "
    "Tensor",
    run_cosine_embedding_loss);
constinit const OpDef triplet_margin_loss_default = decomposed(
    "aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, "
    "float eps=1e-06, bool swap=False, int reduction=1) -> Tensor",
    run_triplet_margin_loss);

}  // namespace op_defs

Tensor hinge_embedding_loss(const Tensor& x, const Tensor& target, double margin, Reduction reduction, Here here) {
  return apply_one(op_defs::hinge_embedding_loss_default, {x, target, margin, int(reduction)}, here);
}
Tensor margin_ranking_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin, Reduction reduction,
                           Here here) {
  return apply_one(op_defs::margin_ranking_loss_default, {a, b, target, margin, int(reduction)}, here);
}
Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin, Reduction reduction,
                             Here here) {
  return apply_one(op_defs::cosine_embedding_loss_default, {a, b, target, margin, int(reduction)}, here);
}
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                           double p, double eps, bool swap, Reduction reduction, Here here) {
  return apply_one(op_defs::triplet_margin_loss_default,
                   {anchor, positive, negative, margin, p, eps, swap, int(reduction)}, here);
}

}  // namespace sinter
