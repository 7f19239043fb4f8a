// Opens libcuda, binds its functions, words its errors.

#include <sinter/runtime/cuda/driver.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/open_library.h>

#include <array>
#include <atomic>

namespace sinter::runtime {

namespace {

// What opening gave: a driver, or why there is none.
struct Opening {
  Driver driver;
  std::string failure;  // empty: it is there
  std::vector<ErrorNote> notes;
};

bool bind_functions(const OpenedLibrary& library, Opening& opening) {
#define SINTER_BIND(name, symbol, parameters)                                             \
  opening.driver.name = reinterpret_cast<CUresult(*) parameters>(library.find(symbol));   \
  if (!opening.driver.name) {                                                             \
    opening.failure = "the CUDA driver is too old: libcuda.so.1 has no function " symbol; \
    return false;                                                                         \
  }
  SINTER_DRIVER_FUNCTIONS(SINTER_BIND)
#undef SINTER_BIND
  return true;
}

std::string words_of(const Driver& driver, CUresult result) {
  const char *name = nullptr, *text = nullptr;
  driver.cuGetErrorName(result, &name);
  driver.cuGetErrorString(result, &text);
  return fmt::format("{} ({})", name ? name : fmt::format("CUDA error {}", result).c_str(), text ? text : "unknown");
}

Opening open_driver() {
  Opening opening;
  OpenedLibrary library = OpenedLibrary::open({"libcuda.so.1"}, opening.notes);
  if (!library) {
    opening.failure = "the CUDA driver's library can't be opened";
    return opening;
  }
  if (!bind_functions(library, opening)) return opening;
  if (CUresult result = opening.driver.cuInit(0); result != CUDA_SUCCESS) {
    opening.failure = "the CUDA driver does not start: " + words_of(opening.driver, result);
    return opening;
  }
  opening.driver.cuDriverGetVersion(&opening.driver.version);
  return opening;
}

const Opening& opened_driver() {
  static const Opening& opening = *new Opening(open_driver());
  return opening;
}

// The last launches of the process, whoever made them.
constexpr size_t kept_launches = 8;
std::array<std::atomic<const char*>, kept_launches> launches;
std::atomic<size_t> launch_count = 0;

std::string last_launches() {
  std::string names;
  size_t end = launch_count.load();
  for (size_t i = 0; i < kept_launches && i < end; ++i) {
    const char* name = launches[(end - 1 - i) % kept_launches].load();
    if (name && names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

// Results that a kernel leaves behind, seen by whatever call comes next: the context can't be used after.
bool is_left_by_kernel(CUresult result) { return result >= 700 && result <= 719 && result != 701; }

}  // namespace

const Driver* find_driver() { return opened_driver().failure.empty() ? &opened_driver().driver : nullptr; }

const Driver& driver(Here where) {
  const Opening& opening = opened_driver();
  if (!opening.failure.empty())
    throw Error(ErrorKind::environment, graph::effective_location(where), "cuda: " + opening.failure, opening.notes,
                "need an NVIDIA GPU with its driver (libcuda.so.1), or the device cpu");
  return opening.driver;
}

std::string describe_cuda(CUresult result) { return words_of(opened_driver().driver, result); }

void note_launch(const char* kernel) {
  size_t place = launch_count.fetch_add(1, std::memory_order_relaxed);
  launches[place % kept_launches].store(kernel, std::memory_order_relaxed);
}

void check_cuda(CUresult result, std::string_view call) {
  if (result == CUDA_SUCCESS) [[likely]]
    return;
  Here where = graph::effective_location(Here::current());
  if (is_left_by_kernel(result))
    throw Error(ErrorKind::environment, where,
                fmt::format("cuda: a kernel failed: {}, seen at {}", describe_cuda(result), call),
                {{"launched last", last_launches()}},
                "CUDA_LAUNCH_BLOCKING=1 in the environment makes each launch wait for its kernel");
  throw Error(ErrorKind::environment, where, fmt::format("cuda: {} failed: {}", call, describe_cuda(result)));
}

}  // namespace sinter::runtime
