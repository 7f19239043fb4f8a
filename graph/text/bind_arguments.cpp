// Binding of arguments, through fake tensors that stand for node outputs.

#include <sinter/graph/text/bind_arguments.h>

#include <map>

namespace sinter::graph {

namespace {

Value to_value(const Argument& argument) {
  if (argument.is_output()) return fake_value(argument.output());
  if (!argument.is_list()) return argument.value();
  Value::List list;
  for (const Argument& element : argument.list()) list.push_back(to_value(element));
  return list;
}

// The nodes that give the numbers among arguments.
using NumberNodes = std::map<int, Node*>;

void note_numbers(const Argument& argument, NumberNodes& nodes) {
  visit_outputs(argument, [&](NodeOutput output) {
    if (output.node->number) nodes[output.node->number->traced_number().id] = output.node;
  });
}

Argument to_argument(const Value& value, const NumberNodes& numbers) {
  if (value.is_scalar() && value.scalar().is_traced())
    return NodeOutput{numbers.at(value.scalar().traced_number().id), 0};
  if (value.is_tensor()) {
    const FakeOrigin& origin = value.tensor().impl()->fake;
    return NodeOutput{origin.node, origin.output};
  }
  if (!value.is_list()) return Argument(value);
  Argument::List list;
  for (const Value& element : value.list()) list.push_back(to_argument(element, numbers));
  return list;
}

}  // namespace

std::vector<Argument> bind_arguments(const OpDef& op, const std::vector<Argument>& positional,
                                     const NamedArguments& keywords, Here here) {
  Values values;
  NumberNodes numbers;
  for (const Argument& argument : positional) {
    values.push_back(to_value(argument));
    note_numbers(argument, numbers);
  }
  NamedValues named;
  for (const auto& [name, argument] : keywords) {
    named.emplace_back(name, to_value(argument));
    note_numbers(argument, numbers);
  }
  std::vector<Argument> bound;
  for (const Value& value : sinter::bind_arguments(op.schema(), values, named, here))
    bound.push_back(to_argument(value, numbers));
  return bound;
}

std::vector<int64_t> storages_of(const Node& node, int64_t& next) {
  int64_t shared = -1;
  bool shares = node.op && (node.op->view || node.op->inplace_of);
  if (shares && !node.args.empty() && node.args[0].is_output()) {
    NodeOutput self = node.args[0].output();
    shared = self.node->storages[self.output];
  }
  std::vector<int64_t> storages;
  for (size_t i = 0; i < node.metas.size(); ++i) storages.push_back(shared >= 0 ? shared : next++);
  return storages;
}

}  // namespace sinter::graph
