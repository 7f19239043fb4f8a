// The captured program: FX's node list. Nodes stand in execution order; each refers only to earlier ones.
//
// Passes rebuild the list or edit it in place; `verify_graph` checks the invariants between passes.

#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <sinter/graph/op.h>

namespace sinter::graph {

struct Node;

// One result of a node.
struct NodeOutput {
  Node* node = nullptr;
  int output = 0;
  bool operator==(const NodeOutput&) const = default;
};

// An argument of a node: Value with node results in place of tensors.
class Argument {
 public:
  using List = std::vector<Argument>;

  Argument() = default;
  Argument(NodeOutput output) : held_(output) {}
  Argument(List list) : held_(std::move(list)) {}
  // Any Value that holds no tensor and no list.
  explicit Argument(Value value) : held_(std::move(value)) {}

  bool is_output() const { return std::holds_alternative<NodeOutput>(held_); }
  bool is_list() const { return std::holds_alternative<List>(held_); }
  bool is_none() const { return is_value() && value().is_none(); }
  bool is_value() const { return std::holds_alternative<Value>(held_); }
  NodeOutput output() const { return std::get<NodeOutput>(held_); }
  const List& list() const { return std::get<List>(held_); }
  List& list() { return std::get<List>(held_); }
  const Value& value() const { return std::get<Value>(held_); }

 private:
  std::variant<Value, NodeOutput, List> held_;
};

enum class NodeKind : uint8_t {
  placeholder,    // an argument of the function
  get_attr,       // a real tensor that the function captured
  call_function,  // an op
};

struct Node {
  NodeKind kind = NodeKind::call_function;
  std::string name;    // unique in its graph
  std::string target;  // of placeholder and get_attr: which argument, which captured tensor
  const OpDef* op = nullptr;
  std::vector<Argument> args;     // in schema order, defaults included
  std::vector<TensorMeta> metas;  // one per result
  std::vector<int64_t> storages;  // one per result: which memory it lies in (until functionalize)
  std::optional<Scalar> number;   // its result is a number, which parameters of numbers take: a zero-dim tensor as data
  Here where;
  int index = 0;  // position in its graph, kept by Graph::number_nodes; scratch for passes
};

class Graph {
 public:
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Argument> results;   // what the function returns: outputs of nodes (none: an undefined tensor)
  std::vector<Tensor> attributes;  // of get_attr nodes, in their order

  Graph() = default;
  Graph(Graph&&) = default;
  Graph& operator=(Graph&&) = default;

  // Appends; gives it a free name made from `hint` ("add" -> add, add_1, ...).
  Node* append(std::unique_ptr<Node> node, std::string_view hint);
  Node* append_placeholder(TensorMeta meta, std::string_view target, Here where);
  Node* append_call(const OpDef& op, std::vector<Argument> args, std::vector<TensorMeta> metas, Here where);
  void number_nodes();

 private:
  std::unordered_map<std::string, int> used_names_;
};

// An argument tree with each node output replaced by f of it.
template <class F>
Argument map_outputs(const Argument& argument, F&& f) {
  if (argument.is_output()) return f(argument.output());
  if (!argument.is_list()) return argument;
  Argument::List list;
  list.reserve(argument.list().size());
  for (const Argument& element : argument.list()) list.push_back(map_outputs(element, f));
  return list;
}

// An argument tree as a Value, with f(output) in place of each node output.
template <class F>
Value to_value(const Argument& argument, F&& f) {
  if (argument.is_output()) return f(argument.output());
  if (!argument.is_list()) return argument.value();
  Value::List list;
  list.reserve(argument.list().size());
  for (const Argument& element : argument.list()) list.push_back(to_value(element, f));
  return list;
}

template <class F>
void visit_outputs(const Argument& argument, F&& f) {
  if (argument.is_output()) f(argument.output());
  if (argument.is_list())
    for (const Argument& element : argument.list()) visit_outputs(element, f);
}
template <class F>
void visit_outputs(const Node& node, F&& f) {
  for (const Argument& argument : node.args) visit_outputs(argument, f);
}

// A node's result as op functions want it: a fake tensor of no trace, or the number.
Value fake_value(NodeOutput output);

inline const TensorMeta& meta_of(NodeOutput output) { return output.node->metas[output.output]; }

// The bound arguments of a node as op functions want them: node results become fake tensors.
Values fake_arguments(const Node& node);

}  // namespace sinter::graph
