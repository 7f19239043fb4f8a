// What a program's identity is made of, and what is kept of a program.

#include <sinter/runtime/program_cache.h>

#include <sinter/graph/log.h>
#include <sinter/graph/text/print_graph.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

constexpr int64_t most_bytes_of_texts = 64 << 20;

}  // namespace

std::string program_identity(const graph::Graph& graph, const graph::ShapeFacts* facts, const Options& options) {
  auto is_value = [](const graph::NumberGuard& guard) { return guard.is_value; };
  bool has_values = facts && std::ranges::any_of(facts->numbers.guards(), is_value);
  return fmt::format("{}\n{}{}{}", name(chosen_isa(options)), facts ? facts->identity() : "", identity_text(graph),
                     has_values ? to_string(number_examples(graph)) : "");
}

std::string size_examples(const graph::Graph& graph, const graph::ShapeFacts* facts) {
  return facts ? facts->examples() : graph::size_examples(graph);
}

NumberExamples number_examples(const graph::Graph& graph) {
  NumberExamples examples;
  for (const auto& node : graph.nodes)
    if (node->number) examples.emplace(node->number->traced_number().id, node->number->traced_number().example);
  return examples;
}

std::string to_string(const NumberExamples& examples) {
  std::string text;
  for (const auto& [id, value] : examples) text += fmt::format("{} = {:x}\n", id, value.bits());
  return text;
}

bool answers_hold(std::span<const graph::NumberGuard> asked, const NumberExamples& examples) {
  return std::ranges::all_of(asked, [&](const graph::NumberGuard& guard) {
    return !guard.is_value && answer(guard.question, examples.at(guard.number), guard.dtype) == guard.holds;
  });
}

std::shared_ptr<const Executable> ProgramCache::find_or_make(const std::string& identity, graph::ShapeFacts* facts,
                                                             const Options& options, const Make& make) {
  bool is_found = false;
  std::shared_ptr<const Program> program = programs_.find_or_make(identity, is_found, [&] {
    Made made = make();
    ++makes_;
    auto kept = std::make_shared<const Program>(std::move(made.executable), facts ? *facts : graph::ShapeFacts());
    return MadeOnce<std::shared_ptr<const Program>>::Made{kept, made.bytes + static_cast<int64_t>(identity.size())};
  });
  if (is_found && facts) *facts = program->facts;
  log(LogTopic::cache, "{}: program {}", options.name, is_found ? "hit" : "made");
  return program->executable;
}

ProgramCacheStats ProgramCache::stats() const {
  return {makes_, programs_.hits(), programs_.evictions(), programs_.size(), programs_.weight()};
}

// Never destroyed: compiled functions with static lifetime may still compile while the process ends.
ProgramCache& program_cache() {
  static ProgramCache& instance = *new ProgramCache(most_bytes_of_texts);
  return instance;
}

}  // namespace sinter::runtime
