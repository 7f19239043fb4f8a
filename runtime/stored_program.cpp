// What an entry holds, field by field, and when it is trusted.

#include <sinter/runtime/stored_program.h>

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/log.h>
#include <sinter/runtime/build_id.h>
#include <sinter/runtime/disk_cache.h>
#include <sinter/runtime/flat_arguments.h>
#include <sinter/runtime/op_by_op.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

// A program of fewer steps is scheduled in less time than it takes to write one more file.
constexpr size_t least_steps = 8;

std::atomic<int64_t> loads = 0, stores = 0;

}  // namespace

// --- Fields: a new one does not compile until it is named here ----------------------------------------------------

template <class Archive>
void fields(Archive& archive, Layout& layout) {
  auto& [sizes, strides, offset] = layout;
  archive(sizes, strides, offset);
}

// Sources are made again if they are asked for; launches are CUDA's.
template <class Archive>
void fields(Archive& archive, codegen::KernelSource& kernel) {
  auto& [name, text, finish_name, range, grain, work, scratch_bytes, partial_bytes, launches] = kernel;
  archive(name, finish_name, range, grain, work, scratch_bytes, partial_bytes);
}

template <class Archive>
void fields(Archive& archive, codegen::ProgramBuffer& buffer) {
  auto& [name, dtype, layout, kind, source, bytes, arena_offset] = buffer;
  archive(name, dtype, layout, kind, source, bytes, arena_offset);
}

template <class Archive>
void fields(Archive& archive, codegen::KernelStep& step) {
  auto& [kernel, buffers, sizes] = step;
  archive(kernel, buffers, sizes);
}

template <class Archive>
void fields(Archive& archive, codegen::LibraryStep& step) {
  auto& [op, args, inputs, input_layouts, numbers, outputs, where] = step;
  archive(op, args, inputs, input_layouts, numbers, outputs, where);
}

// Which nodes a step is of is only shown, and found again with the sources.
template <class Archive>
void fields(Archive& archive, codegen::Step& step) {
  auto& [what, origins] = step;
  bool is_kernel = std::holds_alternative<codegen::KernelStep>(what);
  archive(is_kernel);
  if (is_kernel != std::holds_alternative<codegen::KernelStep>(what)) what = codegen::LibraryStep();
  if (is_kernel)
    archive(std::get<codegen::KernelStep>(what));
  else
    archive(std::get<codegen::LibraryStep>(what));
}

template <class Archive>
void fields(Archive& archive, fusion::ScheduleResult& result) {
  auto& [buffer, layout] = result;
  archive(buffer, layout);
}

template <class Archive>
void fields(Archive& archive, codegen::Program& program) {
  auto& [kernels, buffers, steps, results, arena_bytes] = program;
  archive(kernels, buffers, steps, results, arena_bytes);
}

template <class Archive>
void fields(Archive& archive, graph::ShapeGuard& guard) {
  auto& [left, right, comparison, holds, where] = guard;
  archive(left, right, comparison, holds, where);
}

template <class Archive>
void fields(Archive& archive, graph::NumberGuard& guard) {
  auto& [number, is_value, question, dtype, holds, where] = guard;
  archive(number, is_value, question, dtype, holds, where);
}

namespace {

struct Contents {
  std::vector<int64_t> new_symbols;  // in the example, as made up: sizes that only data tell, which the passes named
  codegen::Program program;
  std::vector<std::string> objects;  // of its kernels
  Here where;
  std::vector<graph::ShapeGuard> decisions;
  std::vector<graph::NumberGuard> numbers;
  bool may_begin_anew = false;
};

template <class Archive>
void all_fields(Archive& archive, Contents& contents) {
  auto& [new_symbols, program, objects, where, decisions, numbers, may_begin_anew] = contents;
  archive(program, objects, where, decisions, numbers, may_begin_anew);
}

ArchiveContext with_symbols(ArchiveContext context, const std::vector<int64_t>& more) {
  context.symbols.insert(context.symbols.end(), more.begin(), more.end());
  return context;
}

std::string written(const Contents& contents, const ArchiveContext& context) {
  ArchiveContext with_all = with_symbols(context, contents.new_symbols);
  ArchiveWriter writer(with_all);
  auto& only_read = const_cast<Contents&>(contents);  // by a writer
  writer(only_read.new_symbols);
  all_fields(writer, only_read);
  return std::move(writer.bytes);
}

Contents read(std::string_view bytes, const ArchiveContext& context) {
  Contents contents;
  ArchiveContext with_all = context;
  ArchiveReader reader(bytes, with_all);
  reader(contents.new_symbols);
  with_all = with_symbols(context, contents.new_symbols);
  all_fields(reader, contents);
  if (!reader.is_done()) throw BadArchive("it goes on after its end");
  return contents;
}

// Numbers of buffers and kernels that lead nowhere would be followed.
void check_places(const Contents& contents) {
  const codegen::Program& program = contents.program;
  auto check = [](int place, size_t count) {
    if (place < 0 || static_cast<size_t>(place) >= count) throw BadArchive("a number leads nowhere");
  };
  auto check_buffers = [&](const std::vector<int>& buffers) {
    for (int buffer : buffers) check(buffer, program.buffers.size());
  };
  for (const codegen::Step& step : program.steps) {
    if (auto* kernel = std::get_if<codegen::KernelStep>(&step.what)) {
      check(kernel->kernel, program.kernels.size());
      check_buffers(kernel->buffers);
    } else {
      check_buffers(std::get<codegen::LibraryStep>(step.what).inputs);
      check_buffers(std::get<codegen::LibraryStep>(step.what).outputs);
    }
  }
  for (const fusion::ScheduleResult& result : program.results)
    if (result.buffer >= 0) check(result.buffer, program.buffers.size());
  if (contents.objects.size() != program.kernels.size()) throw BadArchive("kernels and objects differ in number");
}

bool is_storable(const graph::Graph& graph) {
  size_t calls = 0;
  for (const auto& node : graph.nodes) {
    if (!node->op) continue;
    ++calls;
    if (graph::custom_of(*node->op) || node->op->library == Library::launch ||
        (node->op->inplace_of && node->op->inplace_of->library == Library::launch))
      return false;
  }
  // The key of a kernel is its source; a program's can only name the code that made it.
  return calls >= least_steps && disk_cache().is_on() && loads_without_compiler() && !build_id().empty();
}

template <class T>
std::vector<T> behind(const std::vector<T>& list, size_t known) {
  return {list.begin() + static_cast<std::ptrdiff_t>(known), list.end()};
}

std::vector<int64_t> examples_of(const std::vector<graph::SizeSymbol>& symbols) {
  std::vector<int64_t> examples;
  for (const graph::SizeSymbol& symbol : symbols) examples.push_back(symbol.hint / symbol.multiple_of);
  return examples;
}

// The log is to show what scheduling and code generation do.
bool is_looked_into() { return logs(LogTopic::graph) || logs(LogTopic::fusion) || logs(LogTopic::output_code); }

}  // namespace

