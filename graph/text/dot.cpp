// Writes the nodes, kernel by kernel, then the edges.

#include <sinter/graph/text/dot.h>

#include <sinter/graph/text/print_graph.h>

#include <set>

namespace sinter::graph {

namespace {

// A text in double quotes; \n separates lines of a label.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result + "\"";
}

std::string label(const Node& node) {
  std::string text = node.name;
  if (node.op) text += "\n" + target_text(*node.op);
  if (node.number) text += fmt::format("\nScalar({})", sinter::to_string(*node.number));
  for (const TensorMeta& meta : node.metas)
    if (!node.number) text += "\n" + sinter::to_string(meta);
  return text;
}

class Picture {
 public:
  Picture(const Graph& graph, std::span<const FusedKernel> kernels) : graph_(graph), kernels_(kernels) {}

  std::string text() {
    text_ = "digraph {\n  node [shape=box, fontname=monospace]\n";
    for (size_t k = 0; k < kernels_.size(); ++k) frame(k);
    for (const auto& node : graph_.nodes)
      if (!drawn_.contains(node.get())) box(*node, "  ");
    text_ += "  result [shape=plaintext]\n";
    for (const auto& node : graph_.nodes) edges(*node);
    std::set<const Node*> returned;
    for (const Argument& result : graph_.results)
      visit_outputs(result, [&](NodeOutput output) {
        if (returned.insert(output.node).second)
          text_ += fmt::format("  {} -> result\n", quoted("%" + output.node->name));
      });
    return text_ + "}\n";
  }

 private:
  void frame(size_t k) {
    const FusedKernel& kernel = kernels_[k];
    std::set<std::string> names(kernel.nodes.begin(), kernel.nodes.end());
    text_ += fmt::format("  subgraph cluster_{} {{\n    label={}\n", k, quoted(kernel.name));
    for (const auto& node : graph_.nodes)
      if (names.contains(node->name) && !drawn_.contains(node.get())) box(*node, "    ");
    text_ += "  }\n";
  }

  void box(const Node& node, std::string_view indent) {
    drawn_.insert(&node);
    std::string_view style = node.op ? "" : ", style=rounded";
    text_ += fmt::format("{}{} [label={}{}]\n", indent, quoted("%" + node.name), quoted(label(node)), style);
  }

  void edges(const Node& node) {
    std::set<const Node*> operands;
    visit_outputs(node, [&](NodeOutput output) {
      if (operands.insert(output.node).second)
        text_ += fmt::format("  {} -> {}\n", quoted("%" + output.node->name), quoted("%" + node.name));
    });
  }

  const Graph& graph_;
  std::span<const FusedKernel> kernels_;
  std::string text_;
  std::set<const Node*> drawn_;
};

}  // namespace

std::string to_dot(const Graph& graph, std::span<const FusedKernel> kernels) { return Picture(graph, kernels).text(); }

}  // namespace sinter::graph
