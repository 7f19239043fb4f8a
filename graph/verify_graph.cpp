// Order, arity, types and names.

#include <sinter/graph/verify_graph.h>

#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/graph/sym_expr.h>
#include <sinter/graph/text/print_graph.h>

#include <unordered_set>

namespace sinter::graph {

namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph) {}

  void run() {
    size_t attributes = 0;
    for (const auto& node : graph_.nodes) {
      require(node != nullptr, "a node is null");
      check(!node->name.empty() && names_.insert(node->name).second, *node, "its name is taken or empty");
      if (node->kind == NodeKind::call_function)
        check_call(*node);
      else
        check(node->metas.size() == 1 && node->args.empty(), *node,
              "it is no call, and has not one result and no arguments");
      attributes += node->kind == NodeKind::get_attr;
      check_results(*node);
      check_sizes(*node);
      known_.insert(node.get());
    }
    require(attributes == graph_.attributes.size() || graph_.attributes.empty(),
            fmt::format("it reads {} captured tensors and has {}", attributes, graph_.attributes.size()));
    for (const Argument& result : graph_.results) check_returned(result);
  }

 private:
  void require(bool holds, std::string_view what) const {
    if (holds) return;
    throw Error(ErrorKind::internal, Here::current(),
                fmt::format("internal: verify_graph: {}\n{}", what, to_string(graph_)));
  }

  void check(bool holds, const Node& node, std::string_view what) const {
    if (!holds) require(false, fmt::format("node %{}: {}", node.name, what));
  }

  void check_returned(const Argument& result) const {
    require(result.is_output() || result.is_none(), "it returns what is neither a node nor None");
    if (result.is_none()) return;
    NodeOutput output = result.output();
    require(known_.contains(output.node), "it returns a node that is not in it");
    require(has_result(output), "it returns a result that its node does not have");
  }

  static bool has_result(NodeOutput output) {
    return output.output >= 0 && output.output < static_cast<int>(output.node->metas.size());
  }

  void check_call(const Node& node) const {
    check(node.op, node, "a call needs an op");
    check(!node.op->composite, node, "its op runs at once and is never recorded");
    const Schema& schema = node.op->schema();
    check(node.args.size() == schema.parameters.size(), node, "it has not as many arguments as its op has parameters");
    visit_outputs(node, [&](NodeOutput output) {
      check(known_.contains(output.node), node, "it uses a node that does not come before it");
      check(has_result(output), node, "it uses a result that its argument does not have");
    });
    for (size_t i = 0; i < node.args.size(); ++i) check_argument(node, schema.parameters[i], node.args[i]);
    bool is_open_ended = schema.returns.size() == 1 && schema.returns[0].is_list;
    check(is_open_ended || node.metas.size() == schema.returns.size(), node,
          "it has not as many results as its op returns");
  }

  void check_argument(const Node& node, const Parameter& parameter, const Argument& argument) const {
    if (argument.is_none()) return check(parameter.is_optional, node, "an argument that is not optional is missing");
    if (parameter.is_list) return check(argument.is_list(), node, "an argument should be a list");
    check(!argument.is_list(), node, "an argument should be no list");
    if (!argument.is_output()) return;
    bool takes_number = parameter.type == ArgType::scalar || parameter.type == ArgType::floating;
    bool is_number = argument.output().node->number.has_value() && takes_number;
    check(parameter.type == ArgType::tensor || is_number, node, "an argument should be no tensor");
  }

  // A size that only data tell is given by a node before it is used.
  void check_sizes(const Node& node) {
    for (const GivenSize& given : sizes_given_by(node)) given_.insert(given.symbol);
    auto check_size = [&](SymInt size) {
      visit_unbacked(size, [&](int symbol) {
        check(given_.contains(symbol), node, fmt::format("u{} is used, which no node before it gives", symbol));
      });
    };
    for (const TensorMeta& meta : node.metas) {
      for (SymInt size : meta.layout.sizes) check_size(size);
      for (SymInt stride : meta.layout.strides) check_size(stride);
      check_size(meta.layout.offset);
    }
    auto check_argument = [&](const Argument& argument, auto&& self) -> void {
      if (argument.is_list())
        for (const Argument& element : argument.list()) self(element, self);
      if (argument.is_value() && argument.value().is_sym_int()) check_size(argument.value().sym_int());
    };
    for (const Argument& argument : node.args) check_argument(argument, check_argument);
  }

  void check_results(const Node& node) const {
    check(node.storages.empty() || node.storages.size() == node.metas.size(), node,
          "it has not as many storages as results");
    bool may_be_number = node.metas.size() == 1 && node.metas[0].layout.rank() == 0;
    check(!node.number || may_be_number, node, "it is a number, and not zero-dim");
    if (node.op) check(!node.number || node.op->gives_number(), node, "its op gives no number");
    for (const TensorMeta& meta : node.metas) {
      check(meta.layout.sizes.size() == meta.layout.strides.size(), node, "sizes and strides differ in number");
      for (SymInt size : meta.layout.sizes) check(size.hint() >= 0, node, "a size is negative");
    }
  }

  const Graph& graph_;
  std::unordered_set<std::string> names_;
  std::unordered_set<const Node*> known_;
  std::unordered_set<int> given_;  // sizes that only data tell
};

}  // namespace

void verify(const Graph& graph) { Verifier(graph).run(); }

}  // namespace sinter::graph
