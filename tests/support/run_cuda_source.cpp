// Builds the sources with the shim by a g++ of the machine, and hands it aligned memory with guards behind.

#include "support/run_cuda_source.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "support/kernel_arguments.h"

namespace sinter::test {

namespace {

using codegen::CudaLaunch;
using codegen::KernelSource;
using codegen::Program;

using LaunchFunction = void (*)(void* const* arguments, long grid, int block, long shared_bytes);

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// What plain C++ has not, in the words of the shim.
std::string translated(std::string text) {
  constexpr std::pair<const char*, const char*> words[] = {
      {"extern __shared__ __align__(16) char shared[];", "char* const shared = cuda_shim::shared_begin();"},
      {"extern \"C\" ", ""},
      {R"(asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits.x));)", "y = cuda_shim::from_f16(x.bits.x);"},
      {R"(asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(0.0f), "f"(x.x));)", "y = cuda_shim::to_f16(x.x);"},
      {R"(asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(0.0f), "f"(x.x));)", "y = cuda_shim::to_bf16(x.x);"},
      {R"(asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));)",
       "y = cuda_shim::flushed(1.0f / cuda_shim::flushed(x));"},
      {R"(asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));)", "y = cuda_shim::approximate(std::exp2(x));"},
      {R"(asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));)",
       "y = cuda_shim::flushed((float)(1.0 / std::sqrt((double)cuda_shim::flushed(x))));"},
      {R"(asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a.x), "f"(b.x));)", "y = cuda_shim::larger(a.x, b.x);"},
      {R"(asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a.x), "f"(b.x));)", "y = -cuda_shim::larger(-a.x, -b.x);"},
  };
  for (auto [what, by] : words) text = replaced(std::move(text), what, by);
  return text;
}

std::string source_of(const Program& program) {
  std::string text = fmt::format("#include \"{}\"\n",
                                 (std::filesystem::path(SINTER_SOURCE_DIR) / "tests/support/cuda_shim.h").string());
  for (const KernelSource& kernel : program.kernels) {  // each has a prelude of its own
    std::string name = "in_" + kernel.name;
    text += "namespace " + name + " {\n" + translated(kernel.text);
    text += "}\n";
    bool has_barriers =
        kernel.text.find("__sync") != std::string::npos || kernel.text.find("__shfl_") != std::string::npos;
    for (const CudaLaunch& launch : kernel.launches)
      text += "extern \"C\" void run_" + launch.function +
              "(void* const* arguments, long grid, int block, long shared) {\n  cuda_shim::run(" + name +
              "::" + launch.function + ", arguments, grid, block, shared, " + (has_barriers ? "true" : "false") +
              ");\n}\n";
  }
  return text;
}

void* compiled(const std::string& text) {
  char folder[] = "/tmp/sinter_cuda_XXXXXX";
  if (!mkdtemp(folder)) throw std::runtime_error("no temporary folder");
  std::string source = std::string(folder) + "/kernel.cpp", object = std::string(folder) + "/kernel.so";
  std::ofstream(source) << text;
  std::string command = "g++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared -w " + source + " -o " + object;
  void* handle = nullptr;
  if (std::system((command + " 2>" + folder + "/log").c_str()) == 0)
    handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string why;
  std::ifstream log(std::string(folder) + "/log");
  for (std::string line; why.size() < 2000 && std::getline(log, line);) why += line + "\n";
  std::filesystem::remove_all(folder);
  if (!handle) throw std::runtime_error("can't compile or load: " + command + "\n" + why);
  return handle;  // stays loaded
}

void* load(const Program& program) {
  static std::map<std::string, void*>& loaded = *new std::map<std::string, void*>;
  std::string text = source_of(program);
  void*& handle = loaded[text];
  if (!handle) handle = compiled(text);
  return handle;
}

}  // namespace

void run_cuda_program(const Program& program, BufferBytes& buffers, const std::function<int64_t(SymInt)>& number) {
  void* library = load(program);
  for (const codegen::Step& step : program.steps) {
    const auto& kernel_step = std::get<codegen::KernelStep>(step.what);
    const KernelSource& kernel = program.kernels[size_t(kernel_step.kernel)];
    int64_t partial_bytes = number(kernel.partial_bytes);
    KernelArguments memory(buffers, kernel_step.buffers, partial_bytes, 256);
    size_t addresses = kernel_step.buffers.size() + (partial_bytes > 0 ? 1 : 0);
    std::vector<void*> arguments(memory.pointers(), memory.pointers() + addresses);
    for (SymInt size : kernel_step.sizes) arguments.push_back(reinterpret_cast<void*>(number(size)));
    for (const CudaLaunch& launch : kernel.launches) {
      auto run = reinterpret_cast<LaunchFunction>(dlsym(library, ("run_" + launch.function).c_str()));
      if (!run) throw std::runtime_error("no function " + launch.function);
      run(arguments.data(), number(launch.grid[0]), launch.block, launch.shared_bytes);
    }
    memory.copy_back();
  }
}

}  // namespace sinter::test
