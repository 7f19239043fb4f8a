// Reductions, scans, sorts and statistics.

#include "properties/plans/plans.h"

#include <limits>

namespace sinter::test {

namespace {

void plan_floating(Draw& draw) { draw.set_first(draw.any(Types::floating)); }
void plan_floating_with_dims(Draw& draw) {
  draw.set_first(draw.any(Types::floating, 1));
  if (draw.has("dtype")) draw.set("dtype", Value());
}
void plan_matrix(Draw& draw) { draw.set_first(draw.any(Types::any, 2, 2)); }

// What takes a result type: one that the sum of the input converts to.
void plan_typed(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  if (draw.random.chance(0.6))
    draw.set("dtype", Value());
  else
    draw.set("dtype", Value(draw.dtype(is_floating(self.dtype()) ? Types::floating : Types::any)));
}

void plan_mean(Draw& draw) {
  bool converts = draw.random.chance(0.3);
  draw.set_first(draw.any(converts ? Types::any : Types::floating));
  draw.set("dtype", converts ? Value(draw.dtype(Types::floating)) : Value());
}

void plan_norm(Draw& draw) {
  Known self = draw.any(Types::floating, draw.has("dim") ? 1 : 0);
  draw.set_first(self);
  for (const char* order : {"p", "ord"})
    if (draw.has(order) && draw.parameter(order).type == ArgType::scalar)
      draw.set(order, Value(draw.random.pick({0.0, 1.0, 2.0, 3.0, 0.5, -1.0, std::numeric_limits<double>::infinity(),
                                              -std::numeric_limits<double>::infinity()})));
  bool may_convert = draw.has("dtype") && (!draw.parameter("dtype").is_optional || draw.random.chance(0.3));
  if (draw.has("dtype"))
    draw.set("dtype", may_convert ? Value(self.dtype() == f64 ? f64 : draw.flag() ? f32 : f64) : Value());
}

void plan_renorm(Draw& draw) {
  Known self = draw.any(Types::floating, 2);
  draw.set_first(self);
  draw.set("p", Value(draw.random.pick({1.0, 2.0, 3.0})));
  draw.set("dim", Value(draw.dim(self.rank())));
  draw.set("maxnorm", Value(draw.random.pick({0.5, 1.0, 5.0})));
}

void plan_kth(Draw& draw) {
  Known self = draw.any(Types::decimal, 0, 4);
  draw.set_first(self);
  int64_t dim = draw.dim(self.rank()), size = self.rank() == 0 ? 1 : self.size(dim);
  draw.set("dim", Value(dim));
  draw.set("k", Value(draw.random.between(draw.op.schema().name == "topk" ? 0 : 1, size)));
}

void plan_quantile(Draw& draw) {
  Known self = draw.any(Types::matrix, 0, 3);
  draw.set_first(self);
  if (draw.parameter("q").type == ArgType::tensor)
    draw.set("q", draw.tensor(self.dtype(), draw.small_sizes(0, 1), [&] { return draw.random.unit(); }));
  else
    draw.set("q", Value(draw.random.unit()));
  draw.set("dim", draw.flag() ? Value() : Value(draw.dim(self.rank())));
  draw.set("interpolation", Value(draw.random.pick({"linear", "lower", "higher", "midpoint", "nearest"})));
}

void plan_diff(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  draw.set_first(self);
  int64_t dim = draw.dim(self.rank());
  draw.set("dim", Value(dim));
  draw.set("n", Value(draw.random.between(0, 3)));
  for (const char* edge : {"prepend", "append"}) {
    Sizes sizes = self.sizes();
    sizes[dim < 0 ? dim + self.rank() : dim] = draw.random.between(0, 3);
    if (draw.random.chance(0.3))
      draw.set(edge, draw.tensor(self.dtype(), sizes));
    else
      draw.set(edge, Value());
  }
}

void plan_trapezoid(Draw& draw) {
  Known self = draw.any(Types::any, 1, 4);
  draw.set_first(self);
  int64_t dim = draw.dim(self.rank());
  draw.set("dim", Value(dim));
  bool is_vector = draw.flag();
  draw.set("x", draw.tensor(draw.flag() ? self.dtype() : f32, is_vector ? Sizes{self.size(dim)} : self.sizes()));
  draw.set("dx", Value(draw.random.pick({1.0, 0.5, 2.0})));
}

void plan_gradient(Draw& draw) {
  Known self = draw.tensor(draw.dtype(Types::floating), draw.small_sizes(1, 3, 6));
  for (int64_t size : self.sizes())
    if (size < 3) throw NothingFits();
  draw.set_first(self);
  Sizes dims = draw.distinct_dims(self.rank(), draw.random.between(1, self.rank()));
  bool takes_all = !draw.has("dim") || !draw.parameter("dim").is_list;
  if (takes_all) {
    bool is_one = draw.flag();
    dims = draw.distinct_dims(self.rank(), is_one ? 1 : self.rank());
    if (!is_one)
      for (int64_t i = 0; i < self.rank(); ++i) dims[i] = i;
    draw.set("dim", is_one ? Value(dims[0]) : Value());
  } else {
    draw.set("dim", dims);
  }
  draw.set("edge_order", Value(draw.random.between(1, 2)));
  if (!draw.has("spacing")) return;
  const Parameter& spacing = draw.parameter("spacing");
  if (spacing.type == ArgType::tensor) {
    std::vector<Known> places;
    for (int64_t dim : dims) {
      double place = 0;
      places.push_back(
          draw.tensor(self.dtype(), {self.size(dim)}, [&] { return place += draw.random.pick({0.5, 1.0, 2.0}); }));
    }
    draw.set("spacing", places);
  } else if (spacing.is_list) {
    Value::List steps;
    for (size_t i = 0; i < dims.size(); ++i) steps.emplace_back(draw.random.pick({0.5, 1.0, 2.0}));
    draw.set("spacing", Value(steps));
  } else {
    draw.set("spacing", Value(draw.random.pick({0.5, 1.0, 2.0})));
  }
}

void plan_covariance(Draw& draw) {
  Known self = draw.any(Types::decimal, 0, 2);
  draw.set_first(self);
  int64_t observations = self.rank() == 0 ? 1 : self.size(-1);
  if (draw.random.chance(0.3) && draw.has("fweights"))
    draw.set("fweights", draw.indices({observations}, 1, 4));
  else
    draw.set("fweights", Value());
  if (draw.random.chance(0.3) && draw.has("aweights"))
    draw.set("aweights", draw.tensor(f32, {observations}, [&] { return 0.25 + draw.random.unit(); }));
  else
    draw.set("aweights", Value());
}

void plan_vander(Draw& draw) {
  draw.set_first(draw.any(Types::decimal, 1, draw.op.schema().name == "vander" ? 1 : 3));
  draw.set("N", draw.flag() ? Value() : Value(draw.random.between(1, 5)));
}

void plan_sort(Draw& draw) {
  Known self = draw.any();
  draw.set_first(self);
  draw.set("stable", Value(draw.flag()));
  draw.set("dim", Value(draw.dim(self.rank())));
}

// A gradient of values that a reduction chose.
void plan_selection_gradient(Draw& draw) {
  Known self = draw.any(Types::floating, 1, 4);
  int64_t dim = draw.dim(self.rank());
  bool keepdim = draw.flag();
  auto results = draw.call("aten::max.dim", {self.operand, operand(dim), operand(keepdim)});
  draw.set("grad", draw.tensor(self.dtype(), results[0].sizes()));
  draw.set("dim", Value(dim));
  draw.set("indices", results[1]);
  draw.set("sizes", self.sizes());
  draw.set("keepdim", Value(keepdim));
}

void plan_cross(Draw& draw) {
  Sizes sizes = draw.small_sizes(1, 3);
  int64_t dim = draw.random.below(static_cast<int64_t>(sizes.size()));
  sizes[dim] = 3;
  Known self = draw.tensor(draw.dtype(Types::decimal), sizes);
  draw.set_first(self);
  draw.set("other", draw.tensor(self.dtype(), sizes));
  draw.set("dim", Value(dim));
}

void plan_distance(Draw& draw) {
  Known x = draw.any(Types::floating, 1, 4);
  draw.set("x1", x);
  draw.set("x2", draw.tensor(x.dtype(), x.sizes()));
  draw.set("dim", Value(draw.dim(x.rank())));
  draw.set("p", Value(draw.random.pick({1.0, 2.0, 3.0, 0.5})));
  draw.set("eps", Value(1e-6));
}

void plan_distances(Draw& draw) {
  const std::string& name = draw.op.schema().name;
  DType dtype = draw.dtype(Types::matrix);
  int64_t features = draw.random.between(1, 5);
  double p = draw.random.pick({0.0, 1.0, 2.0, 3.0, 0.5, std::numeric_limits<double>::infinity()});
  draw.set("p", Value(p));
  if (name.find("pdist") != std::string::npos) {
    Known self = draw.tensor(dtype, {draw.random.between(2, 6), features});
    draw.set("self", self);
    if (!draw.has("pdist")) return;
    Known distances = draw.call("aten::_pdist_forward", {self.operand, operand(Value(p))})[0];
    draw.set("pdist", distances);
    draw.set("grad", draw.tensor(dtype, distances.sizes()));
    return draw.set("grad_output", draw.tensor(dtype, distances.sizes()));
  }
  Sizes batch = draw.small_sizes(0, 1, 3), left = batch, right = batch;
  left.insert(left.end(), {draw.random.between(1, 6), features});
  right.insert(right.end(), {draw.random.between(1, 30), features});
  Known x1 = draw.tensor(dtype, left), x2 = draw.tensor(dtype, right);
  draw.set("x1", x1);
  draw.set("x2", x2);
  Value mode = draw.random.chance(0.5) ? Value() : Value(draw.random.between(0, 2));
  draw.set("compute_mode", mode);
  if (!draw.has("cdist")) return;
  Known distances = draw.call("aten::_cdist_forward", {x1.operand, x2.operand, operand(Value(p)), operand(mode)})[0];
  draw.set("cdist", distances);
  draw.set("grad_output", draw.tensor(dtype, distances.sizes()));
}

constexpr PlanEntry plans[] = {
    {"logsumexp special_logsumexp var std var_mean std_mean logcumsumexp", plan_floating_with_dims},
    {"var.default std.default var_mean.default std_mean.default nanmedian.default", plan_floating},
    {"trace", plan_matrix},
    {"sum prod nansum cumsum cumprod", plan_typed},
    {"mean nanmean", plan_mean},
    {"norm linalg_vector_norm frobenius_norm dist", plan_norm},
    {"renorm", plan_renorm},
    {"topk kthvalue", plan_kth},
    {"quantile nanquantile", plan_quantile},
    {"diff", plan_diff},
    {"trapezoid trapz cumulative_trapezoid", plan_trapezoid},
    {"gradient", plan_gradient},
    {"cov corrcoef", plan_covariance},
    {"vander linalg_vander", plan_vander},
    {"sort argsort msort", plan_sort},
    {"value_selecting_reduction_backward", plan_selection_gradient},
    {"cross linalg_cross", plan_cross},
    {"cosine_similarity pairwise_distance", plan_distance},
    {"cdist _cdist_forward _cdist_backward _euclidean_dist pdist _pdist_forward _pdist_backward", plan_distances},
};

}  // namespace

std::span<const PlanEntry> reduction_plans() { return plans; }

}  // namespace sinter::test
