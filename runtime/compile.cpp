// The list of steps from a call to its entry.

#include <sinter/runtime/compile.h>

#include <sinter/graph/log.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/runtime/number_inputs.h>
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

}  // namespace

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
  entry->layouts_seen = layouts_changed.load();
  for (const Tensor& captured : entry->call.captured) {
    entry->captured.push_back(&captured);
    entry->captured_layouts.push_back(captured.layout());
  }
  entry->custom_ops = custom_ops_of(entry->call.graph);
  std::vector<Tensor> examples;
  for (int argument : entry->call.input_arguments) examples.push_back(*arguments.tensors[argument]);
  NumberInputs numbers;
  for (int word : entry->call.input_numbers) examples.push_back(numbers.add(arguments, word)->clone());
  examples.insert(examples.end(), entry->call.captured.begin(), entry->call.captured.end());
  entry->executable = run_backend(std::move(entry->call.graph), std::move(examples), options, stages, where);
  check_declarations(entry->call, where);
  std::vector<graph::Guard> relations = relation_guards(*entry->call.shapes);
  entry->call.guards.insert(entry->call.guards.end(), relations.begin(), relations.end());
  std::vector<graph::Guard> numbers_asked = number_guards(entry->call.shapes->numbers, entry->call.names, arguments);
  entry->call.guards.insert(entry->call.guards.end(), numbers_asked.begin(), numbers_asked.end());
  entry->guards = FlatGuards(entry->call.guards, arguments, entry->call.captured);
  entry->stages = stages.times();
  log_entry(*entry, options);
  return entry;
}

}  // namespace sinter::runtime
