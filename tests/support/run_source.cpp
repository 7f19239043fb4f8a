// Compilers, and memory around buffers that shows writes behind them.

#include "support/run_source.h"

#include <sinter/runtime/kernel_cache.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "support/kernel_arguments.h"

namespace sinter::test {

namespace {

// What one program's kernels are compiled to.
class Library {
 public:
  virtual ~Library() = default;
  virtual codegen::KernelFunction function(const std::string& name) const = 0;
};

class ClangLibrary : public Library {
 public:
  ClangLibrary(const codegen::Program& program, runtime::Isa isa) {
    kernels_ = runtime::load_kernels(program.kernels, {.isa = isa, .optimize = 2});
    for (const codegen::KernelSource& kernel : program.kernels) names_.push_back(kernel.name);
  }
  codegen::KernelFunction function(const std::string& name) const override {
    for (size_t i = 0; i < names_.size(); ++i) {
      if (name == names_[i]) return kernels_[i]->run;
      if (name == names_[i] + "_finish") return kernels_[i]->finish;
    }
    throw std::runtime_error("no function " + name);
  }

 private:
  std::vector<std::shared_ptr<const runtime::LoadedKernel>> kernels_;
  std::vector<std::string> names_;
};

class GccLibrary : public Library {
 public:
  GccLibrary(const codegen::Program& program, runtime::Isa isa) {
    char folder[] = "/tmp/sinter_kernel_XXXXXX";
    if (!mkdtemp(folder)) throw std::runtime_error("no temporary folder");
    std::string source = std::string(folder) + "/kernel.cpp", object = std::string(folder) + "/kernel.so";
    std::ofstream text(source);
    for (size_t i = 0; i < program.kernels.size(); ++i)  // each has a prelude of its own
      text << "namespace kernel" << i << " {\n" << program.kernels[i].text << "}\n";
    text.close();
    std::string flags = isa == runtime::Isa::avx512 ? " -march=x86-64-v4"
                        : isa == runtime::Isa::avx2 ? " -march=x86-64-v3"
                                                    : "";
    std::string command = "g++ -std=c++20 -O1 -fPIC -shared -w" + flags + " " + source + " -o " + object;
    if (std::system((command + " 2>" + folder + "/log").c_str()) == 0)
      handle_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove_all(folder);
    if (!handle_) throw std::runtime_error("can't compile or load: " + command);
  }
  codegen::KernelFunction function(const std::string& name) const override {
    void* address = dlsym(handle_, name.c_str());
    if (!address) throw std::runtime_error("no function " + name);
    return reinterpret_cast<codegen::KernelFunction>(address);
  }

 private:
  void* handle_ = nullptr;  // stays loaded
};

}  // namespace

void run_program(const codegen::Program& program, BufferBytes& buffers, SourceCompiler compiler, runtime::Isa isa,
                 int pieces) {
  std::unique_ptr<Library> code;
  if (compiler == SourceCompiler::gcc)
    code = std::make_unique<GccLibrary>(program, isa);
  else
    code = std::make_unique<ClangLibrary>(program, isa);
  for (const codegen::Step& step : program.steps) {
    const auto& kernel_step = std::get<codegen::KernelStep>(step.what);
    const codegen::KernelSource& kernel = program.kernels[size_t(kernel_step.kernel)];
    KernelArguments arguments(buffers, kernel_step.buffers, kernel.partial_bytes.constant(), 64);
    void* scratch = std::aligned_alloc(64, size_t(kernel.scratch_bytes.constant() + 64) / 64 * 64);
    int64_t range = kernel.range.constant();
    int64_t piece = std::max<int64_t>(range / pieces / kernel.grain * kernel.grain, kernel.grain);
    for (int64_t begin = 0; begin < range; begin += piece)
      code->function(kernel.name)(arguments.pointers(), begin, std::min(begin + piece, range), scratch);
    if (!kernel.finish_name.empty()) code->function(kernel.finish_name)(arguments.pointers(), 0, range, scratch);
    std::free(scratch);
    arguments.copy_back();
  }
}

}  // namespace sinter::test
