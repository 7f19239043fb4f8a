// One backward sweep that marks what is used, then a filter.

#include <sinter/graph/passes/remove_dead_nodes.h>

#include <sinter/graph/passes/insert_size_checks.h>

namespace sinter::graph {

namespace {

bool has_side_effects(const Node& node) {
  return node.kind != NodeKind::call_function || node.op->inplace_of || node.op->may_fail_on_data ||
         node.op->structured == Structured::random ||  // drawing numbers moves the generator on
         !sizes_given_by(node).empty();                // others may be sized by what it gives
}

}  // namespace

bool remove_dead_nodes(Graph& graph) {
  graph.number_nodes();
  std::vector<bool> is_used(graph.nodes.size());
  auto use = [&](NodeOutput output) { is_used[output.node->index] = true; };
  for (const Argument& result : graph.results) visit_outputs(result, use);
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = *graph.nodes[i];
    if (has_side_effects(node)) is_used[i] = true;
    if (is_used[i]) visit_outputs(node, use);
  }
  size_t before = graph.nodes.size();
  std::erase_if(graph.nodes, [&](const auto& node) { return !is_used[node->index]; });
  graph.number_nodes();
  return graph.nodes.size() != before;
}

}  // namespace sinter::graph
