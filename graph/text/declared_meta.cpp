// Comparison of declared results with those of infer_meta.

#include <sinter/graph/text/declared_meta.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/passes/insert_size_checks.h>

namespace sinter::graph {

std::string fault_of(const TensorMeta& meta) {
  const Layout& layout = meta.layout;
  for (SymInt size : layout.sizes)
    if (size.hint() < 0) return fmt::format("size {} is negative", sinter::to_string(size));
  for (SymInt stride : layout.strides)
    if (stride.hint() < 0) return fmt::format("stride {} is negative", sinter::to_string(stride));
  if (layout.offset.hint() < 0) return fmt::format("offset {} is negative", sinter::to_string(layout.offset));
  if (!is_addressable(layout, byte_size(meta.dtype)))
    return fmt::format("{} reaches past 2^63 bytes", sinter::to_string(meta));
  return {};
}

namespace {

// Sizes that are expressions compare by their example values.
bool are_equal(const SymDims& a, const SymDims& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](SymInt left, SymInt right) { return left.hint() == right.hint(); });
}

// The value in whose memory a view lies.
NodeOutput base_of(const Node& view) {
  NodeOutput base = view.args[0].output();
  while (base.node->op && base.node->op->view) base = base.node->args[0].output();
  return base;
}

// How far an argument's memory goes only a call can tell; that of a value is the value itself.
bool leaves_memory(const Node& view) {
  NodeOutput base = base_of(view);
  const Layout &layout = view.metas[0].layout, &memory = meta_of(base).layout;
  if (base.node->kind != NodeKind::call_function || numel(layout.sizes).hint() == 0) return false;
  return layout.offset.hint() < memory.offset.hint() || extent_end(layout).hint() > extent_end(memory).hint();
}

}  // namespace

std::string fault_of_results(const Node& node) {
  for (const TensorMeta& meta : node.metas)
    if (std::string fault = fault_of(meta); !fault.empty()) return fault;
  bool tells_sizes = node.op->library == Library::sizing_routine || !sizes_given_by(node).empty();
  if (node.op->composite || tells_sizes) return {};
  Values arguments = fake_arguments(node);
  Metas metas = infer_meta(OpArgs(*node.op, arguments, node.where));
  if (metas.size() != node.metas.size()) return fmt::format("{} gives {} results", node.op->name(), metas.size());
  bool is_placed = node.op->view || node.op->inplace_of;
  for (size_t i = 0; i < metas.size(); ++i) {
    const TensorMeta& declared = node.metas[i];
    bool agrees = declared.dtype == metas[i].dtype && are_equal(declared.layout.sizes, metas[i].layout.sizes);
    if (is_placed) agrees &= same_layout(declared.layout, metas[i].layout);
    if (!agrees)
      return fmt::format("{} gives {}, not {}", node.op->name(), sinter::to_string(metas[i]),
                         sinter::to_string(declared));
  }
  if (node.op->view && leaves_memory(node))
    return fmt::format("{} leaves the memory of {}", sinter::to_string(node.metas[0]),
                       sinter::to_string(meta_of(base_of(node))));
  return {};
}

}  // namespace sinter::graph
