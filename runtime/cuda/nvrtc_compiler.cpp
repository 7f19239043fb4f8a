// The one file that knows NVRTC's interface.

#include <sinter/runtime/cuda/nvrtc_compiler.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/open_library.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

using NvrtcResult = int;
using NvrtcProgram = struct _nvrtcProgram*;

struct Nvrtc {
  NvrtcResult (*version)(int* major, int* minor) = nullptr;
  const char* (*error_text)(NvrtcResult result) = nullptr;
  NvrtcResult (*architecture_count)(int* count) = nullptr;
  NvrtcResult (*architectures)(int* list) = nullptr;
  NvrtcResult (*create)(NvrtcProgram* program, const char* source, const char* name, int header_count,
                        const char* const* headers, const char* const* header_names) = nullptr;
  NvrtcResult (*destroy)(NvrtcProgram* program) = nullptr;
  NvrtcResult (*compile)(NvrtcProgram program, int option_count, const char* const* options) = nullptr;
  NvrtcResult (*log_size)(NvrtcProgram program, size_t* bytes) = nullptr;
  NvrtcResult (*log)(NvrtcProgram program, char* text) = nullptr;
  NvrtcResult (*cubin_size)(NvrtcProgram program, size_t* bytes) = nullptr;
  NvrtcResult (*cubin)(NvrtcProgram program, char* bytes) = nullptr;

  std::string failure;  // empty: it is there
  std::vector<ErrorNote> notes;
  int major = 0, minor = 0;
};

Nvrtc open_nvrtc() {
  Nvrtc nvrtc;
  OpenedLibrary library =
      OpenedLibrary::open(toolkit_places({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}), nvrtc.notes);
  if (!library) {
    nvrtc.failure = "NVRTC, CUDA's run-time compiler, can't be opened";
    return nvrtc;
  }
  auto bind = [&](auto& pointer, const char* symbol) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(library.find(symbol));
    if (!pointer) nvrtc.failure = fmt::format("{} is too old: it has no function {}", library.name(), symbol);
  };
  bind(nvrtc.version, "nvrtcVersion");
  bind(nvrtc.error_text, "nvrtcGetErrorString");
  bind(nvrtc.architecture_count, "nvrtcGetNumSupportedArchs");
  bind(nvrtc.architectures, "nvrtcGetSupportedArchs");
  bind(nvrtc.create, "nvrtcCreateProgram");
  bind(nvrtc.destroy, "nvrtcDestroyProgram");
  bind(nvrtc.compile, "nvrtcCompileProgram");
  bind(nvrtc.log_size, "nvrtcGetProgramLogSize");
  bind(nvrtc.log, "nvrtcGetProgramLog");
  bind(nvrtc.cubin_size, "nvrtcGetCUBINSize");
  bind(nvrtc.cubin, "nvrtcGetCUBIN");
  if (nvrtc.failure.empty()) nvrtc.version(&nvrtc.major, &nvrtc.minor);
  return nvrtc;
}

const Nvrtc& opened_nvrtc() {
  static const Nvrtc& nvrtc = *new Nvrtc(open_nvrtc());
  return nvrtc;
}

const Nvrtc& nvrtc() {
  const Nvrtc& opened = opened_nvrtc();
  if (!opened.failure.empty())
    throw Error(ErrorKind::environment, graph::effective_location(Here::current()), "cuda: " + opened.failure,
                opened.notes, "need libnvrtc of CUDA 12 or later where the system's loader or CUDA_HOME finds it");
  return opened;
}

void check(NvrtcResult result, std::string_view call) {
  if (result == 0) return;
  throw Error(ErrorKind::backend, graph::effective_location(Here::current()),
              fmt::format("cuda: {} failed: {}", call, nvrtc().error_text(result)));
}

// IEEE arithmetic throughout: nothing is contracted, flushed or approximated.
std::vector<std::string> compile_options(std::string_view architecture) {
  return {fmt::format("--gpu-architecture={}", architecture),
          "--fmad=false",
          "--prec-div=true",
          "--prec-sqrt=true",
          "--ftz=false",
          "--std=c++17",
          "--device-int128"};
}

class Program {
 public:
  Program(const std::string& source, const std::string& name) {
    check(nvrtc().create(&handle_, source.c_str(), name.c_str(), 0, nullptr, nullptr), "nvrtcCreateProgram");
  }
  Program(const Program&) = delete;
  ~Program() { nvrtc().destroy(&handle_); }

  NvrtcResult compile(const std::vector<std::string>& options) {
    std::vector<const char*> texts;
    for (const std::string& option : options) texts.push_back(option.c_str());
    return nvrtc().compile(handle_, static_cast<int>(texts.size()), texts.data());
  }
  std::string log() const {
    size_t bytes = 0;
    check(nvrtc().log_size(handle_, &bytes), "nvrtcGetProgramLogSize");
    std::string text(bytes, '\0');
    if (bytes > 0) check(nvrtc().log(handle_, text.data()), "nvrtcGetProgramLog");
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }
  std::vector<char> cubin() const {
    size_t bytes = 0;
    check(nvrtc().cubin_size(handle_, &bytes), "nvrtcGetCUBINSize");
    std::vector<char> code(bytes);
    check(nvrtc().cubin(handle_, code.data()), "nvrtcGetCUBIN");
    return code;
  }

 private:
  NvrtcProgram handle_ = nullptr;
};

}  // namespace

bool has_nvrtc() { return opened_nvrtc().failure.empty(); }

std::vector<char> compile_cuda(std::string_view source, std::string_view architecture, const std::string& file_name) {
  Program program(std::string(source), file_name);
  if (NvrtcResult result = program.compile(compile_options(architecture)); result != 0)
    throw Error(ErrorKind::backend, graph::effective_location(Here::current()),
                fmt::format("compile: NVRTC refused {}: {}\n{}", file_name, nvrtc().error_text(result), program.log()));
  return program.cubin();
}

std::string describe_nvrtc(std::string_view architecture) {
  std::string text = fmt::format("nvrtc {}.{}", nvrtc().major, nvrtc().minor);
  for (const std::string& option : compile_options(architecture)) text += " " + option;
  return text;
}

std::string best_architecture(int capability) {
  int count = 0;
  check(nvrtc().architecture_count(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> known(count);
  check(nvrtc().architectures(known.data()), "nvrtcGetSupportedArchs");
  int best = 0;
  for (int architecture : known)
    if (architecture <= capability) best = std::max(best, architecture);
  if (best == 0)
    throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
                fmt::format("cuda: NVRTC {}.{} compiles for no device as old as compute capability {}.{}",
                            nvrtc().major, nvrtc().minor, capability / 10, capability % 10),
                {}, "need an older CUDA toolkit, or a newer device");
  return fmt::format("sm_{}", best);
}

}  // namespace sinter::runtime
