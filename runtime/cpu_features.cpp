// Asks the processor and the kernel's files what there is.

#include <fmt/format.h>
#include <sched.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/cpu_features.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sinter::runtime {
namespace {

constexpr std::array<std::string_view, 4> isa_names = {"generic", "sse42", "avx2", "avx512"};

// "32K" or "1M" as the kernel writes cache sizes; 0 if it is anything else.
int64_t parse_size(const std::string& text) {
  std::istringstream in(text);
  int64_t number = 0;
  char unit = ' ';
  in >> number >> unit;
  return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : number;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

CacheSizes read_cache_sizes() {
  CacheSizes sizes = {32 << 10, 512 << 10, 8 << 20};  // a modest machine, where the kernel tells nothing
  for (int index = 0; index < 8; ++index) {
    std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    int64_t size = parse_size(first_line(folder + "size"));
    std::string level = first_line(folder + "level");
    if (size <= 0) continue;
    if (level == "1" && first_line(folder + "type") != "Instruction") sizes.level1_data = size;
    if (level == "2") sizes.level2 = size;
    if (level == "3") sizes.level3 = size;
  }
  return sizes;
}

// Whole cores that a cgroup's quota amounts to, rounded up; `otherwise` if there is no quota.
int cores_of_quota(double quota, double period, int otherwise) {
  return quota > 0 && period > 0 ? std::max(1, static_cast<int>(std::ceil(quota / period))) : otherwise;
}

int cgroup_cores(int otherwise) {
  std::istringstream v2(first_line("/sys/fs/cgroup/cpu.max"));  // "max 100000" or "150000 100000"
  double quota = 0;
  double period = 0;
  if (v2 >> quota >> period) return cores_of_quota(quota, period, otherwise);
  std::istringstream v1(first_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"));
  std::istringstream v1_period(first_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us"));
  if (v1 >> quota && v1_period >> period) return cores_of_quota(quota, period, otherwise);
  return otherwise;
}

int count_available_cores() {
  int cores = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) cores = std::max(1, CPU_COUNT(&mask));
  return std::min(cores, cgroup_cores(cores));
}

std::string read_cpu_name() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid(0, &a, &b, &c, &d);
  std::string maker;
  for (unsigned word : {b, d, c}) maker.append(reinterpret_cast<const char*>(&word), sizeof(word));
  __get_cpuid(1, &a, &b, &c, &d);
  return fmt::format("{} {:08x}", maker, a);
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

}  // namespace

std::string_view name(Isa isa) { return isa_names[static_cast<size_t>(isa)]; }

Isa parse_isa(std::string_view text) {
  auto found = std::find(isa_names.begin(), isa_names.end(), text);
  if (found == isa_names.end()) {
    throw Error(ErrorKind::argument, Here::current(), fmt::format("isa: there is no instruction set '{}'", text), {},
                fmt::format("one of {}", fmt::join(isa_names, ", ")));
  }
  return static_cast<Isa>(found - isa_names.begin());
}

bool is_supported(Isa isa) {
  if (isa == Isa::generic) return true;
#if defined(__x86_64__)
  __builtin_cpu_init();
  // What clang may use for x86-64-v2, -v3 and -v4: see compiler_library.cpp.
  bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  if (isa == Isa::sse42) return v2;
  bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt") &&
            __builtin_cpu_supports("movbe");
  if (isa == Isa::avx2) return v3;
  return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

Isa detect_isa() {
  for (Isa isa : {Isa::avx512, Isa::avx2, Isa::sse42}) {
    if (is_supported(isa)) return isa;
  }
  return Isa::generic;
}

int vector_bytes(Isa isa) { return isa == Isa::avx512 ? 64 : isa == Isa::avx2 ? 32 : 16; }

const std::string& cpu_name() {
  static const std::string& name = *new std::string(read_cpu_name());  // never destroyed
  return name;
}

const CacheSizes& cache_sizes() {
  static const CacheSizes sizes = read_cache_sizes();
  return sizes;
}

int available_cores() {
  static const int cores = count_available_cores();
  return cores;
}

}  // namespace sinter::runtime
