// Backends that run a graph op by op: "eager", and "debug_eager", which checks each op.

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/passes/decompose.h>
#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/verify_graph.h>
#include <sinter/runtime/backend.h>
#include <sinter/runtime/custom/write_check.h>
#include <sinter/runtime/hidden_inputs.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/number_inputs.h>
#include <sinter/runtime/program_sizes.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

class GraphRunner : public Executable {
 public:
  GraphRunner(graph::Graph graph, InputOrder order) : graph_(std::move(graph)), order_(std::move(order)) {
    graph_.number_nodes();
    int data_symbols = 0;
    for (const auto& node : graph_.nodes)
      for (const graph::GivenSize& given : graph::sizes_given_by(*node))
        data_symbols = std::max(data_symbols, given.symbol + 1);
    sizes_ = ProgramSizes(order_.metas, data_symbols);
    for (const auto& node : graph_.nodes)
      for (const graph::Argument& argument : node->args)
        visit_sizes(argument, [&](SymInt size) { sizes_.amount(size); });
  }

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override {
    std::vector<Values> values(graph_.nodes.size());
    SizeValues sizes;
    if (!sizes_.is_static()) sizes_.bind(inputs, sizes);
    for (const auto& node : graph_.nodes) {
      Values& slot = values[node->index];
      bool is_input = node->kind != graph::NodeKind::call_function;
      slot = is_input ? Values{*inputs[order_.places.at(node->name)]} : call(*node, arguments_of(*node, values, sizes));
      if (node->number) slot = {number_in(on_cpu(slot[0].tensor()))};
      if (!is_input) take_sizes(*node, slot, sizes);
    }
    for (size_t i = 0; i < results.size(); ++i)
      if (graph_.results[i].is_output()) results[i] = value_of(graph_.results[i], values).tensor();
  }

 protected:
  // Calls the node's op with these arguments, in the order of its schema.
  virtual Values call(const graph::Node& node, const Values& arguments) const { return apply_node(node, arguments); }

  static Values apply_node(const graph::Node& node, const Values& arguments) {
    Values positional;
    NamedValues keywords;
    const Schema& schema = node.op->schema();
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (schema.parameters[i].keyword_only)
        keywords.push_back({schema.parameters[i].name, arguments[i]});
      else
        positional.push_back(arguments[i]);
    }
    return apply(*node.op, positional, keywords, node.where);
  }

  const graph::Graph& graph() const { return graph_; }

 private:
  // What the node's results say of sizes that only data tell.
  void take_sizes(const graph::Node& node, const Values& results, SizeValues& sizes) const {
    for (const graph::GivenSize& given : graph::sizes_given_by(node)) {
      const Tensor& result = results[given.output].tensor();
      SymInt value = given.dim < 0 ? result.item().size() : result.sizes()[given.dim];
      sizes_.give(given.symbol, value.constant(), sizes);
    }
  }

  static Tensor on_cpu(const Tensor& tensor) { return tensor.device().is_cpu() ? tensor : tensor.to(cpu); }

  static Value value_of(const graph::Argument& argument, const std::vector<Values>& values) {
    return to_value(argument, [&](graph::NodeOutput o) { return values[o.node->index][o.output]; });
  }

  Values arguments_of(const graph::Node& node, const std::vector<Values>& values, const SizeValues& sizes) const {
    Values arguments;
    for (const graph::Argument& argument : node.args) {
      Value value = value_of(argument, values);
      if (!sizes.empty()) value = with_numbers(value, [&](SymInt size) { return sizes_.number(size, sizes); });
      arguments.push_back(std::move(value));
    }
    return arguments;
  }

  graph::Graph graph_;
  InputOrder order_;
  ProgramSizes sizes_;
};

// Sizes that are known in the graph, strides where they mean something, dtype and device.
bool agree(const TensorMeta& real, const TensorMeta& fake) {
  auto known = [](SymInt size) { return size.is_constant(); };
  Layout made = real.layout, promised = fake.layout;
  if (made.rank() != promised.rank() || real.dtype != fake.dtype || !(real.device == fake.device)) return false;
  made.offset = promised.offset = 0;
  for (int64_t i = 0; i < made.rank(); ++i) {
    if (!known(promised.sizes[i])) promised.sizes[i] = made.sizes[i];
    if (!known(promised.strides[i])) promised.strides[i] = made.strides[i];
  }
  return same_layout(made, promised);
}

class CheckingRunner : public GraphRunner {
 public:
  using GraphRunner::GraphRunner;
  const graph::Graph* prepared_graph() const override { return &graph(); }

 protected:
  Values call(const graph::Node& node, const Values& arguments) const override {
    std::optional<WriteCheck> writes;
    if (graph::custom_of(*node.op)) writes.emplace(*node.op, arguments);
    Values results = apply_node(node, arguments);
    if (writes)
      for (const std::string& parameter : writes->undeclared_writes())
        fail(node, fmt::format("it writes its argument `{}`, which its schema does not say", parameter),
             "Tensor(a!) in the schema, or an implementation that writes only what it makes");
    if (results.size() != node.metas.size())
      fail(node, fmt::format("it gives {} results, its fake function {}", results.size(), node.metas.size()), {});
    for (size_t i = 0; i < results.size(); ++i) {
      const TensorMeta& real = results[i].tensor().meta();
      if (!agree(real, node.metas[i]))
        fail(node,
             fmt::format("result {} is {}, but its fake tensor said {}", i, to_string(real), to_string(node.metas[i])),
             "a fake function that gives what the op gives: sizes, strides, dtype and device");
    }
    return results;
  }

 private:
  [[noreturn]] void fail(const graph::Node& node, std::string message, std::string need) const {
    throw Error(ErrorKind::backend, node.where, fmt::format("{}: backend 'debug_eager': {}", node.op->name(), message),
                {{"node", node_text(graph(), node)}}, std::move(need));
  }
};

}  // namespace

std::unique_ptr<Executable> eager_backend(graph::Graph graph, const Options&, Stages&) {
  InputOrder order(graph);
  return std::make_unique<GraphRunner>(std::move(graph), std::move(order));
}

std::unique_ptr<Executable> debug_eager_backend(graph::Graph graph, const Options&, Stages& stages) {
  InputOrder order(graph);
  stages.run("decompose", graph, graph::decompose);
  stages.run("insert_size_checks", graph, graph::insert_size_checks);
  std::vector<Tensor> hidden = hidden_inputs(graph, order);
  return with_hidden_inputs(std::make_unique<CheckingRunner>(std::move(graph), std::move(order)), std::move(hidden));
}

}  // namespace sinter::runtime
