// Numbers of inputs before and after the passes.

#include <sinter/runtime/input_order.h>

namespace sinter::runtime {

using graph::NodeKind;

InputOrder::InputOrder(const graph::Graph& graph) {
  for (NodeKind kind : {NodeKind::placeholder, NodeKind::get_attr}) {
    for (const auto& node : graph.nodes) {
      if (node->kind != kind) continue;
      places.emplace(node->name, static_cast<int>(metas.size()));
      metas.push_back(node->metas[0]);
    }
  }
}

void renumber_inputs(codegen::Program& program, const graph::Graph& graph, const InputOrder& order) {
  std::vector<int> places;
  for (const auto& node : graph.nodes)
    if (node->kind != NodeKind::call_function) places.push_back(order.places.at(node->name));
  for (codegen::ProgramBuffer& buffer : program.buffers)
    if (buffer.kind == fusion::BufferKind::input) buffer.source = places[buffer.source];
}

void dump_sources(const codegen::Program& program, Stages& stages, std::string_view extension) {
  if (!stages.dumps()) return;
  stages.dump("program", to_string(program));
  for (const codegen::KernelSource& kernel : program.kernels)
    stages.dump(fmt::format("kernel_{}.{}", kernel.name, extension), kernel.text);
}

}  // namespace sinter::runtime
