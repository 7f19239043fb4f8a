// Several tensors in one: cat, the stacks, products of coordinates.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/join.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/rearrange.h>
#include <sinter/graph/ops/reindex.h>

#include <algorithm>
#include <limits>

namespace sinter {

namespace {

// ATen lets tensors of sizes [0] stand beside tensors of any rank. Beside such of one dim they count as any other.
bool is_skipped(const Tensor& tensor, bool all_lines) {
  return tensor.dim() == 1 && (all_lines ? tensor.sizes()[0].same(0) : is_known_to_be(tensor.sizes()[0], 0));
}

// Channels last if all are.
SymDims joined_strides(const SymDims& sizes, const std::vector<Tensor>& tensors) {
  bool all = std::all_of(tensors.begin(), tensors.end(), [&](const Tensor& t) {
    return t.sizes().size() == sizes.size() && is_channels_last(t.layout());
  });
  return all ? channels_last_strides(sizes) : contiguous_strides(sizes);
}

Metas cat_meta(const OpArgs& args) {
  std::vector<Tensor> tensors = args.tensors("tensors");
  if (tensors.empty()) args.fail(ErrorKind::argument, "the list of tensors is empty");
  SmallVector<TypedOperand, 6> operands;
  const Tensor* first = nullptr;
  bool all_lines = std::ranges::all_of(tensors, [](const Tensor& tensor) { return tensor.dim() == 1; });
  for (const Tensor& tensor : tensors) {
    if (tensor.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no dim to join along");
    operands.push_back({tensor.dtype(), Rank::dense});
    if (!is_skipped(tensor, all_lines) && !first) first = &tensor;
  }
  DType dtype = result_type(operands);
  if (!first) {
    wrap_dim(args, args.integer("dim"), 1);
    return {{dtype, tensors[0].device(), contiguous_layout({0})}};
  }
  int64_t dim = wrap_dim(args, args.integer("dim"), first->dim());
  SymDims sizes = first->sizes();
  sizes[dim] = 0;
  for (const Tensor& tensor : tensors) {
    if (is_skipped(tensor, all_lines)) continue;
    bool fits = tensor.dim() == first->dim();
    for (int64_t i = 0; fits && i < tensor.dim(); ++i) fits = i == dim || tensor.sizes()[i] == sizes[i];
    if (!fits)
      args.fail(ErrorKind::shape, fmt::format("sizes differ beside dim {} ({} vs {})", dim, to_string(first->sizes()),
                                              to_string(tensor.sizes())));
    sizes[dim] += tensor.sizes()[dim];
  }
  return {{dtype, first->device(), {sizes, joined_strides(sizes, tensors), 0}}};
}

Values run_stack(const OpArgs& args) {
  std::vector<Tensor> tensors = args.tensors("tensors");
  if (tensors.empty()) args.fail(ErrorKind::argument, "the list of tensors is empty");
  int64_t dim = wrap_dim(args, args.integer("dim"), tensors[0].dim() + 1);
  std::vector<Tensor> rows;
  for (const Tensor& tensor : tensors) {
    if (!(tensor.sizes() == tensors[0].sizes()))
      args.fail(ErrorKind::shape,
                fmt::format("sizes differ ({} vs {})", to_string(tensors[0].sizes()), to_string(tensor.sizes())),
                "need tensors of equal sizes");
    rows.push_back(tensor.unsqueeze(dim, args.here()));
  }
  if (dim == tensors[0].dim()) return {cat(rows, dim, args.here())};
  // Joined along the dim that stands there, which then splits: as ATen does, for the memory order.
  SymDims sizes = tensors[0].sizes();
  sizes.insert(sizes.begin() + dim, static_cast<int64_t>(tensors.size()));
  return {cat(tensors, dim, args.here()).view(sizes, args.here())};
}

Values run_cat(const OpArgs& args) { return {cat(args.tensors("tensors"), args.integer("dim"), args.here())}; }

// --- Stacks along a given dim -----------------------------------------------------------------------------------

std::vector<Tensor> some_tensors(const OpArgs& args) {
  std::vector<Tensor> tensors = args.tensors("tensors");
  if (tensors.empty()) args.fail(ErrorKind::argument, "the list of tensors is empty");
  return tensors;
}

std::vector<Tensor> widened(const OpArgs& args, const OpDef& atleast) {
  std::vector<Tensor> tensors = some_tensors(args);
  for (Tensor& tensor : tensors) tensor = apply_one(atleast, {tensor}, args.here());
  return tensors;
}

Values run_hstack(const OpArgs& args) {
  std::vector<Tensor> tensors = widened(args, op_defs::atleast_1d_default);
  return {cat(tensors, tensors[0].dim() == 1 ? 0 : 1, args.here())};
}
Values run_vstack(const OpArgs& args) { return {cat(widened(args, op_defs::atleast_2d_default), 0, args.here())}; }
Values run_dstack(const OpArgs& args) { return {cat(widened(args, op_defs::atleast_3d_default), 2, args.here())}; }

Values run_column_stack(const OpArgs& args) {
  std::vector<Tensor> columns = some_tensors(args);
  for (Tensor& column : columns)
    if (column.dim() <= 1) column = column.reshape({column.numel(), 1}, args.here());
  return {apply_one(op_defs::hstack_default, {columns}, args.here())};
}

// --- Blocks -----------------------------------------------------------------------------------------------------

// Rows of blocks, each with zeros on both sides.
Values run_block_diag(const OpArgs& args) {
  std::vector<Tensor> blocks = args.tensors("tensors");
  SmallVector<TypedOperand, 6> operands;
  SymInt width = 0, left = 0;
  for (Tensor& block : blocks) {
    if (block.dim() > 2)
      args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", block.dim()), "need at most 2 dims");
    operands.push_back({block.dtype(), Rank::dense});
    block = block.dim() == 2 ? block : block.reshape({1, block.numel()}, args.here());
    width += block.sizes()[1];
  }
  if (blocks.empty()) return {zeros({1, 0}, default_dtype, args.here())};
  DType dtype = result_type(operands);
  for (Tensor& block : blocks) {
    Reindexing row({block.sizes()[0], width});
    row.start[1] = -left.constant();
    left += block.sizes()[1];
    block = reindex(block.to(dtype, args.here()), row, args.here());
  }
  return {cat(blocks, 0, args.here())};
}

// Each tensor is padded to a multiple of `num_chunks` along dim, cut into as many pieces, and the pieces are joined.
Values run_chunk_cat(const OpArgs& args) {
  std::vector<Tensor> tensors = some_tensors(args);
  int64_t chunks = args.integer("num_chunks");
  if (chunks < 1) args.fail(ErrorKind::argument, fmt::format("{} chunks", chunks), "need at least one");
  int64_t dim = wrap_dim(args, args.integer("dim"), tensors[0].dim());
  for (Tensor& tensor : tensors) {
    if (tensor.dim() <= dim)
      args.fail(ErrorKind::shape, fmt::format("a tensor of rank {} has no dim {}", tensor.dim(), dim));
    if (tensor.numel() == 0) args.fail(ErrorKind::shape, "an empty tensor cannot be cut");
    if (tensor.dtype() != tensors[0].dtype())
      args.fail(ErrorKind::dtype,
                fmt::format("types differ ({} vs {})", name(tensors[0].dtype()), name(tensor.dtype())));
    SymDims sizes = tensor.sizes(), rows;
    for (int64_t d = 0; d < dim; ++d) {
      if (!(sizes[d] == tensors[0].sizes()[d]))
        args.fail(ErrorKind::shape, fmt::format("sizes differ before dim {}", dim));
      rows.push_back(sizes[d]);
    }
    sizes[dim] = ceil_div(sizes[dim], chunks) * chunks;
    rows.push_back(chunks);
    rows.push_back(-1);
    tensor = reindex(tensor, Reindexing(sizes), args.here()).view(rows, args.here());
  }
  return {cat(tensors, dim + 1, args.here())};
}

// --- Coordinates ------------------------------------------------------------------------------------------------

Values run_broadcast_tensors(const OpArgs& args) {
  std::vector<Tensor> tensors = args.tensors("tensors");
  SymDims sizes;
  for (const Tensor& tensor : tensors) {
    std::optional<SymDims> both = broadcast_sizes(sizes, tensor.sizes());
    if (!both)
      args.fail(ErrorKind::shape,
                fmt::format("sizes do not broadcast ({} vs {})", to_string(sizes), to_string(tensor.sizes())));
    sizes = *both;
  }
  Values results;
  for (const Tensor& tensor : tensors) results.push_back(tensor.expand(sizes, args.here()));
  return results;
}

// A view of each along a dim of its own; `swaps`: those of the first two change places.
std::vector<Tensor> grid(const OpArgs& args, bool swaps) {
  std::vector<Tensor> lines = some_tensors(args);
  swaps &= lines.size() >= 2;
  if (swaps) std::swap(lines[0], lines[1]);
  SymDims sizes;
  for (const Tensor& line : lines) {
    if (line.dim() > 1)
      args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", line.dim()), "need at most 1 dim");
    if (line.dtype() != lines[0].dtype())
      args.fail(ErrorKind::dtype, fmt::format("types differ ({} vs {})", name(lines[0].dtype()), name(line.dtype())));
    sizes.push_back(line.numel());
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    SymDims along(lines.size(), 1);
    along[i] = -1;
    if (is_known_to_be(lines[i].numel(), 0)) along[i] = 0;
    lines[i] = lines[i].view(along, args.here()).expand(sizes, args.here());
  }
  if (swaps) std::swap(lines[0], lines[1]);
  return lines;
}

Values to_values(const std::vector<Tensor>& tensors) { return Values(tensors.begin(), tensors.end()); }

Values run_meshgrid(const OpArgs& args) { return to_values(grid(args, false)); }
Values run_meshgrid_indexing(const OpArgs& args) {
  const std::string& indexing = args["indexing"].string();
  if (indexing != "ij" && indexing != "xy")
    args.fail(ErrorKind::argument, fmt::format("there is no indexing `{}`", indexing), "need ij or xy");
  return to_values(grid(args, indexing == "xy"));
}

void check_lines(const OpArgs& args, const std::vector<Tensor>& tensors) {
  for (const Tensor& line : tensors)
    if (line.dim() != 1) args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", line.dim()), "need 1 dim");
}

Values run_cartesian_prod(const OpArgs& args) {
  check_lines(args, args.tensors("tensors"));
  std::vector<Tensor> columns = grid(args, false);
  if (columns.size() == 1) return {columns[0]};
  for (Tensor& column : columns) column = column.reshape({column.numel()}, args.here());
  return {stack(columns, 1, args.here())};
}

// In how many ways `more` + 1 of `size` elements can be chosen where each may be taken again; -1 if past all numbers.
int64_t choices(int64_t size, int64_t more) {
  if (size == 0) return 0;
  __int128 count = 1, fewer = std::min(size - 1, more + 1), greater = std::max(size - 1, more + 1);
  for (__int128 k = 1; k <= fewer; ++k) {
    count = count * (greater + k) / k;
    if (count > std::numeric_limits<int64_t>::max()) return -1;
  }
  return static_cast<int64_t>(count);
}

Metas combinations_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  int64_t r = args.integer("r");
  if (self.layout.rank() != 1)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.layout.rank()), "need 1 dim");
  if (r < 0) args.fail(ErrorKind::argument, fmt::format("r is {}", r), "need r >= 0");
  if (r == 0) return {{self.dtype, self.device, contiguous_layout({0})}};
  int64_t size = self.layout.sizes[0].constant();
  int64_t count = args.flag("with_replacement") ? choices(size, r - 1) : size < r ? 0 : choices(size - r + 1, r - 1);
  if (count < 0) args.fail(ErrorKind::argument, fmt::format("too many combinations of {} of {} elements", r, size));
  return {{self.dtype, self.device, contiguous_layout({count, r})}};
}

}  // namespace

