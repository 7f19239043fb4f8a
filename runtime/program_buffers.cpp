// Goes through a program's steps for the buffers that they name.

#include <sinter/runtime/program_buffers.h>

#include <sinter/runtime/check_guards.h>

namespace sinter::runtime {

std::vector<int> used_buffers(const codegen::Program& program) {
  std::vector<bool> is_used(program.buffers.size());
  auto use = [&](const std::vector<int>& buffers) {
    for (int buffer : buffers) is_used[buffer] = true;
  };
  for (const codegen::Step& step : program.steps) {
    if (auto* kernel = std::get_if<codegen::KernelStep>(&step.what)) {
      use(kernel->buffers);
    } else {
      use(std::get<codegen::LibraryStep>(step.what).inputs);
      use(std::get<codegen::LibraryStep>(step.what).outputs);
    }
  }
  for (const fusion::ScheduleResult& result : program.results)
    if (result.buffer >= 0) is_used[result.buffer] = true;
  std::vector<int> used;
  for (size_t i = 0; i < is_used.size(); ++i)
    if (is_used[i]) used.push_back(static_cast<int>(i));
  return used;
}

char* origin_of(const Tensor& tensor, const TensorMeta& traced) {
  auto address =
      first_element(tensor) - static_cast<uintptr_t>(traced.layout.offset.constant() * byte_size(traced.dtype));
  return reinterpret_cast<char*>(address);
}

}  // namespace sinter::runtime
