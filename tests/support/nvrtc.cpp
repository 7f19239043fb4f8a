// Opens the library by its names, newest first.

#include "support/nvrtc.h"

#include <dlfcn.h>

#include <stdexcept>
#include <vector>

namespace sinter::test {

namespace {

using NvrtcProgram = void*;

// The few functions of nvrtc.h that are needed; every one gives 0 where it succeeds.
struct Nvrtc {
  int (*create)(NvrtcProgram*, const char* source, const char* name, int, const char* const*, const char* const*);
  int (*destroy)(NvrtcProgram*);
  int (*compile)(NvrtcProgram, int count, const char* const* options);
  int (*log_size)(NvrtcProgram, size_t*);
  int (*log)(NvrtcProgram, char*);
  int (*code_size)(NvrtcProgram, size_t*);
};

template <class F>
void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw std::runtime_error(std::string("NVRTC has no ") + name);
}

void* open_library() {
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

void* library() {
  static void* const opened = open_library();
  return opened;
}

const Nvrtc& nvrtc() {
  static const Nvrtc functions = [] {
    Nvrtc f;
    find(library(), "nvrtcCreateProgram", f.create);
    find(library(), "nvrtcDestroyProgram", f.destroy);
    find(library(), "nvrtcCompileProgram", f.compile);
    find(library(), "nvrtcGetProgramLogSize", f.log_size);
    find(library(), "nvrtcGetProgramLog", f.log);
    find(library(), "nvrtcGetCUBINSize", f.code_size);
    return f;
  }();
  return functions;
}

}  // namespace

std::string nvrtc_missing() {
  return library() ? "" : "this machine has no NVRTC (libnvrtc.so.13, libnvrtc.so.12, libnvrtc.so)";
}

NvrtcResult compile_with_nvrtc(const std::string& source) {
  std::vector<const char*> options{"--gpu-architecture=sm_90", "--std=c++17", "--fmad=false", "--device-int128"};
  NvrtcProgram program = nullptr;
  if (nvrtc().create(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr) != 0)
    throw std::runtime_error("NVRTC takes no source");
  NvrtcResult result;
  result.compiled = nvrtc().compile(program, static_cast<int>(options.size()), options.data()) == 0;
  size_t size = 0;
  nvrtc().log_size(program, &size);
  result.log.resize(size);
  if (size > 0) nvrtc().log(program, result.log.data());
  while (!result.log.empty() && result.log.back() == '\0') result.log.pop_back();
  if (result.compiled) nvrtc().code_size(program, &result.code_bytes);
  nvrtc().destroy(&program);
  return result;
}

}  // namespace sinter::test
