// Both programs on copies of the same buffers.

#include "support/expect_cuda.h"

#include "support/nvrtc.h"
#include "support/run_cuda_source.h"
#include "support/run_source.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sinter::test {

namespace {

double read(const std::byte* at, DType dtype) {
  return visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    T x;
    std::memcpy(&x, at, sizeof x);
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return double(float(x));
    else
      return double(x);
  });
}

bool same_element(const std::byte* a, const std::byte* b, DType dtype, double tolerance) {
  if (std::memcmp(a, b, size_t(byte_size(dtype))) == 0) return true;
  if (!is_floating(dtype)) return false;
  double x = read(a, dtype), y = read(b, dtype);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return std::abs(x - y) <= tolerance * std::max({std::abs(x), std::abs(y), 1.0}) && tolerance > 0;
}

std::string functions_of(const codegen::Program& program) {
  std::string text;
  for (const codegen::KernelSource& kernel : program.kernels) {
    for (const codegen::CudaLaunch& launch : kernel.launches)
      text += fmt::format("{} <{} x {}, {}>\n", launch.function, to_string(launch.grid[0]), launch.block,
                          launch.shared_bytes);
    text += kernel.text.substr(std::min(kernel.text.find("extern \"C\""), kernel.text.size()));
  }
  return text;
}

}  // namespace

codegen::Program cuda_program(const fusion::Schedule& schedule) {
  return codegen::generate_program(schedule, codegen::CudaTarget{});
}

void expect_cuda(const fusion::Schedule& with_checks, const BufferBytes& start, double tolerance) {
  fusion::Schedule schedule = with_checks;
  std::erase_if(schedule.kernels,
                [](const fusion::Kernel& kernel) { return kernel.call && kernel.call->outputs.empty(); });
  BufferBytes got = start, wanted = start;
  codegen::CppTarget target{runtime::vector_bytes(runtime::detect_isa())};
  run_program(codegen::generate_program(schedule, target), wanted, SourceCompiler::clang_in_process,
              runtime::detect_isa());
  codegen::Program program = cuda_program(schedule);
  run_cuda_program(program, got);
  for (size_t id = 0; id < wanted.size(); ++id) {
    const fusion::Buffer& buffer = schedule.buffers[id];
    if (buffer.kind == fusion::BufferKind::local) continue;
    size_t size = size_t(byte_size(buffer.dtype));
    for (size_t at = 0; at + size <= wanted[id].size(); at += size) {
      if (same_element(&got[id][at], &wanted[id][at], buffer.dtype, tolerance)) continue;
      ADD_FAILURE() << buffer.name << " differs at " << at / size << ": " << read(&got[id][at], buffer.dtype)
                    << ", not " << read(&wanted[id][at], buffer.dtype) << "\n"
                    << functions_of(program);
      break;
    }
  }
  expect_nvrtc(program);
}

void expect_cuda(const fusion::Schedule& schedule, double tolerance) {
  expect_cuda(schedule, make_buffers(schedule, 1), tolerance);
}

fusion::Schedule joined(const std::vector<fusion::Schedule>& schedules) {
  fusion::Schedule all;
  for (const fusion::Schedule& one : schedules) {
    int first = static_cast<int>(all.buffers.size());
    for (fusion::Buffer buffer : one.buffers) {
      if (buffer.source >= 0) buffer.source += first;
      all.buffers.push_back(std::move(buffer));
    }
    for (fusion::Kernel kernel : one.kernels) {
      if (kernel.call) continue;
      for (fusion::Nest& nest : kernel.nests) {
        for (fusion::Load& load : nest.body.loads) load.buffer += first;
        for (fusion::Store& store : nest.stores) store.buffer += first;
      }
      all.kernels.push_back(std::move(kernel));
    }
  }
  return all;
}

void expect_nvrtc(const codegen::Program& program) {
  if (!nvrtc_missing().empty()) return;
  for (const codegen::KernelSource& kernel : program.kernels) {
    NvrtcResult result = compile_with_nvrtc(kernel.text);
    EXPECT_TRUE(result.compiled && result.log.empty()) << result.log << "\n" << kernel.text;
  }
}

}  // namespace sinter::test
