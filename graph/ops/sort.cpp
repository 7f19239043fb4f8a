// Sorting, the k-th and the k greatest elements, and what is left without duplicates. NaN is greater than all numbers.

#include <sinter/graph/ops/sort.h>

#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/scatter.h>

namespace sinter {

namespace {

// Values in self's memory order, and their positions.
Metas sort_meta(const OpArgs& args) {
  TensorMeta values = args.meta(0);
  wrap_dim(args, args.integer("dim"), values.layout.rank());
  values.layout = {values.layout.sizes, preserved_strides(values.layout), 0};
  TensorMeta indices = values;
  indices.dtype = i64;
  return {values, indices};
}

Values run_sort(const OpArgs& args) {
  return apply(op_defs::sort_stable, {args[0], false, args["dim"], args["descending"]}, args.here());
}
Values run_argsort(const OpArgs& args) { return {run_sort(args)[1]}; }
Values run_msort(const OpArgs& args) {
  return {apply(op_defs::sort_stable, {args[0], true, 0, false}, args.here())[0]};
}

// --- topk and kthvalue ------------------------------------------------------------------------------------------

SymInt size_of_dim(const TensorMeta& self, int64_t dim) {
  return self.layout.rank() == 0 ? SymInt(1) : self.layout.sizes[dim];
}

Metas values_and_indices(const OpArgs& args, const SymDims& sizes) {
  return {fresh_meta(args, args.meta(0).dtype, sizes), fresh_meta(args, i64, sizes)};
}

Metas topk_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (self.dtype == boolean) fail_for_type(args, self.dtype);
  int64_t dim = wrap_dim(args, args.integer("dim"), self.layout.rank());
  SymInt k = args.size("k"), size = size_of_dim(self, dim);
  if (k < 0 || k > size)
    args.fail(ErrorKind::argument,
              fmt::format("k {} is out of range for dim {} of size {}", to_string(k), dim, to_string(size)));
  return values_and_indices(args, with_size(self.layout.sizes, dim, k));
}

Metas kthvalue_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (self.dtype == boolean) fail_for_type(args, self.dtype);
  int64_t dim = wrap_dim(args, args.integer("dim"), self.layout.rank());
  SymInt k = args.size("k"), size = size_of_dim(self, dim);
  if (k < 1 || k > size)
    args.fail(ErrorKind::argument,
              fmt::format("k {} is out of range for dim {} of size {}", to_string(k), dim, to_string(size)),
              "need 1 <= k <= size");
  SymDims sizes = with_size(self.layout.sizes, dim, 1);
  if (!args.flag("keepdim") && !sizes.empty()) sizes.erase(sizes.begin() + dim);
  return values_and_indices(args, sizes);
}

// --- unique -----------------------------------------------------------------------------------------------------

// What is left, where each element went, and how often each came; the last two are empty where nobody asks.
Metas unique_metas(const OpArgs& args, Layout values, SymDims inverse, SymInt count, bool wants_inverse,
                   bool wants_counts) {
  TensorMeta self = args.meta(0);
  self.layout = std::move(values);
  return {self, fresh_meta(args, i64, wants_inverse ? inverse : SymDims{0}),
          fresh_meta(args, i64, SymDims{wants_counts ? count : SymInt(0)})};
}

Metas unique_elements_meta(const OpArgs& args) {
  SymDims sizes = args.meta(0).layout.sizes;
  SymInt count = count_from_data(args, numel(sizes));
  return unique_metas(args, contiguous_layout({count}), sizes, count, args.flag("return_inverse"),
                      args.flag("return_counts"));
}

// The values' dim `dim` is outermost in memory.
Metas unique_slices_meta(const OpArgs& args) {
  SymDims sizes = args.meta(0).layout.sizes;
  if (sizes.empty()) args.fail(ErrorKind::shape, "a zero-dim tensor has no slices", "need at least one dim");
  int64_t dim = wrap_dim(args, args.integer("dim"), args.meta(0).layout.rank());
  SymInt whole = sizes[dim], count = count_from_data(args, whole);
  sizes[dim] = count;
  Dims order = {dim};
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i)
    if (i != dim) order.push_back(i);
  return unique_metas(args, {sizes, strides_in_order(sizes, order), 0}, {whole}, count, true, true);
}

Metas unique_consecutive_meta(const OpArgs& args) {
  bool is_flat = args["dim"].is_none() || (args.integer("dim") == 0 && args.meta(0).layout.rank() == 1);
  return is_flat ? unique_elements_meta(args) : unique_slices_meta(args);
}

Values run_unique(const OpArgs& args) {
  Values all = apply(op_defs::unique2_default, {args[0], args["sorted"], args["return_inverse"], false}, args.here());
  return {all[0], all[1]};
}

// The gradient goes to where each result came from.
Values run_value_selecting_reduction_backward(const OpArgs& args) {
  Here here = args.here();
  Tensor grad = args.tensor(0), indices = args.tensor(2);
  SymDims sizes = args.sizes("sizes");
  int64_t dim = wrap_dim(args, args.integer("dim"), int64_t(sizes.size()));
  if (!args.flag("keepdim") && !sizes.empty()) {
    grad = grad.unsqueeze(dim, here);
    indices = indices.unsqueeze(dim, here);
  }
  Tensor zero = zeros(sizes, grad.dtype(), here);
  return apply(op_defs::scatter_src, {zero, dim, indices, grad}, here);
}

}  // namespace

namespace op_defs {

constinit const OpDef sort_stable = routine(
    "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor "
    "indices)",
    sort_meta);
constinit const OpDef sort_default = decomposed(
    "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", run_sort);
constinit const OpDef argsort_default =
    decomposed("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", run_argsort);
constinit const OpDef argsort_stable = decomposed(
    "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor", run_argsort);
constinit const OpDef msort_default = decomposed("aten::msort(Tensor self) -> Tensor", run_msort);

constinit const OpDef topk_default = routine(
    "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor "
    "indices)",
    topk_meta);
constinit const OpDef kthvalue_default =
    routine("aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
            kthvalue_meta);

constinit const OpDef unique_default = composite(
    "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)", run_unique);
constinit const OpDef unique2_default = sized_by_data(
    "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, "
    "Tensor, Tensor)",
    unique_elements_meta);
constinit const OpDef unique_dim_default = sized_by_data(
    "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> "
    "(Tensor, Tensor, Tensor)",
    unique_slices_meta);
constinit const OpDef unique_dim_consecutive_default = sized_by_data(
    "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> "
    "(Tensor, Tensor, Tensor)",
    unique_slices_meta);
constinit const OpDef unique_consecutive_default = sized_by_data(
    "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> "
    "(Tensor, Tensor, Tensor)",
    unique_consecutive_meta);

constinit const OpDef value_selecting_reduction_backward_default = decomposed(
    "aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) -> "
    "Tensor",
    run_value_selecting_reduction_backward);

}  // namespace op_defs

}  // namespace sinter