namespace op_defs {

constinit const OpDef cat_default = {
    .signature = "aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
    .meta = cat_meta,
    .structured = Structured::cat,
};
constinit const OpDef concat_default = composite("aten::concat(Tensor[] tensors, int dim=0) -> Tensor", run_cat);
constinit const OpDef concatenate_default =
    composite("aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", run_cat);
constinit const OpDef hstack_default = decomposed("aten::hstack(Tensor[] tensors) -> Tensor", run_hstack);
constinit const OpDef vstack_default = decomposed("aten::vstack(Tensor[] tensors) -> Tensor", run_vstack);
constinit const OpDef row_stack_default = decomposed("aten::row_stack(Tensor[] tensors) -> Tensor", run_vstack);
constinit const OpDef dstack_default = decomposed("aten::dstack(Tensor[] tensors) -> Tensor", run_dstack);
constinit const OpDef column_stack_default =
    decomposed("aten::column_stack(Tensor[] tensors) -> Tensor", run_column_stack);
constinit const OpDef block_diag_default = decomposed("aten::block_diag(Tensor[] tensors) -> Tensor", run_block_diag);
constinit const OpDef chunk_cat_default =
    decomposed("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor", run_chunk_cat);
constinit const OpDef broadcast_tensors_default =
    composite("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", run_broadcast_tensors);
constinit const OpDef meshgrid_default = composite("aten::meshgrid(Tensor[] tensors) -> Tensor[]", run_meshgrid);
constinit const OpDef meshgrid_indexing =
    composite("aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", run_meshgrid_indexing);
constinit const OpDef cartesian_prod_default =
    composite("aten::cartesian_prod(Tensor[] tensors) -> Tensor", run_cartesian_prod);
constinit const OpDef combinations_default =
    routine("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", combinations_meta);
constinit const OpDef stack_default = decomposed("aten::stack(Tensor[] tensors, int dim=0) -> Tensor", run_stack);

}  // namespace op_defs

Tensor cat(const std::vector<Tensor>& tensors, int64_t dim, Here here) {
  return apply_one(op_defs::cat_default, {tensors, dim}, here);
}
Tensor stack(const std::vector<Tensor>& tensors, int64_t dim, Here here) {
  return apply_one(op_defs::stack_default, {tensors, dim}, here);
}

}  // namespace sinter
