// Compiler processes and dlopen.

#include "support/run_source.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

namespace sinter::test {

namespace {

class Library {
 public:
  Library(const std::string& text, const SourceCompiler& compiler) {
    char folder[] = "/tmp/sinter_kernel_XXXXXX";
    if (!mkdtemp(folder)) throw std::runtime_error("no temporary folder");
    std::string source = std::string(folder) + "/kernel.cpp", object = std::string(folder) + "/kernel.so";
    std::ofstream(source) << text;
    std::string command =
        compiler.command + " -std=c++20 -O1 -fPIC -shared -w " + compiler.flags + " " + source + " -o " + object;
    bool compiled = std::system(command.c_str()) == 0;
    if (compiled) handle_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove_all(folder);
    if (!handle_) throw std::runtime_error("can't compile or load:\n" + text);
  }
  codegen::KernelFunction function(const std::string& name) const {
    void* address = dlsym(handle_, name.c_str());
    if (!address) throw std::runtime_error("no function " + name);
    return reinterpret_cast<codegen::KernelFunction>(address);
  }

 private:
  void* handle_ = nullptr;
};

// Tests compile few sources, several times each.
const Library& library(const std::string& text, const SourceCompiler& compiler) {
  static std::map<std::string, std::unique_ptr<Library>> loaded;
  std::unique_ptr<Library>& entry = loaded[compiler.command + compiler.flags + text];
  if (!entry) entry = std::make_unique<Library>(text, compiler);
  return *entry;
}

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

void run_program(const codegen::Program& program, BufferBytes& buffers, const SourceCompiler& compiler, int pieces) {
  for (const codegen::Step& step : program.steps) {
    const auto& kernel_step = std::get<codegen::KernelStep>(step.what);
    const codegen::KernelSource& kernel = program.kernels[size_t(kernel_step.kernel)];
    const Library& code = library(kernel.text, compiler);
    Arguments arguments(buffers, kernel_step.buffers, kernel.partial_bytes);
    void* scratch = std::aligned_alloc(64, size_t(kernel.scratch_bytes + 64) / 64 * 64);
    int64_t piece = std::max<int64_t>(kernel.range / pieces / kernel.grain * kernel.grain, kernel.grain);
    for (int64_t begin = 0; begin < kernel.range; begin += piece)
      code.function(kernel.name)(arguments.pointers(), begin, std::min(begin + piece, kernel.range), scratch);
    if (!kernel.finish_name.empty()) code.function(kernel.finish_name)(arguments.pointers(), 0, kernel.range, scratch);
    std::free(scratch);
    arguments.copy_back();
  }
}

}  // namespace sinter::test
