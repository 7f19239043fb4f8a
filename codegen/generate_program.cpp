// Kernel sources, each distinct one once, and the steps that use them.

#include <sinter/codegen/generate_program.h>

#include <sinter/codegen/cpp/generate_kernel.h>
#include <sinter/codegen/cuda/generate_kernel.h>
#include <sinter/codegen/kernel_name.h>
#include <sinter/codegen/source_writer.h>
#include <sinter/codegen/user_launch.h>

#include <limits>
#include <unordered_map>

namespace sinter::codegen {

using fusion::BufferKind;
using fusion::ExternCall;
using fusion::Kernel;
using fusion::Schedule;

namespace {

ProgramBuffer program_buffer(const fusion::Buffer& buffer) {
  ProgramBuffer result;
  result.name = buffer.name;
  result.dtype = buffer.dtype;
  result.layout = buffer.layout;
  result.kind = buffer.kind;
  result.source = buffer.source;
  result.arena_offset = buffer.arena_offset;
  if (buffer.kind != BufferKind::local) result.bytes = extent_end(buffer.layout) * byte_size(buffer.dtype);
  return result;
}

std::vector<std::string> origins_of(const Kernel& kernel) {
  std::vector<std::string> names;
  if (kernel.call) names.push_back(kernel.call->node->name);
  for (const fusion::Nest& nest : kernel.nests)
    for (const graph::Node* node : nest.origins) names.push_back(node->name);
  return names;
}

LibraryStep library_step(const ExternCall& call) {
  LibraryStep step;
  step.op = call.node->op;
  for (const graph::Argument& argument : call.node->args)
    step.args.push_back(
        graph::map_outputs(argument, [](graph::NodeOutput) { return graph::Argument(graph::NodeOutput()); }));
  step.inputs = call.inputs;
  step.input_layouts = call.input_layouts;
  step.numbers.assign(call.numbers.begin(), call.numbers.end());
  step.outputs = call.outputs;
  step.where = call.node->where;
  return step;
}

std::string_view prefix_of(const CppTarget&) { return "cpp"; }
std::string_view prefix_of(const CudaTarget&) { return "cuda"; }

template <class Target>
class ProgramBuilder {
 public:
  ProgramBuilder(const Schedule& schedule, const Target& target) : schedule_(schedule), target_(target) {}

  Program build() {
    for (const fusion::Buffer& buffer : schedule_.buffers) program_.buffers.push_back(program_buffer(buffer));
    for (const Kernel& kernel : schedule_.kernels) {
      Step step;
      step.origins = origins_of(kernel);
      if (kernel.call && kernel.call->node->op->library == Library::launch)
        step.what = launch_step(*kernel.call);
      else if (kernel.call)
        step.what = library_step(*kernel.call);
      else
        step.what = kernel_step(kernel);
      program_.steps.push_back(std::move(step));
    }
    program_.results = schedule_.results;
    program_.arena_bytes = schedule_.arena_bytes;
    return std::move(program_);
  }

 private:
  // A kernel that differs from an earlier one only in its comments is that one.
  KernelStep kernel_step(const Kernel& kernel) {
    std::string name = fmt::format("{}_{}_{}", prefix_of(target_), kernel_name(kernel), program_.kernels.size());
    GeneratedKernel generated = generate_kernel(schedule_, kernel, target_, placeholder);
    auto [entry, is_new] = known_.try_emplace(identity(generated.source), static_cast<int>(program_.kernels.size()));
    if (is_new) program_.kernels.push_back(renamed(std::move(generated.source), name));
    return {entry->second, std::move(generated.buffers), std::move(generated.sizes)};
  }

  KernelStep launch_step(const ExternCall& call) {
    std::string name = fmt::format("{}_user_{}", prefix_of(target_), program_.kernels.size());
    UserLaunch launch = user_launch(call, schedule_, target_, std::move(name));
    program_.kernels.push_back(std::move(launch.source));
    return {static_cast<int>(program_.kernels.size()) - 1, std::move(launch.buffers), std::move(launch.sizes)};
  }

  // The text may not show how large the range or the grid is. Numbers that depend on symbols are those of this step.
  static std::string identity(const KernelSource& source) {
    std::string grids;
    for (const CudaLaunch& launch : source.launches)
      grids +=
          fmt::format(" {}x{}x{}", to_string(launch.grid[0]), to_string(launch.grid[1]), to_string(launch.grid[2]));
    return fmt::format("{} {} {} {} {}{}\n{}", to_string(source.range), source.grain, to_string(source.work),
                       to_string(source.scratch_bytes), to_string(source.partial_bytes), grids,
                       without_comments(source.text));
  }

  static KernelSource renamed(KernelSource source, const std::string& name) {
    auto rename = [&](std::string& text) {
      for (size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at + name.size()))
        text.replace(at, std::size(placeholder) - 1, name);
    };
    rename(source.name);
    rename(source.finish_name);
    rename(source.text);
    for (CudaLaunch& launch : source.launches) rename(launch.function);
    return source;
  }

  static constexpr char placeholder[] = "fused_kernel_NAME";

  const Schedule& schedule_;
  const Target& target_;
  Program program_;
  std::unordered_map<std::string, int> known_;
};

}  // namespace

Program generate_program(const Schedule& schedule, const CppTarget& target) {
  return ProgramBuilder<CppTarget>(schedule, target).build();
}

Program generate_program(const Schedule& schedule, const CudaTarget& target) {
  return ProgramBuilder<CudaTarget>(schedule, target).build();
}

fusion::FusionLimits fusion_limits(const CudaTarget& target) {
  fusion::FusionLimits limits;
  limits.vector_bytes = 16;                                 // of one access
  limits.local_bytes = target.shared_bytes / 4;             // several blocks share a multiprocessor
  limits.many_joints = std::numeric_limits<size_t>::max();  // a grid shares every axis
  return limits;
}

}  // namespace sinter::codegen
