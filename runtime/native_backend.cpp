// The list of steps from a traced graph to machine code, and where programs are looked for before they are made.

#include <sinter/codegen/generate_program.h>
#include <sinter/fusion/schedule_graph.h>
#include <sinter/graph/custom/definition.h>
#include <sinter/graph/log.h>
#include <sinter/graph/prepare_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/text/source_line.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/cuda/cuda_backend.h>
#include <sinter/runtime/custom/check_implementations.h>
#include <sinter/runtime/fork.h>
#include <sinter/runtime/hidden_inputs.h>
#include <sinter/runtime/op_by_op.h>
#include <sinter/runtime/program_cache.h>
#include <sinter/runtime/stored_program.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

using graph::Graph;

std::vector<std::shared_ptr<const LoadedKernel>> compiled_kernels(const codegen::Program& program, const Graph& graph,
                                                                  const Options& options, const CompileTarget& target) {
  try {
    return load_kernels(program.kernels, target);
  } catch (const Error&) {
    explain_failed_kernel(program, graph, options, target);
    throw;
  }
}

struct Planned {
  std::shared_ptr<const ProgramPlan> plan;
  InputOrder order;
  std::vector<Tensor> hidden;  // inputs that only the passes found
};

Planned make_plan(Graph graph, const CompileTarget& target, Stages& stages) {
  int vector_bytes = sinter::runtime::vector_bytes(target.isa);
  Planned planned{{}, InputOrder(graph), {}};
  prepare_graph(graph, stages);
  if (graph::ShapeFacts* facts = graph::active_shape_facts()) facts->end_checks();
  planned.hidden = hidden_inputs(graph, planned.order);
  if (logs(LogTopic::graph)) write_log(LogTopic::graph, to_string(graph));
  fusion::Schedule schedule = fusion::schedule_graph(graph, {.vector_bytes = vector_bytes}, stages);
  codegen::Program program = stages.time(
      "generate_program", [&] { return codegen::generate_program(schedule, codegen::CppTarget{vector_bytes}); });
  renumber_inputs(program, graph, planned.order);
  planned.plan = std::make_shared<ProgramPlan>(std::move(graph), std::move(schedule), std::move(program));
  return planned;
}

// A LoadedProgram, if the passes found no inputs.
std::unique_ptr<Executable> make_program(Graph graph, const Options& options, Stages& stages,
                                         const CompileTarget& target) {
  auto [plan, order, hidden] = make_plan(std::move(graph), target, stages);
  dump_sources(plan->program, stages, "cpp");
  auto kernels = stages.time(
      "compile_kernels", [&, &plan = plan] { return compiled_kernels(plan->program, plan->graph, options, target); });
  auto loaded = std::make_unique<LoadedProgram>(std::move(plan), std::move(order.metas), std::move(kernels));
  return with_hidden_inputs(std::move(loaded), std::move(hidden));
}

// The passes asked this of a number that is an argument; so do we.
void ask_again(const graph::NumberGuard& guard, const Graph& graph, graph::NumberFacts& facts) {
  for (const auto& node : graph.nodes) {
    if (!node->number || node->number->traced_number().id != guard.number) continue;
    const TracedNumber& number = node->number->traced_number();
    if (guard.is_value)
      facts.fix(number, guard.where);
    else
      facts.ask(guard.question, number, guard.dtype, guard.where);
  }
}

// What an earlier process stored, with the decisions that it relies on.
std::unique_ptr<Executable> stored_program(StoredProgram::Loaded stored, Graph graph, graph::ShapeFacts* facts,
                                           const CompileTarget& target) {
  InputOrder order(graph);
  auto traced = std::make_shared<Graph>(std::move(graph));
  auto known = std::make_shared<graph::ShapeFacts>(facts ? *facts : graph::ShapeFacts());
  auto plan_again = [traced, known, target] {
    graph::ActivateShapeFacts decides(known.get());
    Stages stages;
    SINTER_CHECK(!traced->nodes.empty(), "the plan could not be made before");
    return make_plan(std::move(*traced), target, stages).plan;
  };
  for (const graph::ShapeGuard& decision : stored.decisions)  // the same question of the same facts
    facts->decide(decision.left, decision.comparison, decision.right, decision.where);
  for (const graph::NumberGuard& guard : stored.numbers) ask_again(guard, *traced, facts->numbers);
  return std::make_unique<LoadedProgram>(std::move(stored.program), stored.where, plan_again, std::move(order.metas),
                                         std::move(stored.kernels));
}

