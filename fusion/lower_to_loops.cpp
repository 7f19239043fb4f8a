// Dispatch of each node to its family's lowering, then the results.

#include <sinter/fusion/lower_to_loops.h>

#include <sinter/fusion/lower/lowering.h>
#include <sinter/graph/ops/pick.h>
#include <sinter/graph/trace.h>

namespace sinter::fusion {

namespace {

void lower_empty(Lowering& lowering, const graph::Node& node) {
  // Contents are unspecified: the buffer has no writer.
  lowering.add_buffer({const_cast<graph::Node*>(&node), 0});
}

void lower_node(Lowering& lowering, const graph::Node& node, ScanForm scans) {
  graph::InheritLocation decided_here(node.where);  // decisions on symbolic sizes belong to the line of the op
  const OpDef& op = *node.op;
  if (op.inplace_of) return lower_copy_into(lowering, node);
  if (op.pointwise.formula) return lower_pointwise(lowering, node);
  if (op.view) return lower_view(lowering, node);
  if (op.reduction.kind != ReductionKind::none) return lower_reduction(lowering, node);
  if (&op == &op_defs::pick_default) return lower_pick(lowering, node);  // its routine is for eager calls
  if (scans == ScanForm::loops && is_loop_scan(node)) return lower_scan(lowering, node);
  if (op.library != Library::none || op.structured == Structured::random) return lower_call(lowering, node);
  if (op.structured == Structured::empty) return lower_empty(lowering, node);
  if (op.structured == Structured::cat) return lower_cat(lowering, node);
  if (op.structured == Structured::strided_scatter) return lower_strided_scatter(lowering, node);
  if (op.structured == Structured::reindex) return lower_reindex(lowering, node);
  throw Error(ErrorKind::unsupported, node.where, fmt::format("{}: no lowering to loops", op.name()));
}

}  // namespace

Schedule lower_to_loops(const graph::Graph& graph, ScanForm scans) {
  Lowering lowering;
  int inputs = 0;
  for (const auto& node : graph.nodes) {
    if (node->number) lowering.know_number(*node);
    if (node->kind == graph::NodeKind::call_function) {
      lower_node(lowering, *node, scans);
      continue;
    }
    int buffer = lowering.input_buffer(inputs++, node->metas[0], node->name);
    lowering.schedule.buffers[buffer].is_number = node->number.has_value();
    lowering.place({node.get(), 0}, {buffer, identity_index(node->metas[0].layout.rank())});
  }
  for (const graph::Argument& result : graph.results) {
    if (!result.is_output()) {
      lowering.schedule.results.push_back({});
      continue;
    }
    const Placed& placed = lowering.placed(result.output());
    Buffer& buffer = lowering.schedule.buffers[placed.buffer];
    if (buffer.kind != BufferKind::input) buffer.kind = BufferKind::output;
    lowering.schedule.results.push_back({placed.buffer, layout_in_buffer(result.output(), placed)});
  }
  return std::move(lowering.schedule);
}

}  // namespace sinter::fusion
