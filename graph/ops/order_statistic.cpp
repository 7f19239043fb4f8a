// What sorted rows tell: median, mode, quantiles.

#include <sinter/graph/ops/order_statistic.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/reduce_rules.h>

namespace sinter {

namespace {

// --- median, mode -----------------------------------------------------------------------------------------------

Metas median_meta(const OpArgs& args) {
  if (args.meta(0).dtype == DType::boolean) fail_for_type(args, DType::boolean);
  return {reduction_meta(args, reduced_dims(args), false, args.meta(0).dtype)};
}

Metas selected_meta(const OpArgs& args) {
  Dims dims = reduced_dims(args);
  check_not_empty(args, dims);
  return {reduction_meta(args, dims, keepdim_of(args), args.meta(0).dtype),
          reduction_meta(args, dims, keepdim_of(args), DType::i64)};
}

Metas median_dim_meta(const OpArgs& args) {
  if (args.meta(0).dtype == DType::boolean) fail_for_type(args, DType::boolean);
  return selected_meta(args);
}

// --- quantile ---------------------------------------------------------------------------------------------------

void check_interpolation(const OpArgs& args) {
  const std::string& name = args["interpolation"].string();
  for (std::string_view known : {"linear", "lower", "higher", "midpoint", "nearest"})
    if (name == known) return;
  args.fail(ErrorKind::argument, fmt::format("interpolation is '{}'", name),
            "need 'linear', 'lower', 'higher', 'midpoint' or 'nearest'");
}

void check_fraction(const OpArgs& args) {
  const Value& q = args[1];
  DType dtype = args.meta(0).dtype;
  if (!q.is_tensor()) {
    if (!(q.scalar().to_double() >= 0 && q.scalar().to_double() <= 1))
      args.fail(ErrorKind::argument, fmt::format("q is {}", to_string(q.scalar())), "need 0 <= q <= 1");
    return;
  }
  if (q.tensor().dim() > 1)
    args.fail(ErrorKind::shape, fmt::format("q has rank {}", q.tensor().dim()), "need one number or a row of them");
  if (q.tensor().dtype() != dtype)
    args.fail(ErrorKind::dtype, fmt::format("q is {}, self {}", name(q.tensor().dtype()), name(dtype)),
              "need q of self's dtype");
}

// The row of quantiles is the first dim of the result, but the innermost in memory.
Metas quantile_meta(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  if (dtype != DType::f32 && dtype != DType::f64) fail_for_type(args, dtype);
  check_fraction(args);
  check_interpolation(args);
  Dims dims = reduced_dims(args);
  if (numel(args.meta(0).layout.sizes) == 0) args.fail(ErrorKind::argument, "self is empty", "need elements");
  TensorMeta meta = reduction_meta(args, dims, keepdim_of(args), dtype);
  if (!args[1].is_tensor() || args[1].tensor().dim() == 0) return {meta};
  SymInt count = args[1].tensor().sizes()[0];
  SymDims inner_last = meta.layout.sizes;
  inner_last.push_back(count);
  SymDims strides = contiguous_strides(inner_last);
  Layout result{{count}, {strides.back()}, 0};
  for (size_t i = 0; i < meta.layout.sizes.size(); ++i) {
    result.sizes.push_back(meta.layout.sizes[i]);
    result.strides.push_back(strides[i]);
  }
  meta.layout = result;
  return {meta};
}

}  // namespace

namespace op_defs {

constinit const OpDef median_default = routine("aten::median(Tensor self) -> Tensor", median_meta);
constinit const OpDef median_dim = routine(
    "aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", median_dim_meta);
constinit const OpDef nanmedian_default = routine("aten::nanmedian(Tensor self) -> Tensor", median_meta);
constinit const OpDef nanmedian_dim =
    routine("aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
            median_dim_meta);
constinit const OpDef mode_default = routine(
    "aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", selected_meta);

#define SINTER_QUANTILE_OPTIONS "int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor"
constinit const OpDef quantile_default =
    routine("aten::quantile(Tensor self, Tensor q, " SINTER_QUANTILE_OPTIONS, quantile_meta);
constinit const OpDef quantile_scalar =
    routine("aten::quantile.scalar(Tensor self, float q, " SINTER_QUANTILE_OPTIONS, quantile_meta);
constinit const OpDef nanquantile_default =
    routine("aten::nanquantile(Tensor self, Tensor q, " SINTER_QUANTILE_OPTIONS, quantile_meta);
constinit const OpDef nanquantile_scalar =
    routine("aten::nanquantile.scalar(Tensor self, float q, " SINTER_QUANTILE_OPTIONS, quantile_meta);

}  // namespace op_defs

Tensor median(const Tensor& x, Here here) { return apply_one(op_defs::median_default, {x}, here); }
TensorPair median(const Tensor& x, int64_t dim, bool keepdim, Here here) {
  return apply_two(op_defs::median_dim, {x, dim, keepdim}, here);
}
Tensor nanmedian(const Tensor& x, Here here) { return apply_one(op_defs::nanmedian_default, {x}, here); }
TensorPair nanmedian(const Tensor& x, int64_t dim, bool keepdim, Here here) {
  return apply_two(op_defs::nanmedian_dim, {x, dim, keepdim}, here);
}
TensorPair mode(const Tensor& x, int64_t dim, bool keepdim, Here here) {
  return apply_two(op_defs::mode_default, {x, dim, keepdim}, here);
}

namespace {

Tensor apply_quantile(const OpDef& op, Values positional, std::string interpolation, Here here) {
  return apply(op, positional, {{"interpolation", std::move(interpolation)}}, here)[0].tensor();
}

}  // namespace

Tensor quantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim, std::string interpolation,
                Here here) {
  return apply_quantile(op_defs::quantile_default, {x, q, optional_dim(dim), keepdim}, std::move(interpolation), here);
}
Tensor quantile(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim, std::string interpolation,
                Here here) {
  return apply_quantile(op_defs::quantile_scalar, {x, q, optional_dim(dim), keepdim}, std::move(interpolation), here);
}
Tensor nanquantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string interpolation, Here here) {
  return apply_quantile(op_defs::nanquantile_default, {x, q, optional_dim(dim), keepdim}, std::move(interpolation),
                        here);
}
Tensor nanquantile(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim, std::string interpolation,
                   Here here) {
  return apply_quantile(op_defs::nanquantile_scalar, {x, q, optional_dim(dim), keepdim}, std::move(interpolation),
                        here);
}

}  // namespace sinter