int64_t text_bytes(const Executable& executable) {
  int64_t bytes = 0;
  if (const codegen::Program* program = executable.program())
    for (const codegen::KernelSource& kernel : program->kernels) bytes += static_cast<int64_t>(kernel.text.size());
  return bytes;
}

ProgramCache::Made load_or_make(Graph graph, const Options& options, Stages& stages, graph::ShapeFacts* facts,
                                const std::string& identity) {
  CompileTarget target{.isa = chosen_isa(options)};
  StoredProgram on_disk(graph, facts, target, identity);
  std::unique_ptr<const Executable> instead = op_by_op(graph);
  if (auto stored = stages.time("load_program", [&] { return on_disk.load(); })) {
    int64_t bytes = stored->bytes;
    if (!stored->may_begin_anew) instead.reset();
    return {with_instead(stored_program(std::move(*stored), std::move(graph), facts, target), std::move(instead)),
            bytes};
  }
  std::unique_ptr<Executable> made = make_program(std::move(graph), options, stages, target);
  if (auto* loaded = dynamic_cast<const LoadedProgram*>(made.get())) on_disk.store(*loaded, facts);
  int64_t bytes = text_bytes(*made);
  if (!may_begin_anew(*made->prepared_graph())) instead.reset();
  return {with_instead(std::move(made), std::move(instead)), bytes};
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

// A program may outlive the library whose function it came from.
void keep_lines(Graph& graph) {
  for (const auto& node : graph.nodes) node->where = graph::kept_line(node->where);
}

}  // namespace

std::shared_ptr<const Executable> native_backend(Graph graph, const Options& options, Stages& stages) {
  HoldForks whole;
  bool is_cuda = uses_cuda(graph);
  auto make_alone = [&]() -> std::unique_ptr<Executable> {
    check_implementations(graph, options);
    if (is_cuda) return cuda_backend(std::move(graph), options, stages);
    std::unique_ptr<const Executable> instead = op_by_op(graph);
    auto made = make_program(std::move(graph), options, stages, {.isa = chosen_isa(options)});
    if (!may_begin_anew(*made->prepared_graph())) instead.reset();
    return with_instead(std::move(made), std::move(instead));
  };
  if (!is_shared(graph, options, stages)) return make_alone();
  graph.attributes.clear();  // the function's, which the program may outlive
  graph::ShapeFacts* facts = graph::active_shape_facts();
  std::string text = stages.time("identity", [&] { return program_identity(graph, facts, options); });
  std::string identity = text + size_examples(graph, facts);
  bool is_made = false;
  auto make = [&]() -> ProgramCache::Made {
    is_made = true;
    if (is_cuda) {
      keep_lines(graph);
      std::unique_ptr<Executable> made = make_alone();
      int64_t bytes = text_bytes(*made);
      return {std::move(made), bytes};
    }
    check_implementations(graph, options);
    keep_lines(graph);
    return load_or_make(std::move(graph), options, stages, facts, text);
  };
  NumberExamples numbers = number_examples(graph);
  if (numbers.empty()) return program_cache().find_or_make(identity, facts, options, make);
  if (!facts) return program_cache().find_or_make(identity + to_string(numbers), facts, options, make);
  graph::ShapeFacts before = *facts;
  auto program = program_cache().find_or_make(identity, facts, options, make);
  std::span asked = std::span(facts->numbers.guards()).subspan(before.numbers.guards().size());
  if (is_made || answers_hold(asked, numbers)) return program;
  *facts = std::move(before);
  return program_cache().find_or_make(identity + to_string(numbers), facts, options, make);
}

}  // namespace sinter::runtime
