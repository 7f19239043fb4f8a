// Reading and writing at positions that other tensors hold: index, gather, take and their kin.

#include <sinter/graph/ops/index.h>

#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/pick.h>
#include <sinter/graph/shape_facts.h>

#include <algorithm>

namespace sinter {

namespace {

// --- nonzero ----------------------------------------------------------------------------------------------------

Values run_argwhere(const OpArgs& args) { return apply(op_defs::nonzero_default, {args[0]}, args.here()); }

// One tensor for each dim; a zero-dim tensor counts as [1].
Values run_nonzero_numpy(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (self.dim() == 0) self = self.unsqueeze(0, args.here());
  Tensor positions = apply_one(op_defs::nonzero_default, {self}, args.here());
  Values columns;
  for (int64_t dim = 0; dim < self.dim(); ++dim) columns.push_back(positions.select(1, dim, args.here()));
  return columns;
}

// Laid out by columns.
Metas nonzero_meta(const OpArgs& args) {
  const Layout& self = args.meta(0).layout;
  SymInt count = count_from_data(args, numel(self.sizes));
  return {{i64, cpu, {{count, SymInt(self.rank())}, {1, max(count, 1)}, 0}}};
}

Metas nonzero_static_meta(const OpArgs& args) {
  SymInt size = args.size("size");
  if (size < 0) args.fail(ErrorKind::argument, fmt::format("size {} is negative", to_string(size)));
  return {fresh_meta(args, i64, {size, SymInt(args.meta(0).layout.rank())})};
}

// --- index and index_put ----------------------------------------------------------------------------------------

Metas index_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  self.layout = indexed_layout(args, self.layout, index_of_each_dim(args, args.tensors("indices")));
  return {self};
}

// How many elements a mask picks only data tell: such indices do not fuse.
Values run_index(const OpArgs& args) {
  std::vector<Tensor> list = args.tensors("indices");
  bool any = std::any_of(list.begin(), list.end(), [](const Tensor& t) { return t.defined(); });
  if (has_mask(list) || !any) return apply(op_defs::unsafe_index_tensor, {args[0], args[1]}, args.here());
  return {pick(args, args.tensor(0), list, {.wraps = true, .keeps_order = true})};
}

void check_values_fit(const OpArgs& args, const std::vector<Tensor>& list) {
  if (has_mask(list) && has_fake(list)) return;  // the routine will know
  IndexedShape shape = indexed_shape(args, args.meta(0).layout, index_of_each_dim(args, list));
  const Layout& values = args.meta(2).layout;
  if (!expand_layout(values, shape.sizes))
    args.fail(ErrorKind::shape, fmt::format("values of sizes {} do not broadcast to the indexed sizes {}",
                                            to_string(values.sizes), to_string(shape.sizes)));
}

Metas index_put_meta(const OpArgs& args) {
  if (args[2].is_tensor()) check_same_type(args, "values");
  check_values_fit(args, args.tensors("indices"));
  return preserved_like_self(args);
}

// self[mask] = number
bool fills_where_true(const OpArgs& args, const std::vector<Tensor>& list) {
  SymInt values = numel(args.meta(2).layout.sizes);
  if (args.flag("accumulate") || !has_mask(list) || !is_known_to_be(values, 1)) return false;
  for (size_t i = 1; i < list.size(); ++i)
    if (list[i].defined()) return false;
  return list[0].defined();
}

Values run_index_put(const OpArgs& args) {
  Tensor self = args.tensor(0), values = args.tensor(2).to(self.dtype(), args.here());
  std::vector<Tensor> list = args.tensors("indices");
  if (!fills_where_true(args, list))
    return apply(op_defs::unsafe_index_put_default, {self, args[1], values, args["accumulate"]}, args.here());
  Tensor mask = list[0].to(boolean, args.here());
  while (mask.dim() < self.dim()) mask = mask.unsqueeze(-1, args.here());
  Tensor filled = where(mask, values.reshape({}, args.here()), self, args.here());
  return {apply_one(op_defs::copy_default, {self, filled}, args.here())};
}

// --- Along one dim ----------------------------------------------------------------------------------------------

Metas index_select_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0), index = args.meta(2);
  int64_t dim = wrap_dim(args, args.integer("dim"), self.layout.rank());
  check_index_type(args, "index");
  if (index.layout.rank() > 1)
    args.fail(ErrorKind::argument, fmt::format("the index has rank {}", index.layout.rank()), "need at most one dim");
  SymInt count = numel(index.layout.sizes);
  if (self.layout.rank() == 0 && !(count == 1))
    args.fail(ErrorKind::argument, fmt::format("{} indices into a zero-dim tensor", to_string(count)), "need one");
  return {fresh_meta(args, self.dtype, with_size(self.layout.sizes, dim, count))};
}

// A list with one index.
std::vector<Tensor> index_at(int64_t rank, int64_t dim, const Tensor& index) {
  std::vector<Tensor> list(rank);
  list[dim] = index;
  return list;
}

// A zero-dim tensor as a vector of one element.
Tensor as_vector(const Tensor& x, Here here) { return x.dim() == 0 ? x.reshape({1}, here) : x; }

Values run_index_select(const OpArgs& args) {
  Here here = args.here();
  Tensor self = as_vector(args.tensor(0), here), index = as_vector(args.tensor(2), here);
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor picked = pick(args, self, index_at(self.dim(), dim, index), {});
  return {args.meta(0).layout.rank() == 0 ? picked.reshape({}, here) : picked};
}

