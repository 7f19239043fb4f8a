// What this machine's processor can do: instruction sets, cache sizes, cores that this process may use.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::runtime {

// Instruction sets that code is built for, weakest first. Elsewhere than on x86-64 there is only `generic`.
enum class Isa { generic, sse42, avx2, avx512 };

std::string_view name(Isa isa);

// The one with this name; another word throws an argument error that lists the names.
Isa parse_isa(std::string_view text);

// True if this machine (processor and operating system) can run code of that instruction set.
bool is_supported(Isa isa);

// The strongest supported one.
Isa detect_isa();

// Bytes of one vector register.
int vector_bytes(Isa isa);

// Maker, family, model and stepping, or the machine architecture: part of what a cached object is valid for.
const std::string& cpu_name();

struct CacheSizes {
  int64_t level1_data;
  int64_t level2;
  int64_t level3;
};
const CacheSizes& cache_sizes();

// Cores that this process may keep busy: the least of what is online, its affinity mask and its cgroup's quota.
int available_cores();

}  // namespace sinter::runtime
