// The table of backends, and the one that runs a graph op by op.

#include <sinter/runtime/backend.h>

#include <sinter/graph/nearest_name.h>
#include <sinter/runtime/compile.h>

#include <map>
#include <mutex>

namespace sinter {

namespace {

struct Table {
  std::mutex mutex;
  std::map<std::string, Backend, std::less<>> backends = {
      {"native", runtime::native_backend}, {"inductor", runtime::native_backend}, {"eager", runtime::eager_backend}};
};
Table& table() {
  static Table instance;
  return instance;
}

}  // namespace

void register_backend(std::string name, Backend backend) {
  std::lock_guard lock(table().mutex);
  table().backends[std::move(name)] = backend;
}

Backend find_backend(std::string_view name, Here here) {
  std::lock_guard lock(table().mutex);
  auto found = table().backends.find(name);
  if (found != table().backends.end()) return found->second;
  std::vector<std::string> names;
  std::string list;
  for (const auto& [known, backend] : table().backends) {
    names.push_back(known);
    list += (list.empty() ? "" : ", ") + known;
  }
  throw Error(ErrorKind::argument, here, fmt::format("compile: there is no backend '{}'", name), {},
              fmt::format("did you mean '{}'? there are: {}", nearest_name(name, names), list));
}

namespace runtime {

namespace {

class GraphRunner : public Executable {
 public:
  explicit GraphRunner(graph::Graph graph) : graph_(std::move(graph)) { graph_.number_nodes(); }

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override {
    std::vector<Values> values(graph_.nodes.size());
    size_t placeholders = 0;
    for (const auto& node : graph_.nodes) placeholders += node->kind == graph::NodeKind::placeholder;
    size_t next_argument = 0, next_captured = placeholders;
    for (const auto& node : graph_.nodes) {
      Values& slot = values[node->index];
      switch (node->kind) {
        case graph::NodeKind::placeholder: slot = {*inputs[next_argument++]}; break;
        case graph::NodeKind::get_attr: slot = {*inputs[next_captured++]}; break;
        case graph::NodeKind::call_function: slot = call(*node, values); break;
      }
    }
    for (size_t i = 0; i < results.size(); ++i)
      if (graph_.results[i].is_output()) results[i] = value_of(graph_.results[i], values).tensor();
  }

 private:
  static Value value_of(const graph::Argument& argument, const std::vector<Values>& values) {
    return to_value(argument, [&](graph::NodeOutput o) { return values[o.node->index][o.output]; });
  }

  static Values call(const graph::Node& node, const std::vector<Values>& values) {
    Values positional;
    NamedValues keywords;
    const Schema& schema = node.op->schema();
    for (size_t i = 0; i < node.args.size(); ++i) {
      Value value = value_of(node.args[i], values);
      if (schema.parameters[i].keyword_only)
        keywords.push_back({schema.parameters[i].name, std::move(value)});
      else
        positional.push_back(std::move(value));
    }
    return apply(*node.op, positional, keywords, node.where);
  }

  graph::Graph graph_;
};

}  // namespace

std::unique_ptr<Executable> eager_backend(graph::Graph graph, const Options&, Stages&) {
  return std::make_unique<GraphRunner>(std::move(graph));
}

}  // namespace runtime
}  // namespace sinter
