// Looks for implementations by device, and for the texts of the kernels that an op launches.

#include <sinter/runtime/custom/check_implementations.h>

#include <sinter/graph/custom/rules.h>
#include <sinter/graph/custom/user_kernel.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/custom/custom_versions.h>
#include <sinter/runtime/kernel_cache.h>

namespace sinter::runtime {

using graph::CustomKind;
using graph::Node;

CustomVersions custom_ops_of(const graph::Graph& graph) {
  CustomVersions ops;
  for (const auto& node : graph.nodes) {
    const graph::CustomDefinition* op = node->op ? graph::custom_of(*node->op) : nullptr;
    bool is_known = !op;
    for (const CustomVersion& known : ops) is_known |= known.op == op;
    if (!is_known) ops.push_back({op, op->version()});
  }
  return ops;
}

namespace {

DeviceType device_of(const Node& node) {
  Device device;
  auto look = [&](graph::NodeOutput output) {
    if (device.is_cpu()) device = meta_of(output).device;
  };
  graph::visit_outputs(node, look);
  for (const TensorMeta& meta : node.metas)
    if (device.is_cpu()) device = meta.device;
  return device.type;
}

std::string_view name(DeviceType device) { return device == DeviceType::cpu ? "cpu" : "cuda"; }

// Why a launch can't be compiled for the device; empty if it can.
std::string missing_text(const Node& launch, DeviceType device) {
  Values arguments = graph::fake_arguments(launch);
  const UserKernel& kernel = graph::kernel_of(OpArgs(*launch.op, arguments, launch.where));
  bool is_cpu = device == DeviceType::cpu;
  if (!(is_cpu ? kernel.cpu_source : kernel.cuda_source).empty()) return {};
  return fmt::format("kernel '{}' has no {} text", kernel.key, is_cpu ? "C++" : "CUDA");
}

// Traces a kernel op's function alone, and looks at its launches.
std::string missing_text_inside(const Node& node, const graph::CustomFunctions& functions, DeviceType device) {
  graph::Trace scratch;
  scratch.decomposes = true;
  Values arguments = graph::fake_arguments(node);
  Values fakes = scratch.fake_copies(OpArgs(*node.op, arguments, node.where));
  {
    graph::ActivateTrace activate(&scratch);
    graph::InheritLocation inherit(node.where);
    graph::InheritDevice inherit_device(OpArgs(*node.op, fakes, node.where));
    Values own = graph::custom_rules::with_copies(OpArgs(*node.op, fakes, node.where));
    functions.visible(OpArgs(*node.op, own, node.where));
  }
  for (const auto& inner : scratch.graph().nodes)
    if (inner->op && inner->op->library == Library::launch)
      if (std::string missing = missing_text(*inner, device); !missing.empty()) return missing;
  return {};
}

std::string missing_kernel(const graph::CustomFunctions& functions, DeviceType device) {
  if (functions.kernels.contains(device)) return {};
  std::string known;
  for (const auto& [other, kernel] : functions.kernels)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(other));
  std::string_view reference = functions.reference ? ", and a reference implementation that only eager runs" : "";
  return fmt::format("it has no implementation for {} (it has: {}{})", name(device), known.empty() ? "none" : known,
                     reference);
}

// What is known besides the failure, and how to see it.
std::string known_of(bool eager_runs) {
  return eager_runs ? "capture succeeded, as compile(f, {.backend = \"eager\"}) shows"
                    : "capture succeeded; backend \"eager\" needs it, too";
}

[[noreturn]] void fail(const graph::Graph& graph, const Node& node, const Options& options, std::string_view op_name,
                       std::string cause, std::string need, bool eager_runs) {
  std::vector<ErrorNote> notes = {{"backend", options.backend}, {"node", node_text(graph, node)}};
  throw Error(ErrorKind::backend, node.where,
              fmt::format("{}: backend '{}' can't run it: {}", op_name, options.backend, cause), std::move(notes),
              fmt::format("{}; {}", need, known_of(eager_runs)));
}

}  // namespace

void explain_failed_kernel(const codegen::Program& program, const graph::Graph& graph, const Options& options,
                           const CompileTarget& target) {
  for (const codegen::Step& step : program.steps) {
    auto* kernel = std::get_if<codegen::KernelStep>(&step.what);
    for (const auto& node : graph.nodes) {
      bool is_launch = kernel && node->op && node->op->library == Library::launch && node->name == step.origins[0];
      if (!is_launch) continue;
      try {
        load_kernel(program.kernels[kernel->kernel], target);
      } catch (const Error& failure) {
        fail(graph, *node, options, "wrap_kernel",
             fmt::format("kernel '{}' does not compile: {}", node->args[0].value().string(), failure.message()),
             "a text that the compiler takes", /*eager_runs=*/false);
      }
    }
  }
}

void check_implementations(const graph::Graph& graph, const Options& options) {
  for (const auto& node : graph.nodes) {
    if (!node->op) continue;
    DeviceType device = device_of(*node);
    std::string_view text = device == DeviceType::cpu ? "cpu" : "cuda";
    std::string add_text = fmt::format("kernel(name, {{.{} = ...}})", text);
    if (node->op->library == Library::launch)
      if (std::string missing = missing_text(*node, device); !missing.empty())
        fail(graph, *node, options, "wrap_kernel", missing, add_text, /*eager_runs=*/false);
    const graph::CustomDefinition* op = graph::custom_of(*node->op);
    if (!op || op->kind() == CustomKind::elementwise) continue;
    auto functions = op->functions(node->where);
    bool is_opaque = op->kind() == CustomKind::opaque;
    std::string missing =
        is_opaque ? missing_kernel(*functions, device) : missing_text_inside(*node, *functions, device);
    if (!missing.empty())
      fail(graph, *node, options, op->name(), missing,
           is_opaque ? fmt::format("op.register_kernel({}, function)", text) : add_text,
           /*eager_runs=*/static_cast<bool>(functions->reference));
  }
}

}  // namespace sinter::runtime
