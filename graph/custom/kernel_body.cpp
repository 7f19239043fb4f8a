// Traces the function alone, so that its writes concern nobody else.

#include <sinter/graph/custom/kernel_body.h>

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/custom/rules.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/passes/decompose.h>
#include <sinter/graph/passes/functionalize.h>
#include <sinter/graph/trace.h>

#include <algorithm>

namespace sinter::graph {

namespace {

void append_tensors(std::vector<Tensor>& tensors, const Value& value) {
  if (value.is_tensor()) tensors.push_back(value.tensor());
  if (!value.is_list()) return;
  for (const Value& element : value.list()) append_tensors(tensors, element);
}

// Nothing but memory of its own may be written: written arguments are copies here.
void check_writes(const Graph& body, const OpArgs& args) {
  std::vector<std::string> parameters;  // of each placeholder
  for (size_t i = 0; i < args.values().size(); ++i) {
    std::vector<Tensor> tensors;
    append_tensors(tensors, args.values()[i]);
    parameters.insert(parameters.end(), tensors.size(), args.op().schema().parameters[i].name);
  }
  for (const auto& node : body.nodes) {
    if (!node->op || !node->op->inplace_of) continue;
    size_t placeholder = 0;
    for (const auto& owner : body.nodes) {
      if (owner->kind == NodeKind::call_function) continue;
      bool is_argument = owner->kind == NodeKind::placeholder;
      std::string what =
          is_argument ? fmt::format("its argument `{}`, which its schema does not say", parameters[placeholder++])
                      : "a tensor that it captured";
      if (owner->storages[0] == node->storages[0])
        fail_custom(args, ErrorKind::argument, fmt::format("its function writes {}", what),
                    is_argument ? "Tensor(a!) in the schema for each tensor that is written, or clone() it first"
                                : "an argument Tensor(a!) for each tensor that is written, or clone() it first");
    }
  }
}

// A result counts from the start of memory of its own.
Tensor own_result(const OpArgs& args, const Tensor& result) {
  if (!result.is_fake())
    fail_custom(args, ErrorKind::argument, "its function gives a tensor that it captured",
                "a result with memory of its own: clone() it");
  if (result.layout().offset.same(0)) return result;
  return apply_one(op_defs::clone_default, {result}, args.here());
}

}  // namespace

Graph kernel_body(const OpArgs& args) {
  const CustomDefinition& definition = *custom_of(args.op());
  std::shared_ptr<const CustomFunctions> functions = definition.functions(args.here());
  Values given(args.values().begin(), args.values().end());
  for (Value& value : given)  // a launch holds its numbers
    if (value.is_scalar() && value.scalar().is_traced()) value = value.scalar().known(args.here());
  Trace trace;
  Values fakes = trace.fake_copies(OpArgs(args.op(), given, args.here()));
  std::vector<Tensor> results;
  {
    ActivateTrace activate(&trace);
    InheritLocation inherit(args.here());
    InheritDevice inherit_device(args);
    Values own = custom_rules::with_copies(OpArgs(args.op(), fakes, args.here()));
    OpArgs on_copies(args.op(), own, args.here());
    for (const Tensor& result : fresh_results(on_copies, functions->visible(on_copies), "function"))
      results.push_back(own_result(args, result));
    if (definition.is_functional_of(args.op()))
      for (size_t i = definition.written().size(); i-- > 0;)
        results.insert(results.begin(), own[definition.written()[i]].tensor());
    trace.set_results(results, args.here());
  }
  Graph body = trace.take_graph();
  check_writes(body, args);
  functionalize(body);
  return body;
}

std::vector<Tensor> insert_body(Graph body, const OpArgs& args, Trace& trace) {
  if (trace.decomposes) decompose(body);
  std::vector<Tensor> arguments;
  for (const Value& value : args.values()) append_tensors(arguments, value);
  std::unordered_map<const Node*, std::vector<NodeOutput>> placed;
  auto at = [&](NodeOutput output) { return Argument(placed.at(output.node)[output.output]); };
  size_t next_argument = 0, next_captured = 0;
  for (const auto& node : body.nodes) {
    if (node->kind == NodeKind::placeholder) {
      placed[node.get()] = {trace.output_of(arguments[next_argument++], args.here())};
    } else if (node->kind == NodeKind::get_attr) {
      placed[node.get()] = {trace.output_of(body.attributes[next_captured++], args.here())};
    } else {
      std::vector<Argument> operands;
      for (const Argument& argument : node->args) operands.push_back(map_outputs(argument, at));
      Node* copy = trace.copy_node(*node, std::move(operands));
      for (size_t i = 0; i < node->metas.size(); ++i) placed[node.get()].push_back({copy, static_cast<int>(i)});
    }
  }
  std::vector<Tensor> results;
  for (const Argument& result : body.results) results.push_back(trace.fake_of(at(result.output()).output()));
  return results;
}

namespace {

// Somebody besides the graph holds it, or a view of it.
bool is_held_elsewhere(const Tensor& attribute) {
  return attribute.impl()->references > 1 || (attribute.storage() && attribute.storage()->references > 1);
}

void refuse_if_written(const Graph& graph, NodeOutput hidden, const Node& reader) {
  for (const auto& node : graph.nodes)
    if (node->op && node->op->inplace_of && node->storages[0] == hidden.node->storages[0])
      throw Error(ErrorKind::unsupported, node->where,
                  fmt::format("{}: the function writes a tensor that {} reads besides its arguments", node->op->name(),
                              custom_of(*reader.op)->name()),
                  {{"written", to_string(meta_of(hidden))}}, "pass the tensor to the operator as an argument");
}

}  // namespace

void lift_hidden_inputs(Trace& trace) {
  std::vector<std::pair<const Node*, Tensor>> hidden;
  for (const auto& node : trace.graph().nodes) {
    const CustomDefinition* op = node->op ? custom_of(*node->op) : nullptr;
    if (!op || op->kind() != CustomKind::kernel) continue;
    Values arguments = fake_arguments(*node);
    Graph body = kernel_body(OpArgs(*node->op, arguments, node->where));
    for (const Tensor& attribute : body.attributes)
      if (is_held_elsewhere(attribute)) hidden.emplace_back(node.get(), attribute);
  }
  for (const auto& [reader, tensor] : hidden)
    refuse_if_written(trace.graph(), trace.output_of(tensor, reader->where), *reader);
}

}  // namespace sinter::graph
