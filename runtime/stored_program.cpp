// What an entry holds, field by field, and when it is trusted.

#include <sinter/runtime/stored_program.h>

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/log.h>
#include <sinter/runtime/build_id.h>
#include <sinter/runtime/disk_cache.h>

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

namespace {

struct Contents {
  codegen::Program program;
  std::vector<std::string> objects;  // of its kernels
  Here where;
  std::vector<graph::ShapeGuard> decisions;
};

template <class Archive>
void all_fields(Archive& archive, Contents& contents) {
  auto& [program, objects, where, decisions] = contents;
  archive(program, objects, where, decisions);
}

std::string written(const Contents& contents, const ArchiveContext& context) {
  ArchiveWriter writer(context);
  all_fields(writer, const_cast<Contents&>(contents));  // which a writer only reads
  return std::move(writer.bytes);
}

Contents read(std::string_view bytes, const ArchiveContext& context) {
  Contents contents;
  ArchiveReader reader(bytes, context);
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
    if (node->number) return false;  // what passes asked of numbers is not among the decisions
    if (!node->op) continue;
    ++calls;
    if (graph::custom_of(*node->op) || node->op->library == Library::launch ||
        (node->op->inplace_of && node->op->inplace_of->library == Library::launch))
      return false;
  }
  // The key of a kernel is its source; a program's can only name the code that made it.
  return calls >= least_steps && disk_cache().is_on() && loads_without_compiler() && !build_id().empty();
}

// The log is to show what scheduling and code generation do.
bool is_looked_into() { return logs(LogTopic::graph) || logs(LogTopic::fusion) || logs(LogTopic::output_code); }

}  // namespace

StoredProgram::StoredProgram(const graph::Graph& graph, const graph::ShapeFacts* facts, const CompileTarget& target,
                             std::string_view identity)
    : target_(target) {
  if (!is_storable(graph)) return;
  key_ = fmt::format("{}\nprogram by {}\n{}", disk_key_head(target), build_id(), identity);
  for (const auto& node : graph.nodes)
    if (node->op) context_.lines.push_back(node->where);
  if (!facts) return;
  for (const graph::SizeSymbol& symbol : facts->symbols()) context_.symbols.push_back(symbol.hint / symbol.multiple_of);
  known_decisions_ = facts->guards().size();
}

std::optional<StoredProgram::Loaded> StoredProgram::load() const {
  if (key_.empty() || is_looked_into()) return std::nullopt;
  std::optional<std::vector<char>> bytes = disk_cache().read(key_);
  if (!bytes) return std::nullopt;
  try {
    Contents contents = read({bytes->data(), bytes->size()}, context_);
    check_places(contents);
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
    loaded.bytes = static_cast<int64_t>(bytes->size());
    ++loads;
    return loaded;
  } catch (const BadArchive& fault) {
    log(LogTopic::cache, "a program on disk can't be used: {}", fault.what());
    disk_cache().remove(key_);
    return std::nullopt;
  }
}

void StoredProgram::store(const LoadedProgram& program, const graph::ShapeFacts* facts) const {
  if (key_.empty() || program.program()->steps.size() < least_steps) return;
  Contents contents{*program.program(), {}, program.where(), {}};
  for (const codegen::KernelSource& kernel : contents.program.kernels) {
    std::optional<std::string> object = kernel_on_disk(kernel, target_);
    if (!object) return;
    contents.objects.push_back(std::move(*object));
  }
  if (facts)
    contents.decisions.assign(facts->guards().begin() + static_cast<std::ptrdiff_t>(known_decisions_),
                              facts->guards().end());
  try {
    std::string bytes = written(contents, context_);
    SINTER_CHECK(written(read(bytes, context_), context_) == bytes, "a program reads back as another one");
    disk_cache().write(key_, bytes);
    ++stores;
  } catch (const BadArchive& fault) {
    log(LogTopic::cache, "a program is not written to disk: {}", fault.what());
  }
}

StoredProgramStats stored_program_stats() { return {loads, stores}; }

}  // namespace sinter::runtime
