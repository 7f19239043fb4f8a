// Hash of op and arguments, in order of the nodes.

#include <sinter/graph/passes/merge_duplicates.h>

#include <sinter/graph/passes/insert_size_checks.h>

#include <algorithm>
#include <unordered_set>

namespace sinter::graph {

namespace {

void append_key(std::string& key, const Argument& argument) {
  if (argument.is_output()) {
    fmt::format_to(std::back_inserter(key), "%{}#{},", argument.output().node->index, argument.output().output);
  } else if (argument.is_list()) {
    key += '[';
    for (const Argument& element : argument.list()) append_key(key, element);
    key += ']';
  } else {
    const Value& value = argument.value();
    fmt::format_to(std::back_inserter(key), "{}:", value.variant().index());
    if (value.is_sym_int())
      key += to_string(value.sym_int()) + ",";
    else if (value.is_scalar())
      fmt::format_to(std::back_inserter(key), "{}:{},", static_cast<int>(value.scalar().kind()), value.scalar().bits());
    else if (value.is_string())
      key += value.string() + "',";
    else if (value.is_dtype())
      fmt::format_to(std::back_inserter(key), "{},", name(value.dtype()));
    else if (value.is_device())
      key += to_string(value.device()) + ",";
    else if (value.is_memory_format())
      fmt::format_to(std::back_inserter(key), "{},", static_cast<int>(value.memory_format()));
  }
}

// Of what a user's function does besides its result nothing is known: each call is made.
bool may_merge(const Node& node) {
  return node.op && !node.op->inplace_of && node.op->structured != Structured::random &&
         node.op->library != Library::custom && node.op->library != Library::launch;
}

// Each size that only data tell stays given by some node.
bool give_same_sizes(const Node& a, const Node& b) {
  auto symbol = [](const GivenSize& given) { return given.symbol; };
  return std::ranges::equal(sizes_given_by(a), sizes_given_by(b), {}, symbol, symbol);
}

// The nodes whose memory leaves the function, seen through views.
std::unordered_set<const Node*> escaping_nodes(const Graph& graph) {
  std::unordered_set<const Node*> escaping;
  for (const Argument& result : graph.results) {
    if (!result.is_output()) continue;
    const Node* node = result.output().node;
    escaping.insert(node);
    while (node->op && node->op->view) escaping.insert(node = node->args[0].output().node);
  }
  return escaping;
}

}  // namespace

bool merge_duplicates(Graph& graph) {
  graph.number_nodes();
  std::unordered_set<const Node*> escaping = escaping_nodes(graph);
  std::unordered_map<std::string, Node*> known;
  std::unordered_map<const Node*, Node*> merged;
  auto current = [&](NodeOutput o) {
    auto found = merged.find(o.node);
    return Argument(found == merged.end() ? o : NodeOutput{found->second, o.output});
  };
  for (const auto& node : graph.nodes) {
    for (Argument& argument : node->args) argument = map_outputs(argument, current);
    if (!may_merge(*node)) continue;
    std::string key = fmt::format("{}(", static_cast<const void*>(node->op));
    for (const Argument& argument : node->args) append_key(key, argument);
    auto [entry, is_new] = known.try_emplace(std::move(key), node.get());
    if (!is_new && !escaping.contains(node.get()) && give_same_sizes(*node, *entry->second))
      merged[node.get()] = entry->second;
  }
  if (merged.empty()) return false;
  for (Argument& result : graph.results) result = map_outputs(result, current);
  std::erase_if(graph.nodes, [&](const auto& node) { return merged.contains(node.get()); });
  graph.number_nodes();
  return true;
}

}  // namespace sinter::graph
