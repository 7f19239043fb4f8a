// Sums of another kind: without NaN, of what is not zero, of exponentials, of a diagonal.

#include <sinter/graph/ops/tally.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>
#include <sinter/graph/shape_facts.h>

namespace sinter {

namespace {

// --- Without NaN ------------------------------------------------------------------------------------------------

Tensor without_nan(const Tensor& x, Here here) { return where(isnan(x, here), Scalar(0), x, here); }

DType nansum_type(const OpArgs& args) { return asked_type(args).value_or(sum_type(args.meta(0).dtype)); }

Metas nansum_meta(const OpArgs& args) {
  return {reduction_meta(args, reduced_dims(args), keepdim_of(args), nansum_type(args))};
}

Values run_nansum(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (is_floating(self.dtype())) self = without_nan(self, args.here());
  return {sum(self, reduced_dims(args), keepdim_of(args), nansum_type(args), args.here())};
}

Metas nanmean_meta(const OpArgs& args) {
  if (!is_floating(args.meta(0).dtype)) fail_for_type(args, args.meta(0).dtype);
  return {reduction_meta(args, reduced_dims(args), keepdim_of(args), floating_type(args))};
}

Values run_nanmean(const OpArgs& args) {
  Here here = args.here();
  DType dtype = floating_type(args);
  Tensor wide = widened(args.tensor(0), dtype, here);
  Dims dims = reduced_dims(args);
  Tensor total = sum(without_nan(wide, here), dims, keepdim_of(args), {}, here);
  Tensor count = sum(logical_not(isnan(wide, here), here), dims, keepdim_of(args), {}, here);
  return {(total / count).to(dtype, here)};
}

// --- count_nonzero ----------------------------------------------------------------------------------------------

Metas count_meta(const OpArgs& args) { return {reduction_meta(args, reduced_dims(args), false, DType::i64)}; }

Values run_count_nonzero(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Tensor counts = self.dtype() == DType::boolean ? self : ne(self, Scalar(0), args.here());
  return {sum(counts, reduced_dims(args), false, DType::i64, args.here())};
}

// --- logsumexp --------------------------------------------------------------------------------------------------

DType logsumexp_type(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  return is_floating(dtype) ? dtype : default_dtype;
}

Metas logsumexp_meta(const OpArgs& args) {
  return {reduction_meta(args, reduced_dims(args), keepdim_of(args), logsumexp_type(args))};
}

// Of nothing, which data may turn out to leave, -inf.
Tensor greatest_or_start(const Tensor& x, const Dims& dims, Here here) {
  graph::AnswerGenerally asks_nothing;
  return amax(x, dims, true, here);
}

Values run_logsumexp(const OpArgs& args) {
  Here here = args.here();
  DType dtype = logsumexp_type(args);
  Tensor wide = widened(args.tensor(0), dtype, here);
  Dims dims = reduced_dims(args);
  bool keepdim = keepdim_of(args);
  if (is_known_to_be(wide.numel(), 0))
    return {log(sum(exp(wide, here), dims, keepdim, {}, here), here).to(dtype, here)};
  // Shifted by the maximum so that nothing overflows; an infinite one would leave inf - inf.
  Tensor top = greatest_or_start(wide, dims, here);
  Tensor shift = where(isinf(top, here), Scalar(0.0), top, here);
  Tensor total = sum(exp(wide - shift, here), dims, true, {}, here);
  Tensor result = log(total, here) + shift;
  return {with_dims_dropped(result, dims, keepdim, here).to(dtype, here)};
}

// --- trace ------------------------------------------------------------------------------------------------------

Metas trace_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (self.layout.rank() != 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {} has no trace", self.layout.rank()), "need a matrix");
  if (self.dtype == DType::boolean) fail_for_type(args, self.dtype);
  return {{sum_type(self.dtype), self.device, contiguous_layout({})}};
}

Values run_trace(const OpArgs& args) {
  Tensor diagonal = apply_one(op_defs::diagonal_default, {args[0]}, args.here());
  return {sum(diagonal, args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef nansum_default =
    decomposed("aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
               run_nansum, nansum_meta);
constinit const OpDef nanmean_default =
    decomposed("aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
               run_nanmean, nanmean_meta);
constinit const OpDef count_nonzero_default =
    decomposed("aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", run_count_nonzero, count_meta);
constinit const OpDef count_nonzero_dim_intlist =
    decomposed("aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", run_count_nonzero, count_meta);
constinit const OpDef logsumexp_default =
    decomposed("aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", run_logsumexp, logsumexp_meta);
constinit const OpDef special_logsumexp_default = decomposed(
    "aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", run_logsumexp, logsumexp_meta);
constinit const OpDef trace_default = decomposed("aten::trace(Tensor self) -> Tensor", run_trace, trace_meta);

}  // namespace op_defs

Tensor nansum(const Tensor& x, Dims dims, bool keepdim, Here here) {
  return apply_one(op_defs::nansum_default, {x, dims, keepdim}, here);
}
Tensor nanmean(const Tensor& x, Dims dims, bool keepdim, Here here) {
  return apply_one(op_defs::nanmean_default, {x, dims, keepdim}, here);
}
Tensor count_nonzero(const Tensor& x, Dims dims, Here here) {
  return apply_one(op_defs::count_nonzero_dim_intlist, {x, dims}, here);
}
Tensor logsumexp(const Tensor& x, Dims dims, bool keepdim, Here here) {
  return apply_one(op_defs::logsumexp_default, {x, dims, keepdim}, here);
}
Tensor trace(const Tensor& x, Here here) { return apply_one(op_defs::trace_default, {x}, here); }

}  // namespace sinter
