// Reductions over dims, and mean, which is a sum and a quotient.

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>
#include <sinter/graph/ops/reduction.h>

namespace sinter {

namespace {

DType sum_input_type(const OpArgs& args) { return asked_type(args).value_or(sum_type(args.meta(0).dtype)); }
DType bool_input_type(const OpArgs&) { return DType::boolean; }

// Of the reductions only these take an empty list for no dim at all: each element is asked by itself.
Dims truth_dims(const OpArgs& args) {
  Dims dims = reduced_dims(args);
  int dim = args.op().schema().find("dim");
  return dim >= 0 && args[dim].is_list() && args[dim].list().empty() ? Dims() : dims;
}

// any and all of u8 are u8.
Metas truth_meta(const OpArgs& args) {
  DType dtype = args.meta(0).dtype == DType::u8 ? DType::u8 : DType::boolean;
  return {reduction_meta(args, truth_dims(args), keepdim_of(args), dtype)};
}

// A maximum of nothing does not exist.
Metas extremum_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  Dims dims = reduced_dims(args);
  check_not_empty(args, dims);
  return {reduction_meta(args, dims, keepdim_of(args), self.dtype)};
}

constexpr OpDef reduction(std::string_view signature, ReductionKind kind, DType (*input_type)(const OpArgs&),
                          Metas (*meta)(const OpArgs&) = nullptr) {
  return {.signature = signature, .meta = meta, .reduction = {kind, reduced_dims, keepdim_of, input_type}};
}
constexpr OpDef truth(std::string_view signature, ReductionKind kind) {
  return {.signature = signature, .meta = truth_meta, .reduction = {kind, truth_dims, keepdim_of, bool_input_type}};
}

Metas mean_meta(const OpArgs& args) {
  return {reduction_meta(args, reduced_dims(args), keepdim_of(args), floating_type(args))};
}

Values run_mean(const OpArgs& args) {
  Tensor self = args.tensor(0);
  DType dtype = floating_type(args);
  Dims dims = reduced_dims(args);
  Tensor total = sum(self.to(compute_type(dtype), args.here()), dims, keepdim_of(args), {}, args.here());
  return {(total / floating_count(reduced_count(self.sizes(), dims))).to(dtype, args.here())};
}

}  // namespace

namespace op_defs {

constinit const OpDef sum_default =
    reduction("aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", ReductionKind::sum, sum_input_type);
constinit const OpDef sum_dim_intlist = reduction(
    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    ReductionKind::sum, sum_input_type);
constinit const OpDef prod_default =
    reduction("aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", ReductionKind::prod, sum_input_type);
constinit const OpDef prod_dim_int =
    reduction("aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
              ReductionKind::prod, sum_input_type);
constinit const OpDef amax_default = reduction("aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                                               ReductionKind::maximum, nullptr, extremum_meta);
constinit const OpDef amin_default = reduction("aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                                               ReductionKind::minimum, nullptr, extremum_meta);

constinit const OpDef max_default =
    reduction("aten::max(Tensor self) -> Tensor", ReductionKind::maximum, nullptr, extremum_meta);
constinit const OpDef min_default =
    reduction("aten::min(Tensor self) -> Tensor", ReductionKind::minimum, nullptr, extremum_meta);

constinit const OpDef any_default = truth("aten::any(Tensor self) -> Tensor", ReductionKind::any);
constinit const OpDef any_dim =
    truth("aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", ReductionKind::any);
constinit const OpDef any_dims =
    truth("aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", ReductionKind::any);
constinit const OpDef all_default = truth("aten::all(Tensor self) -> Tensor", ReductionKind::all);
constinit const OpDef all_dim =
    truth("aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", ReductionKind::all);
constinit const OpDef all_dims =
    truth("aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", ReductionKind::all);

constinit const OpDef mean_default =
    decomposed("aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", run_mean, mean_meta);
constinit const OpDef mean_dim =
    decomposed("aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
               run_mean, mean_meta);

}  // namespace op_defs

Tensor sum(const Tensor& x, Here here) { return apply_one(op_defs::sum_default, {x}, here); }
Tensor sum(const Tensor& x, Dims dims, bool keepdim, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::sum_dim_intlist, {x, dims, keepdim, dtype}, here);
}
Tensor mean(const Tensor& x, Here here) { return apply_one(op_defs::mean_default, {x}, here); }
Tensor mean(const Tensor& x, Dims dims, bool keepdim, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::mean_dim, {x, dims, keepdim, dtype}, here);
}
Tensor prod(const Tensor& x, Here here) { return apply_one(op_defs::prod_default, {x}, here); }
Tensor prod(const Tensor& x, int64_t dim, bool keepdim, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::prod_dim_int, {x, dim, keepdim, dtype}, here);
}
Tensor amax(const Tensor& x, Dims dims, bool keepdim, Here here) {
  return apply_one(op_defs::amax_default, {x, dims, keepdim}, here);
}
Tensor amin(const Tensor& x, Dims dims, bool keepdim, Here here) {
  return apply_one(op_defs::amin_default, {x, dims, keepdim}, here);
}
Tensor any(const Tensor& x, Here here) { return apply_one(op_defs::any_default, {x}, here); }
Tensor any(const Tensor& x, int64_t dim, bool keepdim, Here here) {
  return apply_one(op_defs::any_dim, {x, dim, keepdim}, here);
}
Tensor all(const Tensor& x, Here here) { return apply_one(op_defs::all_default, {x}, here); }
Tensor all(const Tensor& x, int64_t dim, bool keepdim, Here here) {
  return apply_one(op_defs::all_dim, {x, dim, keepdim}, here);
}

}  // namespace sinter
