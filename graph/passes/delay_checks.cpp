// One backward sweep that finds what the rest does not need, then the late ones behind the others, each in its order.

#include <sinter/graph/passes/delay_checks.h>

#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/passes/insert_size_checks.h>

#include <algorithm>

namespace sinter::graph {

namespace {

bool is_check(const Node& node) { return node.op == &op_defs::check_range_default; }

// Others may see when it runs, or whether it does.
bool has_a_place(const Node& node) {
  return node.kind != NodeKind::call_function || node.op->inplace_of || node.op->may_fail_on_data ||
         node.op->structured == Structured::random || !sizes_given_by(node).empty();
}

}  // namespace

bool delay_checks(Graph& graph) {
  graph.number_nodes();
  size_t count = graph.nodes.size();
  std::vector<bool> is_late(count), rest_needs(count), late_needs(count);
  for (const Argument& result : graph.results)
    visit_outputs(result, [&](NodeOutput output) { rest_needs[output.node->index] = true; });
  for (size_t i = count; i-- > 0;) {
    const Node& node = *graph.nodes[i];
    is_late[i] = is_check(node) || (late_needs[i] && !rest_needs[i] && !has_a_place(node));
    std::vector<bool>& needs = is_late[i] ? late_needs : rest_needs;
    visit_outputs(node, [&](NodeOutput output) { needs[output.node->index] = true; });
  }
  auto writes = std::ranges::find_if(graph.nodes, [](const auto& node) { return node->op && node->op->inplace_of; });
  auto stays = [&](const auto& node) { return !is_late[node->index]; };
  bool moves = !std::is_partitioned(graph.nodes.begin(), writes, stays);
  std::vector<std::unique_ptr<Node>> late;
  auto end = graph.nodes.begin();
  for (auto node = graph.nodes.begin(); node != writes; ++node) {
    if (stays(*node))
      *end++ = std::move(*node);
    else
      late.push_back(std::move(*node));
  }
  std::ranges::move(late, end);
  graph.number_nodes();
  return moves;
}

}  // namespace sinter::graph
