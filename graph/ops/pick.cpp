// sinter::pick: how indexing reads, checked and ready to fuse.

#include <sinter/graph/ops/pick.h>

#include <sinter/graph/graph.h>
#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/index.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/segment.h>
#include <sinter/graph/ops/view.h>

namespace sinter {

namespace {

// An index's layout among the result's dims.
Layout index_beside_kept_dims(const IndexedShape& shape, const Tensor& index) {
  Layout layout;
  for (size_t i = 0; i < shape.before.size(); ++i) layout.sizes.push_back(1), layout.strides.push_back(0);
  Layout expanded = *expand_layout(index.layout(), shape.index_sizes);
  for (int64_t i = 0; i < expanded.rank(); ++i) {
    layout.sizes.push_back(expanded.sizes[i]);
    layout.strides.push_back(expanded.strides[i]);
  }
  for (size_t i = 0; i < shape.after.size(); ++i) layout.sizes.push_back(1), layout.strides.push_back(0);
  return layout;
}

Metas pick_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  std::vector<Tensor> list = args.tensors("indices");
  if (args.flag("aligned")) {
    for (const Tensor& index : list)
      if (index.defined()) return {fresh_meta(args, self.dtype, index.sizes())};
  }
  Layout layout = indexed_layout(args, self.layout, index_of_each_dim(args, list));
  if (!args.flag("keeps_order")) layout = contiguous_layout(layout.sizes);
  return {{self.dtype, self.device, layout}};
}

// Column k of nonzero(mask), and where repeat_interleave takes elements from, name elements whatever the data are.
bool is_surely_in_range(const Tensor& index, SymInt size) {
  const graph::Node* node = index.impl()->fake.node;
  if (!index.is_fake() || !node || !node->op) return false;
  if (node->op == &op_defs::repeat_interleave_tensor)
    return graph::meta_of(node->args[0].output()).layout.sizes[0].same(size);
  bool is_column = node->op == &op_defs::select_int && node->args[0].output().node->op == &op_defs::nonzero_default;
  if (!is_column || !node->args[1].value().sym_int().same(1)) return false;
  const SymDims& mask = graph::meta_of(node->args[0].output().node->args[0].output()).layout.sizes;
  SymInt column = node->args[2].value().sym_int();
  return column.is_constant() && column.hint() >= 0 && column.hint() < static_cast<int64_t>(mask.size()) &&
         mask[column.hint()].same(size);
}

// A traced call, and one on a GPU, checks before it reads; an eager one on the CPU as it reads.
void check_traced_indices(const OpArgs& args, const Tensor& self, const std::vector<Tensor>& indices, Picking how) {
  for (size_t dim = 0; dim < indices.size(); ++dim) {
    if (!indices[dim].defined()) continue;
    if (!indices[dim].is_fake() && indices[dim].device().is_cpu()) continue;
    SymInt size = self.sizes()[dim];
    if (is_surely_in_range(indices[dim], size)) continue;
    check_elements(args, indices[dim], how.wraps ? -size : SymInt(0), size - 1,
                   "index {} is out of range for " + place_of_index(args, dim, size_in_message(size)), "");
  }
}

}  // namespace

// The order of the result in memory is TensorIterator's, of self (which does not move along the indices' dims) and the
// indices.
Layout indexed_layout(const OpArgs& args, const Layout& self, const std::vector<Tensor>& index_of_dim) {
  IndexedShape shape = indexed_shape(args, self, index_of_dim);
  std::vector<Layout> inputs(1);
  inputs[0].sizes = shape.sizes;
  for (int64_t dim : shape.before) inputs[0].strides.push_back(self.strides[dim]);
  for (size_t i = 0; i < shape.index_sizes.size(); ++i) inputs[0].strides.push_back(0);
  for (int64_t dim : shape.after) inputs[0].strides.push_back(self.strides[dim]);
  for (int64_t dim : shape.indexed) inputs.push_back(index_beside_kept_dims(shape, index_of_dim[dim]));
  SmallVector<const Layout*, 4> layouts;
  for (const Layout& input : inputs) layouts.push_back(&input);
  return {shape.sizes, pointwise_strides(shape.sizes, layouts), 0};
}

Tensor pick(const OpArgs& args, const Tensor& self, const std::vector<Tensor>& indices, Picking how) {
  check_traced_indices(args, self, indices, how);
  return apply_one(op_defs::pick_default,
                   {self, indices, how.aligned, how.wraps, how.keeps_order, args.op().schema().name}, args.here());
}

namespace op_defs {

constinit const OpDef pick_default = routine(
    "sinter::pick(Tensor self, Tensor?[] indices, bool aligned, bool wraps, bool keeps_order, str user_op) -> Tensor",
    pick_meta);

}  // namespace op_defs

}  // namespace sinter