StoredProgram::StoredProgram(const graph::Graph& graph, const graph::ShapeFacts* facts, const CompileTarget& target,
                             std::string_view identity)
    : target_(target), numbers_(number_examples(graph)) {
  if (!is_storable(graph)) return;
  examples_ = size_examples(graph, facts) + to_string(numbers_);
  key_ = fmt::format("{}\nprogram by {}\n{}", disk_key_head(target), build_id(), identity);
  for (const auto& node : graph.nodes)
    if (node->op) context_.lines.push_back(node->where);
  if (!facts) return;
  context_.symbols = examples_of(facts->symbols());
  known_decisions_ = facts->guards().size();
  known_numbers_ = facts->numbers.guards().size();
}

std::optional<StoredProgram::Loaded> StoredProgram::load() {
  if (key_.empty() || is_looked_into()) return std::nullopt;
  std::optional<Loaded> loaded = load(key_);
  return loaded || examples_.empty() ? std::move(loaded) : load(key_ + examples_);
}

bool StoredProgram::is_for_example(const std::vector<graph::ShapeGuard>& decisions,
                                   const std::vector<graph::NumberGuard>& asked,
                                   const std::vector<int64_t>& symbols) const {
  auto holds = [&](const graph::ShapeGuard& decision) {
    int64_t left = size_at(decision.left, symbols), right = size_at(decision.right, symbols);
    bool answer = decision.comparison == Comparison::equal ? left == right : left < right;
    return answer == decision.holds;
  };
  return std::ranges::all_of(decisions, holds) && answers_hold(asked, numbers_);
}

std::optional<StoredProgram::Loaded> StoredProgram::load(const std::string& key) {
  std::optional<std::vector<char>> bytes = disk_cache().read(key);
  if (!bytes) return std::nullopt;
  try {
    Contents contents = read({bytes->data(), bytes->size()}, context_);
    check_places(contents);
    std::vector<int64_t> symbols = with_symbols(context_, contents.new_symbols).symbols;
    if (key == key_ && !is_for_example(contents.decisions, contents.numbers, symbols)) {
      needs_values_ = true;
      return std::nullopt;
    }
    Loaded loaded;
    for (size_t i = 0; i < contents.objects.size(); ++i) {
      const codegen::KernelSource& kernel = contents.program.kernels[i];
      loaded.kernels.push_back(load_stored_kernel(contents.objects[i]));
      if (!loaded.kernels.back() || kernel.finish_name.empty() != !loaded.kernels.back()->finish)
        throw BadArchive(fmt::format("{} can't be loaded", kernel.name));
    }
    loaded.program = std::move(contents.program);
    loaded.where = contents.where;
    loaded.decisions = std::move(contents.decisions);
    loaded.numbers = std::move(contents.numbers);
    loaded.may_begin_anew = contents.may_begin_anew;
    loaded.bytes = static_cast<int64_t>(bytes->size());
    ++loads;
    return loaded;
  } catch (const BadArchive& fault) {
    log(LogTopic::cache, "a program on disk can't be used: {}", fault.what());
    disk_cache().remove(key);
    return std::nullopt;
  }
}

void StoredProgram::store(const LoadedProgram& program, const graph::ShapeFacts* facts) const {
  if (key_.empty() || program.program()->steps.size() < least_steps) return;
  Contents contents{{}, *program.program(), {}, program.where(), {}, {}, may_begin_anew(*program.prepared_graph())};
  for (const codegen::KernelSource& kernel : contents.program.kernels) {
    std::optional<std::string> object = kernel_on_disk(kernel, target_);
    if (!object) return;
    contents.objects.push_back(std::move(*object));
  }
  if (facts) {
    contents.new_symbols = behind(examples_of(facts->symbols()), context_.symbols.size());
    contents.decisions = behind(facts->guards(), known_decisions_);
    contents.numbers = behind(facts->numbers.guards(), known_numbers_);
  }
  try {
    bool has_values = needs_values_ || !is_for_example({}, contents.numbers, {});
    std::string bytes = written(contents, context_);
    SINTER_CHECK(written(read(bytes, context_), context_) == bytes, "a program reads back as another one");
    disk_cache().write(has_values ? key_ + examples_ : key_, bytes);
    ++stores;
  } catch (const BadArchive& fault) {
    log(LogTopic::cache, "a program is not written to disk: {}", fault.what());
  }
}

StoredProgramStats stored_program_stats() { return {loads, stores}; }

}  // namespace sinter::runtime
