// Building graphs: appending nodes and naming them.

#include <sinter/graph/graph.h>

#include <sinter/graph/trace.h>

namespace sinter::graph {

Node* Graph::append(std::unique_ptr<Node> node, std::string_view hint) {
  auto [entry, is_new] = used_names_.try_emplace(std::string(hint), 0);
  node->name = is_new ? std::string(hint) : fmt::format("{}_{}", hint, ++entry->second);
  while (!is_new && !used_names_.try_emplace(node->name, 0).second)
    node->name = fmt::format("{}_{}", hint, ++entry->second);
  node->index = static_cast<int>(nodes.size());
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

Node* Graph::append_placeholder(TensorMeta meta, std::string_view target, Here where) {
  auto node = std::make_unique<Node>();
  node->kind = NodeKind::placeholder;
  node->target = target;
  node->metas.push_back(std::move(meta));
  node->where = where;
  return append(std::move(node), target);
}

Node* Graph::append_call(const OpDef& op, std::vector<Argument> args, std::vector<TensorMeta> metas, Here where) {
  auto node = std::make_unique<Node>();
  node->op = &op;
  node->args = std::move(args);
  node->metas = std::move(metas);
  node->where = where;
  return append(std::move(node), op.schema().name);
}

void Graph::number_nodes() {
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i]->index = static_cast<int>(i);
}

Value fake_value(NodeOutput output) {
  if (output.node->number) return *output.node->number;
  // Of no trace (id 0 is never given out): such tensors only answer questions about shapes.
  return Tensor(meta_of(output), Storage(), FakeOrigin{0, output.node, output.output});
}

Values fake_arguments(const Node& node) {
  Values values;
  values.reserve(node.args.size());
  for (const Argument& argument : node.args) values.push_back(to_value(argument, fake_value));
  return values;
}

}  // namespace sinter::graph
