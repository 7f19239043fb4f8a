// Gathers an explanation from an entry, and prints it.

#include <sinter/runtime/explain.h>

#include <sinter/fusion/lower_to_loops.h>
#include <sinter/graph/text/dot.h>
#include <sinter/graph/text/json.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/runtime/compiled_function.h>
#include <sinter/runtime/cpu/compiler_library.h>

#include <set>

namespace sinter {

namespace runtime {

namespace {

int64_t buffer_bytes(const fusion::Buffer& buffer) {
  int64_t elements = 1;  // an expanded dim is one element in memory
  for (size_t i = 0; i < buffer.layout.sizes.size(); ++i)
    if (!buffer.layout.strides[i].same(0)) elements *= buffer.layout.sizes[i].hint();
  return elements * byte_size(buffer.dtype);
}

// Bytes of the buffers that a kernel reads and writes, each once; what stays inside the kernel is not counted.
void count_bytes(const fusion::Kernel& kernel, const fusion::Schedule& schedule, ExplainedKernel& explained) {
  std::set<int> read, written;
  if (kernel.call) {
    read.insert(kernel.call->inputs.begin(), kernel.call->inputs.end());
    written.insert(kernel.call->outputs.begin(), kernel.call->outputs.end());
  }
  for (const fusion::Nest& nest : kernel.nests) {
    for (const fusion::Load& load : nest.body.loads) read.insert(load.buffer);
    for (const fusion::Store& store : nest.stores) written.insert(store.buffer);
  }
  auto bytes = [&](const std::set<int>& buffers) {
    int64_t total = 0;
    for (int buffer : buffers)
      if (schedule.buffers[buffer].kind != fusion::BufferKind::local) total += buffer_bytes(schedule.buffers[buffer]);
    return total;
  };
  explained.bytes_read = bytes(read);
  explained.bytes_written = bytes(written);
}

void explain_program(const Executable& executable, Isa isa, Explanation& explanation) {
  const codegen::Program& program = *executable.program();
  const fusion::Schedule& schedule = *executable.schedule();
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const codegen::Step& step = program.steps[i];
    ExplainedKernel explained;
    if (auto* kernel = std::get_if<codegen::KernelStep>(&step.what)) {
      explained.name = program.kernels[kernel->kernel].name;
      explained.isa = isa;
      explained.source = program.kernels[kernel->kernel].text;
    } else {
      explained.name = std::get<codegen::LibraryStep>(step.what).op->name();
      explained.is_library_call = true;
    }
    explained.ops = step.origins;
    if (program.steps.size() == schedule.kernels.size()) count_bytes(schedule.kernels[i], schedule, explained);
    explanation.bytes_read += explained.bytes_read;
    explanation.bytes_written += explained.bytes_written;
    explanation.kernels.push_back(std::move(explained));
  }
  for (const std::string& decision : schedule.decisions) {
    bool refused = decision.find("-> no") != std::string::npos;
    (refused ? explanation.refused_fusions : explanation.fusions).push_back(decision);
  }
  explanation.arena_bytes = program.arena_bytes.hint();
}

}  // namespace

Explanation explain(const Entry& entry, const Options& options) {
  Explanation explanation;
  explanation.function = options.name;
  explanation.backend = options.backend;
  explanation.graph = entry.graph_text;
  explanation.stages = entry.stages;
  for (const graph::Guard& guard : entry.call.guards) {
    std::string text = to_string(guard);
    if (guard.where.line() != 0) text += fmt::format("  # {}", short_location(guard.where));
    explanation.guards.push_back(std::move(text));
  }
  for (const Tensor& captured : entry.call.captured) explanation.captured.push_back(to_string(captured.meta()));
  const graph::Graph* prepared = entry.executable->prepared_graph();
  if (prepared) explanation.prepared_graph = to_string(*prepared);
  if (entry.executable->program() && entry.executable->schedule()) {
    explain_program(*entry.executable, chosen_isa(options), explanation);
    explanation.fused = to_string(*entry.executable->schedule());
    graph::ShapeFacts shapes = *entry.call.shapes;  // lowering asks them again
    graph::ActivateShapeFacts decides(&shapes);
    if (prepared) explanation.loops = to_string(fusion::lower_to_loops(*prepared));
  }
  return explanation;
}

}  // namespace runtime

namespace {

void print_list(std::string& text, std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  text += fmt::format("\n{}:\n", title);
  for (const std::string& line : lines) text += fmt::format("  {}\n", line);
}

std::vector<graph::FusedKernel> kernels_of(const Explanation& explanation) {
  std::vector<graph::FusedKernel> kernels;
  for (const ExplainedKernel& kernel : explanation.kernels) kernels.push_back({kernel.name, kernel.ops});
  return kernels;
}

graph::Graph graph_of(const Explanation& explanation) {
  return graph::parse_graph(explanation.prepared_graph.empty() ? explanation.graph : explanation.prepared_graph);
}

}  // namespace

std::string assembly_of(const ExplainedKernel& kernel) {
  if (kernel.source.empty()) return {};
  return runtime::assembly_of(kernel.source, {.isa = kernel.isa}, kernel.name + ".cpp");
}

std::string to_json(const Explanation& e) { return graph::to_json(graph_of(e), kernels_of(e)); }
std::string to_dot(const Explanation& e) { return graph::to_dot(graph_of(e), kernels_of(e)); }

std::string to_string(const Explanation& e) {
  std::string text = fmt::format("{} ({} backend)\n\n{}", e.function, e.backend, e.graph);
  if (!text.ends_with('\n')) text += '\n';
  std::vector<std::string> kernels;
  for (const ExplainedKernel& kernel : e.kernels)
    kernels.push_back(fmt::format("{}{}: {}; reads {} bytes, writes {}", kernel.is_library_call ? "call " : "",
                                  kernel.name, fmt::join(kernel.ops, " "), kernel.bytes_read, kernel.bytes_written));
  print_list(text, "kernels", kernels);
  if (!e.kernels.empty())
    text += fmt::format("  in all: reads {} bytes, writes {}, {} bytes in between\n", e.bytes_read, e.bytes_written,
                        e.arena_bytes);
  print_list(text, "fused", e.fusions);
  print_list(text, "not fused", e.refused_fusions);
  print_list(text, "guards", e.guards);
  print_list(text, "captured tensors", e.captured);
  std::vector<std::string> stages;
  for (const StageTime& stage : e.stages)
    stages.push_back(fmt::format("{:<20} {:8.3f} ms", stage.name, stage.milliseconds));
  print_list(text, "stages", stages);
  return text;
}

}  // namespace sinter
