// Puts a kernel's source together: comment, prelude, a function for each launch.

#include <sinter/codegen/cuda/generate_kernel.h>

#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/cuda/cuda_printer.h>
#include <sinter/codegen/cuda/locals_in_memory.h>
#include <sinter/codegen/kernel_name.h>
#include <sinter/fusion/access.h>

namespace sinter::codegen {

using fusion::Kernel;
using fusion::Schedule;

namespace {

// A math function that occurs more often than this is called, not inlined; packs repeat it anyhow.
constexpr int most_inlined = 4;

// Numbers are passed themselves: in this, so that they have an address like other buffers.
constexpr std::string_view number_struct = R"(
template <class T>
struct number {
  T value;
};
)";

std::string meta_text(const fusion::Buffer& buffer) {
  return fmt::format("{} {}{}", buffer.name, name(buffer.dtype), to_string(buffer.layout.sizes));
}

SymInt block_count(const Launch& launch) {
  switch (launch.kind) {
    case LaunchKind::elements: return launch.elements.back().first_block + launch.elements.back().blocks;
    case LaunchKind::teams:
    case LaunchKind::segments: return launch.team.blocks();
    case LaunchKind::tiles: break;
  }
  return 0;
}

int block_size(const Launch& launch) {
  bool has_teams = launch.kind == LaunchKind::teams || launch.kind == LaunchKind::segments;
  return has_teams ? launch.team.block() : element_block;
}

class Generator {
 public:
  Generator(const Schedule& schedule, const Kernel& kernel, const CudaTarget& target, const std::string& name,
            const LocalsInMemory* locals)
      : context_(schedule, kernel, target), name_(name), locals_(locals) {}

  GeneratedKernel run() {
    CudaPrinter printer(context_);
    LaunchPlan plan = plan_launches(context_, locals_ != nullptr, locals_ ? locals_->bytes : SymInt(0));
    GeneratedKernel result;
    result.source.name = name_;
    result.source.range = 0;
    result.source.partial_bytes = plan.launches.empty() ? SymInt(0) : plan.partial_bytes;
    for (const KernelBuffer& used : context_.kernel.buffers)
      if (is_parameter(used)) result.buffers.push_back(used.id);
    for (const Launch& launch : plan.launches) {
      size_t number = result.source.launches.size() + 1;
      CudaLaunch made;
      made.function = number == 1 ? name_ : fmt::format("{}_{}", name_, number);
      made.block = block_size(launch);
      made.grid[0] = launch.tiles ? tile_count(*launch.tiles, context_.nests()[0]) : block_count(launch);
      context_.kernel.code = SourceWriter(1);
      printer.print(launch);
      made.shared_bytes = printer.shared_bytes();
      bodies_.push_back(moved_locals(context_.kernel.code.text()) + context_.kernel.code.text());
      result.source.range += made.grid[0] * made.block;
      result.source.launches.push_back(std::move(made));
    }
    // All launches have the same parameters, whichever sizes their own text names.
    for (size_t i = 0; i < bodies_.size(); ++i)
      add_function(result.source.launches[i], !plan.partial_bytes.same(0), bodies_[i]);
    if (functions_.find("number<") != std::string::npos) functions_.insert(0, number_struct);
    result.sizes = context_.kernel.sizes.symbols();
    for (std::string_view constant : {"__builtin_inff", "__builtin_nanf", "__builtin_inf", "__builtin_nan"})
      if (functions_.find(fmt::format("{}(", constant)) != std::string::npos)
        context_.kernel.need(std::string(constant));
    context_.kernel.call_long_functions(most_inlined);
    result.source.text =
        kernel_comment(name_, context_.kernel.kernel) + print_cuda_prelude(context_.kernel.use) + functions_;
    return result;
  }

 private:
  bool is_moved(const KernelBuffer& used) const { return locals_ && locals_->offsets.contains(used.id); }
  bool is_parameter(const KernelBuffer& used) const { return used.place == Place::memory && !is_moved(used); }
  bool is_number(const KernelBuffer& used) const { return context_.kernel.buffer(used.id).is_number; }

