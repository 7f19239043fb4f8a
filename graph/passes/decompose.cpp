// Replays the graph through a trace that decomposes as it records.

#include <sinter/graph/passes/decompose.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/late_guards.h>
#include <sinter/graph/trace.h>

namespace sinter::graph {

namespace {

using Replacements = std::unordered_map<const Node*, std::vector<NodeOutput>>;

Argument replaced(const Argument& argument, const Replacements& replacements) {
  return map_outputs(argument, [&](NodeOutput o) { return Argument(replacements.at(o.node)[o.output]); });
}

// The results of the decomposition in the new graph.
std::vector<NodeOutput> expand(Trace& trace, const Node& node, const Replacements& replacements) {
  Values values;
  auto fake = [&](NodeOutput o) { return trace.value_of(replacements.at(o.node)[o.output]); };
  for (const Argument& argument : node.args) values.push_back(to_value(argument, fake));
  ActivateTrace activate(&trace);
  LateGuards shows_nothing(nullptr);
  InheritLocation inherit(node.where);
  OpArgs args(*node.op, values, node.where);
  InheritDevice inherit_device(args);
  Values results = run_decomposition(args);
  SINTER_CHECK(results.size() == node.metas.size(), "{} gives {} results, not {}", node.op->name(), results.size(),
               node.metas.size());
  std::vector<NodeOutput> outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    NodeOutput output = trace.output_of(results[i].tensor(), node.where);
    const TensorMeta &made = meta_of(output), &declared = node.metas[i];
    SINTER_CHECK(
        made.dtype == declared.dtype && made.device == declared.device && same_layout(made.layout, declared.layout),
        "{} is {} but decomposes to {}", node.name, to_string(declared), to_string(made));
    outputs.push_back(output);
  }
  return outputs;
}

// The captured tensors in the order of their nodes. `known`: places of those that the graph had before.
std::vector<Tensor> in_node_order(const Graph& graph, const std::unordered_map<const Node*, size_t>& known) {
  if (graph.attributes.empty()) return {};  // a graph that was read from text has none
  std::vector<Tensor> ordered;
  size_t next = known.size();
  for (const auto& node : graph.nodes) {
    if (node->kind != NodeKind::get_attr) continue;
    auto found = known.find(node.get());
    ordered.push_back(graph.attributes[found == known.end() ? next++ : found->second]);
  }
  return ordered;
}

}  // namespace

bool decompose(Graph& graph) {
  bool any = false;
  for (const auto& node : graph.nodes) any |= node->op && node->op->decompose;
  if (!any) return false;

  Trace trace;
  trace.decomposes = true;
  trace.graph().attributes = std::move(graph.attributes);  // what is captured on the way comes after these
  std::unordered_map<const Node*, size_t> known;
  Replacements replacements;
  for (const auto& node : graph.nodes) {
    if (node->op && node->op->decompose) {
      replacements[node.get()] = expand(trace, *node, replacements);
      continue;
    }
    std::vector<Argument> args;
    for (const Argument& argument : node->args) args.push_back(replaced(argument, replacements));
    Node* copy = trace.copy_node(*node, std::move(args));
    if (node->kind == NodeKind::get_attr) known.emplace(copy, known.size());
    for (size_t i = 0; i < node->metas.size(); ++i) replacements[node.get()].push_back({copy, static_cast<int>(i)});
  }
  std::vector<Argument> results;
  for (const Argument& result : graph.results) results.push_back(replaced(result, replacements));
  graph = trace.take_graph();
  graph.results = std::move(results);
  graph.attributes = in_node_order(graph, known);
  graph.number_nodes();
  return true;
}

}  // namespace sinter::graph
