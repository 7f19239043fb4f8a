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

// Aligned copies of the buffers that a kernel works on, with guard bytes behind.
class Arguments {
 public:
  Arguments(BufferBytes& buffers, const std::vector<int>& ids, int64_t partial_bytes) : buffers_(buffers), ids_(ids) {
    for (int id : ids) add(buffers[size_t(id)].size(), buffers[size_t(id)].data());
    if (partial_bytes > 0) add(size_t(partial_bytes), nullptr);
  }
  ~Arguments() {
    for (void* pointer : pointers_) std::free(pointer);
  }
  void* const* pointers() const { return pointers_.data(); }
  void copy_back() {
    for (size_t i = 0; i < ids_.size(); ++i) {
      std::vector<std::byte>& bytes = buffers_[size_t(ids_[i])];
      std::copy_n(static_cast<std::byte*>(pointers_[i]), bytes.size(), bytes.data());
      for (size_t k = 0; k < guard; ++k)
        if (static_cast<unsigned char*>(pointers_[i])[bytes.size() + k] != 0xa5)
          throw std::runtime_error("a kernel wrote behind a buffer");
    }
  }

 private:
  static constexpr size_t guard = 64;
  void add(size_t bytes, const std::byte* from) {
    void* pointer = std::aligned_alloc(64, (bytes + guard + 63) / 64 * 64);
    std::fill_n(static_cast<unsigned char*>(pointer), bytes + guard, 0xa5);
    if (from) std::copy_n(from, bytes, static_cast<std::byte*>(pointer));
    pointers_.push_back(pointer);
  }
  BufferBytes& buffers_;
  const std::vector<int>& ids_;
  std::vector<void*> pointers_;
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
    Arguments arguments(buffers, kernel_step.buffers, kernel.partial_bytes.constant());
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