Metas gather_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0), index = args.meta(2);
  int64_t dim = wrap_dim(args, args.integer("dim"), self.layout.rank());
  TensorMeta result = fresh_meta(args, self.dtype, index.layout.sizes);
  if (is_known_to_be(numel(index.layout.sizes), 0)) return {result};
  check_index_type(args, "index");
  SymDims have = at_least_1d(self.layout.sizes), asked = at_least_1d(index.layout.sizes);
  bool fits = have.size() == asked.size();
  for (size_t i = 0; fits && i < have.size(); ++i) fits = int64_t(i) == dim || asked[i] <= have[i];
  if (!fits)
    args.fail(ErrorKind::shape, fmt::format("an index of sizes {} does not fit sizes {} beside dim {}",
                                            to_string(asked), to_string(have), dim));
  return {result};
}

Values run_gather(const OpArgs& args) {
  Here here = args.here();
  Tensor self = as_vector(args.tensor(0), here), index = args.tensor(2);
  if (is_known_to_be(index.numel(), 0)) return {empty(index.sizes(), self.dtype(), here)};
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor picked = pick(args, self, index_at(self.dim(), dim, as_vector(index, here)), {.aligned = true});
  return {index.dim() == 0 ? picked.reshape({}, here) : picked};
}

Metas take_meta(const OpArgs& args) {
  check_long(args, "index");
  return {fresh_meta(args, args.meta(0).dtype, args.meta(1).layout.sizes)};
}

// Of self's elements in row-major order.
Values run_take(const OpArgs& args) {
  return {pick(args, args.tensor(0).reshape({-1}, args.here()), {args.tensor(1)}, {.wraps = true})};
}

SymDims broadcast_beside(const OpArgs& args, const SymDims& sizes, const SymDims& others, int64_t dim) {
  std::optional<SymDims> both = broadcast_sizes(with_size(sizes, dim, 1), with_size(others, dim, 1));
  if (!both)
    args.fail(ErrorKind::shape,
              fmt::format("sizes {} and {} do not broadcast beside dim {}", to_string(sizes), to_string(others), dim));
  return with_size(*both, dim, sizes.empty() ? SymInt(1) : sizes[dim]);
}

// Negative indices count from the end.
Tensor counted_from_the_start(const Tensor& index, const SymDims& sizes, int64_t dim, Here here) {
  Scalar size = sizes.empty() ? SymInt(1) : sizes[dim];
  return where(lt(index, 0, here), add(index, size, 1, here), index, here);
}

Values take_flat(const Tensor& self, const Tensor& index, Here here) {
  return apply(op_defs::gather_default, {self, 0, counted_from_the_start(index, self.sizes(), 0, here)}, here);
}

Values run_take_along_dim(const OpArgs& args) {
  Here here = args.here();
  Tensor self = args.tensor(0), indices = args.tensor(1);
  check_long(args, "indices");
  if (args["dim"].is_none()) return take_flat(self.reshape({-1}, here), indices.reshape({-1}, here), here);
  if (self.dim() != indices.dim())
    args.fail(ErrorKind::shape, fmt::format("ranks {} and {} differ", self.dim(), indices.dim()));
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor wide = self.expand(broadcast_beside(args, self.sizes(), indices.sizes(), dim), here);
  Tensor index = indices.expand(broadcast_beside(args, indices.sizes(), self.sizes(), dim), here);
  return apply(op_defs::gather_default, {wide, dim, counted_from_the_start(index, self.sizes(), dim, here)}, here);
}

Metas put_meta(const OpArgs& args) {
  check_long(args, "index");
  check_same_type(args, "source");
  SymInt indices = numel(args.meta(1).layout.sizes), values = numel(args.meta(2).layout.sizes);
  if (!(indices == values))
    args.fail(ErrorKind::shape, fmt::format("{} indices for {} values", to_string(indices), to_string(values)));
  return preserved_like_self(args);
}

}  // namespace

// The indices with positions in place of masks.
Values with_positions(const OpArgs& args) {
  std::vector<Tensor> list = args.tensors("indices");
  if (!has_mask(list) || !graph::active_shape_facts()) return {};
  Values lifted(args.values().begin(), args.values().end());
  lifted[1] = index_of_each_dim(args, list);
  return lifted;
}

Values with_positions_unless_filled(const OpArgs& args) {
  return fills_where_true(args, args.tensors("indices")) ? Values() : with_positions(args);
}

namespace op_defs {

constinit const OpDef nonzero_default = sized_by_data("aten::nonzero(Tensor self) -> Tensor", nonzero_meta);
constinit const OpDef nonzero_numpy_default =
    composite("aten::nonzero_numpy(Tensor self) -> Tensor[]", run_nonzero_numpy);
constinit const OpDef nonzero_static_default =
    routine("aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor", nonzero_static_meta);
constinit const OpDef argwhere_default = composite("aten::argwhere(Tensor self) -> Tensor", run_argwhere);

constinit const OpDef index_tensor =
    decomposed("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", run_index, index_meta);
constinit const OpDef unsafe_index_tensor =
    routine("aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", index_meta);
constinit const OpDef index_put_default =
    decomposed("aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
               run_index_put, index_put_meta);
constinit const OpDef index_put_inplace_default =
    inplace("aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)",
            index_put_default);
constinit const OpDef unsafe_index_put_default =
    routine("aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
            index_put_meta);

constinit const OpDef index_select_default =
    decomposed("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", run_index_select, index_select_meta);
constinit const OpDef gather_default = decomposed(
    "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", run_gather, gather_meta);
constinit const OpDef take_default = decomposed("aten::take(Tensor self, Tensor index) -> Tensor", run_take, take_meta);
constinit const OpDef take_along_dim_default =
    decomposed("aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", run_take_along_dim);
constinit const OpDef put_default =
    routine("aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", put_meta);
constinit const OpDef put_inplace_default = inplace(
    "aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)", put_default);

}  // namespace op_defs

}  // namespace sinter
