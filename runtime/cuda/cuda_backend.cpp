// The list of steps for CUDA, and the question where a graph's work is.

#include <sinter/runtime/cuda/cuda_backend.h>

#include <sinter/codegen/generate_program.h>
#include <sinter/fusion/schedule_graph.h>
#include <sinter/graph/log.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/passes/delay_checks.h>
#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/graph/prepare_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/verify_graph.h>
#include <sinter/runtime/cuda/replay_program.h>
#include <sinter/runtime/cuda/stream.h>
#include <sinter/runtime/hidden_inputs.h>

#include <algorithm>
#include <unordered_set>

namespace sinter::runtime {

using graph::Graph;
using graph::Node;
using graph::NodeKind;

namespace {

// Inputs of the CPU that a kernel may take: single numbers, which nothing writes or returns.
bool is_number(const Node& node) {
  return node.kind != NodeKind::call_function && node.metas[0].device.is_cpu() && node.metas[0].layout.rank() == 0;
}

// Inputs that the graph writes to or returns, by themselves or as views.
std::unordered_set<const Node*> kept_inputs(const Graph& graph) {
  std::unordered_set<const Node*> kept;
  auto keep = [&](graph::NodeOutput output) {
    const Node* node = output.node;
    while (node->op && node->op->view) node = node->args[0].output().node;
    kept.insert(node);
  };
  for (const auto& node : graph.nodes)
    if (node->op && node->op->inplace_of) keep(node->args[0].output());
  for (const graph::Argument& result : graph.results)
    if (result.is_output()) keep(result.output());
  return kept;
}

// The one device of all work in the graph; nothing if there are several.
std::optional<Device> device_of_work(const Graph& graph) {
  std::optional<Device> device;
  std::unordered_set<const Node*> kept = kept_inputs(graph);
  for (const auto& node : graph.nodes) {
    if (node->number || (is_number(*node) && !kept.contains(node.get()))) continue;
    for (const TensorMeta& meta : node->metas) {
      if (device && !(*device == meta.device)) return std::nullopt;
      device = meta.device;
    }
  }
  return device;
}

codegen::CudaTarget target_of(const CudaDevice& device) {
  codegen::CudaTarget target;
  target.architecture = device.capability;
  target.multiprocessors = device.multiprocessors;
  target.shared_bytes = device.shared_bytes;
  return target;
}

}  // namespace

bool uses_cuda(const Graph& graph) {
  for (const auto& node : graph.nodes)
    for (const TensorMeta& meta : node->metas)
      if (!meta.device.is_cpu()) return true;
  return false;
}

std::unique_ptr<CudaProgram> build_cuda_program(Graph graph, const InputOrder& order, const CudaDevice& device,
                                                Stages& stages) {
  codegen::CudaTarget target = target_of(device);
  fusion::Schedule schedule = fusion::schedule_graph(graph, codegen::fusion_limits(target), stages);
  codegen::Program program =
      stages.time("generate_program", [&] { return codegen::generate_program(schedule, target); });
  renumber_inputs(program, graph, order);
  dump_sources(program, stages, "cu");
  auto kernels = stages.time("compile_kernels", [&] { return load_cuda_kernels(program.kernels, device); });
  return std::make_unique<CudaProgram>(device, std::move(graph), std::move(schedule), std::move(program), order.metas,
                                       std::move(kernels));
}

std::unique_ptr<Executable> cuda_backend(Graph graph, const Options& options, Stages& stages) {
  bool waits_for_data = std::ranges::any_of(graph.nodes, [](auto& node) { return !sizes_given_by(*node).empty(); });
  if (waits_for_data) {
    log(LogTopic::fusion, "{}: sizes that only data tell, on a GPU: op by op", options.name);
    return eager_backend(std::move(graph), options, stages);
  }
  std::optional<Device> device = device_of_work(graph);
  if (!device) {
    log(LogTopic::fusion, "{}: work on several devices: op by op", options.name);
    return eager_backend(std::move(graph), options, stages);
  }
  const CudaDevice& opened = cuda_device(*device);
  InputOrder order(graph);
  auto captured =
      static_cast<size_t>(std::ranges::count(graph.nodes, NodeKind::get_attr, [](auto& n) { return n->kind; }));
  graph::prepare_graph(graph, stages);
  stages.run("delay_checks", graph, graph::delay_checks);
  std::vector<Tensor> hidden = hidden_inputs(graph, order);
  if (logs(LogTopic::graph)) write_log(LogTopic::graph, to_string(graph));
  std::unique_ptr<CudaProgram> program = build_cuda_program(std::move(graph), order, opened, stages);
  if (!options.cuda_graphs) return with_hidden_inputs(std::move(program), std::move(hidden));
  auto replayed = std::make_unique<ReplayedProgram>(std::move(program), opened, captured + hidden.size(), options.name);
  return with_hidden_inputs(std::move(replayed), std::move(hidden));
}

}  // namespace sinter::runtime
