// The list of steps from a call to its entry, and from a traced graph to machine code.

#include <sinter/runtime/compile.h>

#include <sinter/codegen/generate_program.h>
#include <sinter/fusion/schedule_graph.h>
#include <sinter/graph/log.h>
#include <sinter/graph/prepare_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/runtime/cuda/cuda_backend.h>
#include <sinter/runtime/custom/check_implementations.h>
#include <sinter/runtime/hidden_inputs.h>
#include <sinter/runtime/input_order.h>
#include <sinter/runtime/program_cache.h>
#include <sinter/runtime/run_program.h>
#include <sinter/runtime/write_guards.h>

#include <algorithm>
#include <cctype>

namespace sinter::runtime {

namespace {

using graph::Graph;

std::string dump_directory(const Options& options) {
  static std::atomic<int> dumped = 0;
  const std::string& root = options.dump_directory.empty() ? environment().dump_directory : options.dump_directory;
  if (root.empty()) return root;
  std::string name = options.name;  // one folder, whatever it holds
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c) && c != '_' && c != '-'; }, '_');
  return fmt::format("{}/{}_{}", root, name, dumped++);
}

std::vector<std::shared_ptr<const LoadedKernel>> compiled_kernels(const codegen::Program& program, const Graph& graph,
                                                                  const Options& options, const CompileTarget& target) {
  try {
    return load_kernels(program.kernels, target);
  } catch (const Error&) {
    explain_failed_kernel(program, graph, options, target);
    throw;
  }
}

// What a backend throws besides our errors is its failure, by name.
std::shared_ptr<const Executable> run_backend(Graph graph, std::vector<Tensor> examples, const Options& options,
                                              Stages& stages, Here where) {
  try {
    Backend backend = find_backend(options.backend, where, std::move(examples));
    std::shared_ptr<const Executable> executable = backend(std::move(graph), options, stages);
    if (!executable)
      throw Error(ErrorKind::backend, where,
                  fmt::format("compile: backend '{}' returned nothing to run", options.backend));
    return executable;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::backend, where,
                fmt::format("compile: backend '{}' failed: {}", options.backend, failure.what()));
  }
}

void log_entry(const Entry& entry, const Options& options) {
  if (logs(LogTopic::guards)) write_log(LogTopic::guards, graph::to_string(entry.call.guards));
  if (!logs(LogTopic::time)) return;
  double total = 0;
  for (const StageTime& stage : entry.stages) total += stage.milliseconds;
  log(LogTopic::time, "{}: compiled in {:.2f} ms", options.name, total);
}

std::unique_ptr<Executable> make_program(Graph graph, const Options& options, Stages& stages) {
  check_implementations(graph, options);
  if (uses_cuda(graph)) return cuda_backend(std::move(graph), options, stages);
  CompileTarget target{.isa = chosen_isa(options)};
  int vector_bytes = sinter::runtime::vector_bytes(target.isa);
  InputOrder order(graph);

  prepare_graph(graph, stages);
  std::vector<Tensor> hidden = hidden_inputs(graph, order);
  if (logs(LogTopic::graph)) write_log(LogTopic::graph, to_string(graph));
  fusion::Schedule schedule = fusion::schedule_graph(graph, {.vector_bytes = vector_bytes}, stages);
  codegen::Program program = stages.time(
      "generate_program", [&] { return codegen::generate_program(schedule, codegen::CppTarget{vector_bytes}); });
  renumber_inputs(program, graph, order);
  dump_sources(program, stages, "cpp");
  auto kernels = stages.time("compile_kernels", [&] { return compiled_kernels(program, graph, options, target); });
  auto loaded = std::make_unique<LoadedProgram>(std::move(graph), std::move(schedule), std::move(program), order.metas,
                                                std::move(kernels));
  return with_hidden_inputs(std::move(loaded), std::move(hidden));
}

// Dumps show how this function came about; what records has memory of its own; the functions of kernel ops may read
// tensors that the graph does not show.
bool is_shared(const Graph& graph, const Options& options, const Stages& stages) {
  auto is_kernel_op = [](const auto& node) {
    const graph::CustomDefinition* custom = node->op ? graph::custom_of(*node->op) : nullptr;
    return custom && custom->kind() == graph::CustomKind::kernel;
  };
  return !stages.dumps() && !options.cuda_graphs && std::ranges::none_of(graph.nodes, is_kernel_op);
}

}  // namespace

std::shared_ptr<const Executable> native_backend(Graph graph, const Options& options, Stages& stages) {
  if (!is_shared(graph, options, stages)) return make_program(std::move(graph), options, stages);
  graph.attributes.clear();  // the function's, which the program may outlive
  graph::ShapeFacts* facts = graph::active_shape_facts();
  std::string identity = stages.time("identity", [&] { return program_identity(graph, facts, options); });
  return program_cache().find_or_make(identity, facts, options,
                                      [&] { return make_program(std::move(graph), options, stages); });
}

std::unique_ptr<Entry> compile_entry(const FlatArguments& arguments, CallSite& site, const Options& options,
                                     std::span<const SymbolicDim> symbolic, Here where) {
  Stages stages(dump_directory(options));
  auto entry = std::make_unique<Entry>();
  entry->call = stages.time("trace", [&] { return trace_call(arguments, site, options, where, symbolic); });
  graph::ActivateShapeFacts decides(entry->call.shapes.get());
  graph::note_size_question(Here());  // from here on no line of the user's asks
  entry->graph_text = to_string(entry->call.graph);
  if (stages.dumps()) stages.dump("traced", entry->graph_text);
  if (logs(LogTopic::graph)) write_log(LogTopic::graph, entry->graph_text);
  entry->program_results = entry->call.graph.results.size();
  for (const Tensor& captured : entry->call.captured) entry->captured.push_back(&captured);
  entry->custom_ops = custom_ops_of(entry->call.graph);
  std::vector<Tensor> examples;
  for (int argument : entry->call.input_arguments) examples.push_back(*arguments.tensors[argument]);
  examples.insert(examples.end(), entry->call.captured.begin(), entry->call.captured.end());
  entry->executable = run_backend(std::move(entry->call.graph), std::move(examples), options, stages, where);
  check_declarations(entry->call, where);
  std::vector<graph::Guard> relations = relation_guards(*entry->call.shapes);
  entry->call.guards.insert(entry->call.guards.end(), relations.begin(), relations.end());
  entry->guards = FlatGuards(entry->call.guards, arguments, entry->call.captured);
  entry->stages = stages.times();
  log_entry(*entry, options);
  return entry;
}

}  // namespace sinter::runtime
