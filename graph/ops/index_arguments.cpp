// Checks of index tensors, and the shapes of index lists.

#include <sinter/graph/ops/index_arguments.h>

#include <sinter/graph/ops/index.h>
#include <sinter/graph/ops/types.h>
#include <sinter/graph/shape_facts.h>

#include <algorithm>

namespace sinter {

Tensor tensor_argument(const OpArgs& args, std::string_view parameter) {
  int slot = args.op().schema().find(parameter);
  return args.has(slot) ? args.tensor(slot) : Tensor();
}

TensorMeta fresh_meta(const OpArgs& args, DType dtype, SymDims sizes) {
  return {dtype, args.meta(0).device, contiguous_layout(sizes)};
}

Metas contiguous_like_self(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  return {fresh_meta(args, self.dtype, self.layout.sizes)};
}

Metas preserved_like_self(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  self.layout = {self.layout.sizes, preserved_strides(self.layout), 0};
  return {self};
}

namespace {

TensorMeta meta_named(const OpArgs& args, std::string_view parameter) {
  return args.meta(args.op().schema().find(parameter));
}

[[noreturn]] void fail_type(const OpArgs& args, std::string_view parameter, DType dtype, std::string need) {
  args.fail(ErrorKind::dtype, fmt::format("`{}` is {}", parameter, name(dtype)), std::move(need));
}

}  // namespace

void check_index_type(const OpArgs& args, std::string_view parameter) {
  DType dtype = meta_named(args, parameter).dtype;
  if (dtype != i32 && dtype != i64) fail_type(args, parameter, dtype, "need i32 or i64");
}

void check_long(const OpArgs& args, std::string_view parameter) {
  DType dtype = meta_named(args, parameter).dtype;
  if (dtype != i64) fail_type(args, parameter, dtype, "need i64");
}

void check_bool_mask(const OpArgs& args, std::string_view parameter) {
  DType dtype = meta_named(args, parameter).dtype;
  if (dtype != boolean) fail_type(args, parameter, dtype, "need a bool mask");
}

SymDims broadcast_with_mask(const OpArgs& args) {
  SymDims self = args.meta(0).layout.sizes, mask = args.meta(1).layout.sizes;
  std::optional<SymDims> both = broadcast_sizes(self, mask);
  if (!both)
    args.fail(ErrorKind::shape,
              fmt::format("self and mask do not broadcast ({} vs {})", to_string(self), to_string(mask)));
  return *both;
}

void check_same_type(const OpArgs& args, std::string_view parameter) {
  DType self = args.meta(0).dtype, dtype = meta_named(args, parameter).dtype;
  if (dtype != self)
    args.fail(
        ErrorKind::dtype,
        fmt::format("{} is {}, `{}` is {}", args.op().schema().parameters[0].name, name(self), parameter, name(dtype)),
        "need equal types");
}

SymDims with_size(SymDims sizes, int64_t dim, SymInt size) {
  if (!sizes.empty()) sizes[dim] = size;
  return sizes;
}

namespace {

// The op that the user called, of which this one may be a part.
std::string user_op(const OpArgs& args) {
  const Schema& schema = args.op().schema();
  int slot = schema.find("user_op");
  return slot < 0 ? schema.name : args[slot].string();
}

}  // namespace

SymDims at_least_1d(const SymDims& sizes) { return sizes.empty() ? SymDims{1} : sizes; }

std::string place_of_index(const OpArgs& args, int64_t dim, std::string_view size) {
  bool is_flat = user_op(args) == "take" || user_op(args) == "put";
  return is_flat ? fmt::format("{} elements", size) : fmt::format("dim {} of size {}", dim, size);
}

void fail_out_of_range(const OpArgs& args, int64_t index, int64_t dim, int64_t size) {
  throw Error(ErrorKind::argument, args.here(),
              fmt::format("{}: index {} is out of range for {}", user_op(args), index,
                          place_of_index(args, dim, std::to_string(size))));
}

// --- Index lists ------------------------------------------------------------------------------------------------

namespace {

bool is_mask(const Tensor& index) { return index.defined() && (index.dtype() == boolean || index.dtype() == u8); }

void check_mask_sizes(const OpArgs& args, const Tensor& mask, size_t first) {
  SymDims sizes = args.meta(0).layout.sizes;
  for (int64_t i = 0; i < mask.dim(); ++i)
    if (first + i < sizes.size() && !(mask.sizes()[i] == sizes[first + i]))
      args.fail(ErrorKind::argument, fmt::format("a mask of sizes {} does not fit dim {} of size {}",
                                                 to_string(mask.sizes()), first + i, to_string(sizes[first + i])));
}

// Column `dim` of nonzero(mask).
std::vector<Tensor> true_positions(const OpArgs& args, const Tensor& mask) {
  Tensor positions = apply_one(op_defs::nonzero_default, {mask}, args.here());
  std::vector<Tensor> columns;
  for (int64_t dim = 0; dim < mask.dim(); ++dim) columns.push_back(positions.select(1, dim, args.here()));
  return columns;
}

}  // namespace

bool has_mask(const std::vector<Tensor>& list) { return std::any_of(list.begin(), list.end(), is_mask); }

bool has_fake(const std::vector<Tensor>& list) {
  return std::any_of(list.begin(), list.end(), [](const Tensor& t) { return t.defined() && t.is_fake(); });
}

std::vector<Tensor> index_of_each_dim(const OpArgs& args, const std::vector<Tensor>& list) {
  std::vector<Tensor> of_dim;
  if (list.empty()) args.fail(ErrorKind::argument, "the list of indices is empty", "need at least one index");
  for (const Tensor& index : list) {
    if (!is_mask(index)) {
      if (index.defined() && index.dtype() != i64 && index.dtype() != i32)
        args.fail(ErrorKind::dtype, fmt::format("an index is {}", name(index.dtype())), "need i32, i64, bool or u8");
      of_dim.push_back(index);
      continue;
    }
    check_mask_sizes(args, index, of_dim.size());
    if (index.is_fake() && !graph::active_shape_facts())
      args.fail(ErrorKind::trace, "how many elements a mask selects is known only from data, which a fake tensor lacks",
                "use where, or call it outside of the traced function");
    for (Tensor& column : true_positions(args, index)) of_dim.push_back(std::move(column));
  }
  size_t rank = args.meta(0).layout.sizes.size();
  if (of_dim.size() > rank)
    args.fail(ErrorKind::argument, fmt::format("{} indices for a tensor of rank {}", of_dim.size(), rank));
  of_dim.resize(rank);
  return of_dim;
}

namespace {

SymDims broadcast_indices(const OpArgs& args, const std::vector<Tensor>& index_of_dim) {
  SymDims sizes;
  for (const Tensor& index : index_of_dim) {
    if (!index.defined()) continue;
    std::optional<SymDims> both = broadcast_sizes(sizes, index.sizes());
    if (!both)
      args.fail(ErrorKind::shape,
                fmt::format("indices do not broadcast ({} vs {})", to_string(sizes), to_string(index.sizes())));
    sizes = *both;
  }
  return sizes;
}

}  // namespace

IndexedShape indexed_shape(const OpArgs& args, const Layout& self, const std::vector<Tensor>& index_of_dim) {
  IndexedShape shape;
  Dims kept;
  for (int64_t dim = 0; dim < self.rank(); ++dim) (index_of_dim[dim].defined() ? shape.indexed : kept).push_back(dim);
  bool side_by_side =
      shape.indexed.empty() || shape.indexed.back() - shape.indexed.front() + 1 == int64_t(shape.indexed.size());
  for (int64_t dim : kept)
    (side_by_side && !shape.indexed.empty() && dim < shape.indexed.front() ? shape.before : shape.after).push_back(dim);

  shape.index_sizes = broadcast_indices(args, index_of_dim);
  for (int64_t dim : shape.before) shape.sizes.push_back(self.sizes[dim]);
  for (SymInt size : shape.index_sizes) shape.sizes.push_back(size);
  for (int64_t dim : shape.after) shape.sizes.push_back(self.sizes[dim]);
  // How many indices there are may be a question of data: the check of the indices themselves answers then.
  SymInt count = numel(shape.index_sizes);
  if (!is_unbacked(count) && !(count == 0))
    for (int64_t dim : shape.indexed)
      if (is_known_to_be(self.sizes[dim], 0))
        throw Error(ErrorKind::argument, args.here(),
                    fmt::format("{}: an index is out of range for dim {} of size 0", user_op(args), dim));
  return shape;
}

}  // namespace sinter
