// Finds libsinter_compiler, checks that it is of this build, and turns its failures into errors.

#include <dlfcn.h>
#include <fmt/format.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/cpu/compiler_library.h>
#include <sinter/runtime/ending_library.h>

#include <filesystem>

#if defined(SINTER_STATIC_LLVM)
extern "C" const sinter::runtime::CompilerApi* sinter_compiler_api();
#endif

namespace sinter::runtime {
namespace {

constexpr const char* library_name = "libsinter_compiler.so";

// Collects what the library hands out.
struct Received {
  std::vector<char> bytes;
  std::string failure;

  CompilerSink sink() {
    return {
        this,
        [](void* self, const char* bytes, size_t size) {
          static_cast<Received*>(self)->bytes.assign(bytes, bytes + size);
        },
        [](void* self, const char* text, size_t size) { static_cast<Received*>(self)->failure.assign(text, size); }};
  }
};

#if !defined(SINTER_STATIC_LLVM)
// Beside libsinter, where the build and an installation put it; then wherever the system's loader looks.
std::vector<std::string> usual_places() {
  std::vector<std::string> places;
  Dl_info here;
  if (dladdr(reinterpret_cast<const void*>(&usual_places), &here) != 0 && here.dli_fname != nullptr) {
    places.push_back((std::filesystem::path(here.dli_fname).parent_path() / library_name).string());
  }
  places.push_back(library_name);
  return places;
}
#endif

// clang and LLVM.
constinit EndingLibrary library([] { library.end(); });
constinit EndingLibrary::Kind compiles(library), loads(library);
#if !defined(SINTER_STATIC_LLVM)
constinit EndingLibrary::Kind opens(library);
#endif

const CompilerApi& compiler() {
#if defined(SINTER_STATIC_LLVM)
  return *sinter_compiler_api();
#else
  EndingLibrary::Use open(opens);
  static const CompilerApi& api = open_compiler(usual_places());  // a failure is tried again at the next compile
  return api;
#endif
}

// clang's name of the instruction set.
const char* clang_cpu(Isa isa) {
#if defined(__x86_64__)
  constexpr const char* names[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  return names[static_cast<int>(isa)];
#else
  (void)isa;
  return "generic";
#endif
}

CompilerTarget compiler_target(const CompileTarget& target) {
  // clang would keep AVX-512 code in 256-bit registers; ours is written for the whole ones.
  uint32_t vector_bits = target.isa == Isa::avx512 ? 512 : 0;
  return {clang_cpu(target.isa), vector_bits, static_cast<uint32_t>(target.optimize), SINTER_SANITIZE, 0};
}

}  // namespace

const CompilerApi& open_compiler(const std::vector<std::string>& candidates) {
  std::vector<ErrorNote> tried;
  for (const std::string& path : candidates) {
    void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) {
      tried.push_back({"tried", dlerror()});
      continue;
    }
    auto entry = reinterpret_cast<CompilerEntry>(dlsym(library, compiler_entry_name));
    if (entry != nullptr && entry()->version == compiler_api_version) return *entry();
    tried.push_back({"tried", path + ": not of this version of sinter"});
    dlclose(library);
  }
  throw Error(ErrorKind::environment, Here::current(), fmt::format("compile: {} can't be opened", library_name), tried,
              fmt::format("{} beside libsinter, and clang 19 and LLVM 19 as shared libraries", library_name));
}

std::string describe(const CompileTarget& target) {
  CompilerTarget inner = compiler_target(target);
  return fmt::format("clang {} {} -O{} vector_bits={} sanitizers={}", SINTER_LLVM_VERSION, inner.cpu, inner.optimize,
                     inner.vector_bits, inner.sanitizers);
}

namespace {

[[noreturn]] void fail_at_end() {
  throw Error(ErrorKind::environment, Here::current(), "compile: the process ends, and the compiler has gone");
}

std::vector<char> run_clang(std::string_view source, const CompilerTarget& inner, const std::string& file_name) {
  EndingLibrary::Use llvm(compiles);
  if (!llvm) fail_at_end();
  Received received;
  CompilerSink sink = received.sink();
  if (!compiler().compile(source.data(), source.size(), file_name.c_str(), &inner, &sink)) {
    throw Error(ErrorKind::backend, Here::current(),
                fmt::format("compile: clang refused {}\n{}", file_name, received.failure));
  }
  return std::move(received.bytes);
}

}  // namespace

bool compiler_has_gone() { return library.is_gone(); }

std::vector<char> compile_cpp(std::string_view source, const CompileTarget& target, const std::string& file_name) {
  return run_clang(source, compiler_target(target), file_name);
}

std::string assembly_of(std::string_view source, const CompileTarget& target, const std::string& file_name) {
  CompilerTarget inner = compiler_target(target);
  inner.as_assembly = 1;
  std::vector<char> text = run_clang(source, inner, file_name);
  return {text.begin(), text.end()};
}

namespace {

// Code that LLVM's linker loaded.
class LinkedImage final : public CodeImage {
 public:
  explicit LinkedImage(void* code) : code_(code) {}
  ~LinkedImage() override {
    EndingLibrary::Use llvm(loads);
    if (llvm) compiler().unload(code_);
  }
  LinkedImage(const LinkedImage&) = delete;
  void* find(const std::string& name) const override { return compiler().find(code_, name.c_str()); }

 private:
  void* code_;
};

}  // namespace

void* LoadedCode::find(const std::string& name) const {
  void* function = code_ ? code_->find(name) : nullptr;
  SINTER_CHECK(function != nullptr, "loaded code has no function '{}'", name);
  return function;
}

// A sanitizer's start-up code and tables are left to LLVM.
bool loads_without_compiler() {
#if defined(__x86_64__)
  return std::string_view(SINTER_SANITIZE).empty();
#else
  return false;
#endif
}

LoadedCode load_object(std::span<const char> object, std::span<const CompilerSymbol> symbols) {
  LoadedCode loaded;
  if (loads_without_compiler()) loaded.code_ = map_object(object, symbols).image;
  if (loaded) return loaded;
  EndingLibrary::Use llvm(loads);
  if (!llvm) fail_at_end();
  Received received;
  CompilerSink sink = received.sink();
  void* code = compiler().load(object.data(), object.size(), symbols.data(), symbols.size(), &sink);
  if (code == nullptr) {
    throw Error(ErrorKind::backend, Here::current(), fmt::format("load: {}", received.failure));
  }
  loaded.code_ = std::make_shared<const LinkedImage>(code);
  return loaded;
}

LoadedCode load_cached_object(std::span<const char> object, std::string& failure) {
  LoadedCode loaded;
  if (!loads_without_compiler()) {
    failure = "this build has no loader of its own";
    return loaded;
  }
  MapResult mapped = map_object(object, {});
  failure = std::move(mapped.failure);
  loaded.code_ = std::move(mapped.image);
  return loaded;
}

}  // namespace sinter::runtime
