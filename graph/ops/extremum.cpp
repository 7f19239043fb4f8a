// Extrema and where they are: the position is the smallest index whose element is the extremum, or the first NaN, which
// makes it a reduction like the extremum itself.

#include <sinter/graph/ops/extremum.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>
#include <sinter/graph/ops/reduction.h>

#include <limits>

namespace sinter {

namespace {

using Extremum = Tensor (*)(const Tensor&, Dims, bool, Here);

// The row-major index of each element among those that are reduced together, broadcast over the other dims.
Tensor positions(const Tensor& self, const Dims& dims, SymInt count, Here here) {
  SymDims sizes(self.dim(), SymInt(1));
  for (int64_t dim : dims) sizes[dim] = self.sizes()[dim];
  // Narrow indices compare faster.
  DType dtype = count <= std::numeric_limits<int32_t>::max() ? DType::i32 : DType::i64;
  return arange(count, dtype, here).view(sizes, here);
}

// `extremum` has self's rank.
Tensor first_position(const Tensor& self, const Tensor& extremum, const Dims& dims, Here here) {
  SymInt count = reduced_count(self.sizes(), dims);
  Tensor is_it = eq(self, extremum, here);
  if (is_floating(self.dtype())) is_it = bitwise_or(is_it, isnan(self, here), here);
  Tensor candidates = where(is_it, positions(self, dims, count, here), Scalar(count), here);
  return amin(candidates, dims, true, here).to(DType::i64, here);
}

Metas extremum_and_position_meta(const OpArgs& args) {
  Dims dims = reduced_dims(args);
  check_not_empty(args, dims);
  return {reduction_meta(args, dims, keepdim_of(args), args.meta(0).dtype),
          reduction_meta(args, dims, keepdim_of(args), DType::i64)};
}

template <Extremum extremum>
Values run_extremum_and_position(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Dims dims = reduced_dims(args);
  bool keepdim = keepdim_of(args);
  Tensor value = extremum(self, dims, true, args.here());
  Tensor position = first_position(self, value, dims, args.here());
  return {with_dims_dropped(value, dims, keepdim, args.here()),
          with_dims_dropped(position, dims, keepdim, args.here())};
}

Metas position_meta(const OpArgs& args) {
  if (args.meta(0).dtype == DType::boolean) fail_for_type(args, DType::boolean);
  return {extremum_and_position_meta(args)[1]};
}

template <Extremum extremum>
Values run_position(const OpArgs& args) {
  return {run_extremum_and_position<extremum>(args)[1]};
}

Metas both_extrema_meta(const OpArgs& args) {
  TensorMeta meta = extremum_and_position_meta(args)[0];
  return {meta, meta};
}

Values run_both_extrema(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Dims dims = reduced_dims(args);
  bool keepdim = keepdim_of(args);
  return {amin(self, dims, keepdim, args.here()), amax(self, dims, keepdim, args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef max_dim =
    decomposed("aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
               run_extremum_and_position<amax>, extremum_and_position_meta);
constinit const OpDef min_dim =
    decomposed("aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
               run_extremum_and_position<amin>, extremum_and_position_meta);
constinit const OpDef argmax_default = decomposed(
    "aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", run_position<amax>, position_meta);
constinit const OpDef argmin_default = decomposed(
    "aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", run_position<amin>, position_meta);
constinit const OpDef aminmax_default =
    decomposed("aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
               run_both_extrema, both_extrema_meta);
constinit const OpDef inner_aminmax_default =
    decomposed("aten::_aminmax(Tensor self) -> (Tensor, Tensor)", run_both_extrema, both_extrema_meta);
constinit const OpDef inner_aminmax_dim =
    decomposed("aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)", run_both_extrema,
               both_extrema_meta);

}  // namespace op_defs

Tensor max(const Tensor& x, Here here) { return apply_one(op_defs::max_default, {x}, here); }
Tensor min(const Tensor& x, Here here) { return apply_one(op_defs::min_default, {x}, here); }
TensorPair max(const Tensor& x, int64_t dim, bool keepdim, Here here) {
  return apply_two(op_defs::max_dim, {x, dim, keepdim}, here);
}
TensorPair min(const Tensor& x, int64_t dim, bool keepdim, Here here) {
  return apply_two(op_defs::min_dim, {x, dim, keepdim}, here);
}
Tensor argmax(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Here here) {
  return apply_one(op_defs::argmax_default, {x, optional_dim(dim), keepdim}, here);
}
Tensor argmin(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Here here) {
  return apply_one(op_defs::argmin_default, {x, optional_dim(dim), keepdim}, here);
}

TensorPair aminmax(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Here here) {
  Values results = apply(op_defs::aminmax_default, Values{x}, {{"dim", optional_dim(dim)}, {"keepdim", keepdim}}, here);
  return {results[0].tensor(), results[1].tensor()};
}

}  // namespace sinter
