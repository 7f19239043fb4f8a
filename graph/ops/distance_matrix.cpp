// Distances between all rows of two matrices, or all pairs of rows of one.

#include <sinter/graph/ops/distance_matrix.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/functions/indexing.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>

#include <cmath>

namespace sinter {

namespace {

void check_p(const OpArgs& args) {
  if (!(args.number("p") >= 0)) args.fail(ErrorKind::argument, fmt::format("p is {}", args.number("p")), "need p >= 0");
}

// --- Derivatives ------------------------------------------------------------------------------------------------

Tensor sign_of(const Tensor& x, Here here) {
  return gt(x, Scalar(0.0), here).to(x.dtype(), here) - lt(x, Scalar(0.0), here).to(x.dtype(), here);
}

// d distance / d difference, times grad; 0 where the distance is 0.
Tensor distance_gradient(const Tensor& difference, const Tensor& distance, const Tensor& grad, double p, Here here) {
  if (p == 0) return mul(difference * Scalar(0.0), grad, here);
  if (p == 1) return sign_of(difference, here) * grad;
  if (std::isinf(p)) {
    Tensor is_largest = eq(abs(difference, here), distance, here);
    return where(is_largest, sign_of(difference, here) * grad, Scalar(0.0), here);
  }
  Tensor scaled = p == 2 ? difference * grad / distance
                         : sign_of(difference, here) * pow(abs(difference, here), Scalar(p - 1), here) * grad /
                               pow(distance, Scalar(p - 1), here);
  Tensor is_zero = eq(distance, Scalar(0.0), here);
  if (p < 1) is_zero = logical_or(is_zero, eq(difference, Scalar(0.0), here), here);
  return where(is_zero, Scalar(0.0), scaled, here);
}

// --- Between two matrices ---------------------------------------------------------------------------------------

SymDims check_rows(const OpArgs& args) {
  TensorMeta a = args.meta(args.op().schema().find("x1")), b = args.meta(args.op().schema().find("x2"));
  for (const TensorMeta* meta : {&a, &b}) {
    if (!is_floating(meta->dtype)) fail_for_type(args, meta->dtype);
    if (meta->layout.rank() < 2)
      args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", meta->layout.rank()), "need at least 2 dims");
  }
  SymInt columns_a = a.layout.sizes.back(), columns_b = b.layout.sizes.back();
  if (!(columns_a == columns_b))
    args.fail(ErrorKind::shape,
              fmt::format("rows of {} and of {} elements", to_string(columns_a), to_string(columns_b)));
  check_types(args, a, b);
  SymDims batch = broadcast_batch(args, batch_of(a.layout.sizes), batch_of(b.layout.sizes));
  return joined(batch, {a.layout.sizes[a.layout.rank() - 2], b.layout.sizes[b.layout.rank() - 2]});
}

// By |a|^2 + |b|^2 - 2 a.b: a product of matrices, whose cancellation costs digits where rows are close.
Tensor distances_by_product(const Tensor& a, const Tensor& b, Here here) {
  Tensor norms_a = sum(a * a, {-1}, true, {}, here);
  Tensor norms_b = sum(b * b, {-1}, true, {}, here).transpose(-1, -2, here);
  Tensor product = matmul(a, b.transpose(-1, -2, here), here);
  return sqrt(clamp_min(norms_a + norms_b - product * Scalar(2.0), Scalar(0.0), here), here);
}

// compute_mode: 0 by a product where there are many rows, 1 always, 2 never.
bool uses_product(const OpArgs& args, const SymDims& sizes) {
  int64_t mode = args["compute_mode"].is_none() ? 0 : args.integer("compute_mode");
  if (mode < 0 || mode > 2) args.fail(ErrorKind::argument, fmt::format("compute_mode is {}", mode), "need 0, 1 or 2");
  if (args.number("p") != 2) return false;
  constexpr int64_t many = 25;
  return mode == 1 || (mode == 0 && (sizes[sizes.size() - 2] > many || sizes.back() > many));
}

Values run_cdist(const OpArgs& args) {
  SymDims sizes = check_rows(args);
  check_p(args);
  Here here = args.here();
  DType dtype = args.meta(0).dtype, wide = compute_type(dtype);
  Tensor a = args.tensor(0).to(wide, here), b = args.tensor(1).to(wide, here);
  bool by_product = uses_product(args, sizes);
  if (numel(sizes) == 0 || a.size(-1) == 0) return {zeros(sizes, dtype, here)};
  if (by_product) return {contiguous(distances_by_product(a, b, here).to(dtype, here), here)};
  Tensor difference = a.unsqueeze(-2, here) - b.unsqueeze(-3, here);
  return {contiguous(linalg_vector_norm(difference, args.number("p"), {-1}, false, here).to(dtype, here), here)};
}

Values run_euclidean_dist(const OpArgs& args) {
  check_rows(args);
  Here here = args.here();
  DType dtype = args.meta(0).dtype, wide = compute_type(dtype);
  Tensor distances = distances_by_product(args.tensor(0).to(wide, here), args.tensor(1).to(wide, here), here);
  return {contiguous(distances.to(dtype, here), here)};
}

Values run_cdist_backward(const OpArgs& args) {
  SymDims sizes = check_rows(args);
  Here here = args.here();
  DType dtype = args.meta(0).dtype, wide = compute_type(dtype);
  Tensor a = args.tensor(1), b = args.tensor(2);
  if (numel(sizes) == 0 || a.size(-1) == 0) return {zeros(a.sizes(), dtype, here)};
  auto prepared = [&](const Tensor& x, int64_t dim) { return x.to(wide, here).unsqueeze(dim, here); };
  Tensor difference = prepared(a, -2) - prepared(b, -3);
  Tensor each =
      distance_gradient(difference, prepared(args.tensor(4), -1), prepared(args.tensor(0), -1), args.number("p"), here);
  return {contiguous(sum(each, {-2}, false, {}, here).to(dtype, here), here)};
}

// --- Pairs of rows of one matrix --------------------------------------------------------------------------------

// The rows i < j of all pairs, ordered by i, then j.
struct Pairs {
  Tensor first, second;
};

Pairs pairs_of(SymInt rows, Here here) {
  Tensor both = apply_one(op_defs::triu_indices_default, {rows, rows, 1}, here);
  return {both.select(0, 0, here), both.select(0, 1, here)};
}

void check_matrix_of_rows(const OpArgs& args, const Tensor& x) {
  if (x.dim() != 2) args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", x.dim()), "need a matrix");
  if (!is_floating(x.dtype())) fail_for_type(args, x.dtype());
  check_p(args);
}

Tensor pair_differences(const Tensor& wide, const Pairs& pairs, Here here) {
  return index_select(wide, 0, pairs.first, here) - index_select(wide, 0, pairs.second, here);
}

Values run_pdist(const OpArgs& args) {
  Tensor x = args.tensor(0);
  Here here = args.here();
  check_matrix_of_rows(args, x);
  SymInt rows = x.size(0);
  SymInt count = rows < 2 ? SymInt(0) : floor_div(rows * (rows - 1), 2);
  if (count == 0 || x.size(1) == 0) return {zeros({count}, x.dtype(), here)};
  Tensor difference = pair_differences(x.to(compute_type(x.dtype()), here), pairs_of(rows, here), here);
  return {linalg_vector_norm(difference, args.number("p"), {1}, false, here).to(x.dtype(), here)};
}

// Each pair's gradient goes to its first row, and with the other sign to its second.
Values run_pdist_backward(const OpArgs& args) {
  Tensor grad = args.tensor(0), x = args.tensor(1), distance = args.tensor(3);
  Here here = args.here();
  check_matrix_of_rows(args, x);
  DType wide = compute_type(x.dtype());
  Tensor result = zeros(x.sizes(), wide, here);
  if (grad.numel() == 0 || x.numel() == 0) return {result.to(x.dtype(), here)};
  Pairs pairs = pairs_of(x.size(0), here);
  auto column = [&](const Tensor& v) { return v.to(wide, here).unsqueeze(1, here); };
  Tensor each = distance_gradient(pair_differences(x.to(wide, here), pairs, here), column(distance), column(grad),
                                  args.number("p"), here);
  result = index_add(result, 0, pairs.first, each, 1, here);
  return {index_add(result, 0, pairs.second, each, -1, here).to(x.dtype(), here)};
}

}  // namespace

namespace op_defs {

constinit const OpDef cdist_default =
    decomposed("aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor", run_cdist);
constinit const OpDef cdist_forward_default =
    decomposed("aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor", run_cdist);
constinit const OpDef cdist_backward_default =
    decomposed("aten::_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
               run_cdist_backward);
constinit const OpDef euclidean_dist_default =
    decomposed("aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor", run_euclidean_dist);
constinit const OpDef pdist_default = decomposed("aten::pdist(Tensor self, float p=2.) -> Tensor", run_pdist);
constinit const OpDef pdist_forward_default =
    decomposed("aten::_pdist_forward(Tensor self, float p=2.) -> Tensor", run_pdist);
constinit const OpDef pdist_backward_default = decomposed(
    "aten::_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor", run_pdist_backward);

}  // namespace op_defs

Tensor cdist(const Tensor& a, const Tensor& b, double p, std::optional<int64_t> compute_mode, Here here) {
  return apply_one(op_defs::cdist_default, {a, b, p, compute_mode ? Value(*compute_mode) : Value()}, here);
}
Tensor pdist(const Tensor& x, double p, Here here) { return apply_one(op_defs::pdist_default, {x, p}, here); }

}  // namespace sinter