  std::string parameter(const KernelBuffer& used) {
    const fusion::Buffer& buffer = context_.kernel.buffer(used.id);
    if (has_piece(element_type(buffer.dtype))) context_.kernel.need(std::string(element_type(buffer.dtype)));
    if (is_number(used)) return fmt::format("const number<{}> {}_given", element_type(buffer.dtype), used.name);
    return fmt::format("{}{}* {}{}", used.is_written ? "" : "const ", element_type(buffer.dtype),
                       used.may_alias ? "" : "__restrict__ ", used.name);
  }

  // Declarations of the locals that the text uses and that lie in memory.
  std::string moved_locals(const std::string& body) {
    std::string declarations;
    for (const KernelBuffer& used : context_.kernel.buffers) {
      if (!is_moved(used) || body.find(used.name) == std::string::npos) continue;
      std::string_view type = element_type(context_.kernel.buffer(used.id).dtype);
      if (has_piece(type)) context_.kernel.need(std::string(type));
      declarations += fmt::format("  {0}* const {1} = ({0}*)(partials + {2});  // {3}\n", type, used.name,
                                  as_factor(context_.kernel.size_text(locals_->offsets.at(used.id))),
                                  meta_text(context_.kernel.buffer(used.id)));
    }
    return declarations;
  }

  std::string addresses_of_numbers(const std::string& body) const {
    std::string declarations;
    for (const KernelBuffer& used : context_.kernel.buffers)
      if (is_parameter(used) && is_number(used) && body.find(used.name) != std::string::npos)
        declarations += fmt::format("  const {0}* const {1} = &{1}_given.value;\n",
                                    element_type(context_.kernel.buffer(used.id).dtype), used.name);
    return declarations;
  }

  void add_function(const CudaLaunch& launch, bool has_partials, const std::string& body) {
    SourceWriter head;
    head.blank();
    head.print("extern \"C\" __global__ void __launch_bounds__({}) {}(", launch.block, launch.function);
    std::vector<std::string> parameters, comments;
    for (const KernelBuffer& used : context_.kernel.buffers) {
      if (!is_parameter(used)) continue;
      parameters.push_back(parameter(used));
      comments.push_back(meta_text(context_.kernel.buffer(used.id)));
    }
    if (has_partials) {
      parameters.push_back("char* __restrict__ partials");
      comments.emplace_back("between the launches");
    }
    for (size_t i = 0; i < context_.kernel.sizes.symbols().size(); ++i) {
      parameters.push_back(fmt::format("const long s{}", i));
      comments.push_back(to_string(context_.kernel.sizes.symbols()[i]));
    }
    for (size_t i = 0; i < parameters.size(); ++i)
      head.print("    {}{}  // {}", parameters[i], i + 1 == parameters.size() ? ") {" : ",", comments[i]);
    functions_ += head.text();
    functions_ += addresses_of_numbers(body);
    functions_ += body;
    functions_ += "}\n";
  }

  CudaContext context_;
  const std::string& name_;
  const LocalsInMemory* locals_;
  std::vector<std::string> bodies_;  // of the launches
  std::string functions_;
};

}  // namespace

GeneratedKernel generate_kernel(const Schedule& schedule, const Kernel& kernel, const CudaTarget& target,
                                const std::string& name) {
  if (kernel.nests.size() == 1 && fusion::has_scan(kernel.nests[0])) {
    Kernel lines = kernel;  // each is an item
    lines.outer_axes = fusion::scan_axis(kernel.nests[0]);
    return Generator(schedule, lines, target, name, nullptr).run();
  }
  if (!needs_separate_launches(CudaContext(schedule, kernel, target)))
    return Generator(schedule, kernel, target, name, nullptr).run();
  LocalsInMemory locals = put_locals_in_memory(schedule, kernel);
  return Generator(locals.schedule, locals.kernel, target, name, &locals).run();
}

}  // namespace sinter::codegen
