// Text form of a program: its buffers and its steps.

#include <sinter/codegen/program.h>

namespace sinter::codegen {

namespace {

std::string names(const Program& program, const std::vector<int>& buffers) {
  std::string text;
  for (int buffer : buffers) text += (text.empty() ? "" : ", ") + program.buffers[buffer].name;
  return text;
}

std::string kind_text(const ProgramBuffer& buffer) {
  switch (buffer.kind) {
    case fusion::BufferKind::input: return fmt::format("input {}", buffer.source);
    case fusion::BufferKind::output: return fmt::format("output, {} bytes", to_string(buffer.bytes));
    case fusion::BufferKind::temporary:
      return fmt::format("temporary, {} bytes at {}", to_string(buffer.bytes), to_string(buffer.arena_offset));
    case fusion::BufferKind::local: return "local";
  }
  return "?";
}

struct StepText {
  const Program& program;

  std::string operator()(const KernelStep& step) const {
    const KernelSource& kernel = program.kernels[step.kernel];
    std::string sizes, text = fmt::format("{}({}", kernel.name, names(program, step.buffers));
    for (SymInt size : step.sizes) sizes += (sizes.empty() ? ", sizes " : " ") + to_string(size);
    text += sizes + ")";
    if (kernel.launches.empty()) return fmt::format("{} range {}", text, to_string(kernel.range));
    for (const CudaLaunch& launch : kernel.launches)
      text += fmt::format(" <{} x {}>", to_string(launch.grid[0]), launch.block);
    return text;
  }
  std::string operator()(const LibraryStep& step) const {
    return fmt::format("{}({}) -> {}", step.op->name(), names(program, step.inputs), names(program, step.outputs));
  }
};

}  // namespace

std::string to_string(const Program& program) {
  std::string text =
      fmt::format("program: {} kernels, arena of {} bytes\n", program.kernels.size(), to_string(program.arena_bytes));
  for (const ProgramBuffer& buffer : program.buffers)
    text += fmt::format("  buffer {} : {} {}\n", buffer.name, to_string(TensorMeta{buffer.dtype, cpu, buffer.layout}),
                        kind_text(buffer));
  for (const Step& step : program.steps) text += fmt::format("  {}\n", std::visit(StepText{program}, step.what));
  for (const fusion::ScheduleResult& result : program.results)
    text += result.buffer < 0 ? "  return none\n" : fmt::format("  return {}\n", program.buffers[result.buffer].name);
  return text;
}

}  // namespace sinter::codegen
