// Distances between vectors along a dim.

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/distance.h>
#include <sinter/graph/ops/floating_types.h>
#include <sinter/graph/ops/functions/loss.h>
#include <sinter/graph/ops/ops.h>

#include <cmath>

namespace sinter {

namespace {

// (sum |x|^p)^(1/p), and its limits: the count of what is not 0, the largest, the smallest.
Tensor norm_along(const Tensor& x, double p, int64_t dim, bool keepdim) {
  if (p == 2) return sqrt(sum(x * x, {dim}, keepdim));
  if (p == 0) return sum((x != 0.0).to(x.dtype()), {dim}, keepdim);
  Tensor magnitude = abs(x);
  if (std::isinf(p)) return p > 0 ? amax(magnitude, {dim}, keepdim) : amin(magnitude, {dim}, keepdim);
  if (p == 1) return sum(magnitude, {dim}, keepdim);
  return pow(sum(pow(magnitude, Scalar(p)), {dim}, keepdim), Scalar(1 / p));
}

// Each vector is divided by its own norm first: the product of the norms may overflow.
Values run_cosine_similarity(const OpArgs& args) {
  PointwiseTypes types = types_floating_tensors(args);
  DType wide = compute_type(types.result);
  SymDims sizes = pointwise_meta(args, types.result).layout.sizes;
  int64_t dim = args.integer("dim");
  auto normalized = [&](int slot) {
    Tensor x = args.tensor(slot).to(wide).expand(sizes);
    return x / clamp_min(norm_along(x, 2, dim, true), args.number("eps"));
  };
  Tensor a = normalized(0), b = normalized(1);  // in this order, whatever the compiler
  return {sum(a * b, {dim}).to(types.result)};
}

// Along the last dim; the distance of integers is a float, as eps is one.
Values run_pairwise_distance(const OpArgs& args) {
  DType dtype = type_of_tensors(args), wide = compute_type(dtype);
  pointwise_meta(args, dtype);  // the sizes broadcast, or it throws
  Tensor difference = args.tensor(0).to(wide) - args.tensor(1).to(wide) + args.number("eps");
  Tensor distance = norm_along(difference, args.number("p"), -1, args.flag("keepdim"));
  return {is_half(dtype) ? distance.to(dtype) : distance};
}

}  // namespace

namespace op_defs {

constinit const OpDef cosine_similarity_default = decomposed(
    "aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", run_cosine_similarity);
constinit const OpDef pairwise_distance_default = decomposed(
    "aten::pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor",
    run_pairwise_distance);

}  // namespace op_defs

Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t dim, double eps, Here here) {
  return apply_one(op_defs::cosine_similarity_default, {a, b, dim, eps}, here);
}
Tensor pairwise_distance(const Tensor& a, const Tensor& b, double p, double eps, bool keepdim, Here here) {
  return apply_one(op_defs::pairwise_distance_default, {a, b, p, eps, keepdim}, here);
}

}  // namespace sinter
