// Machine code by content: equal code for an equal target is compiled once in a process, whatever its comments say and
// whatever the kernel is called; and once in all processes that share the cache on disk.
//
// Safe to use from any number of threads; threads that want the same text wait for the one that compiles it.

#pragma once

#include <sinter/codegen/program.h>
#include <sinter/runtime/cpu/compiler_library.h>

#include <optional>

namespace sinter::runtime {

// A kernel that can be called. Its code lives as long as this.
struct LoadedKernel {
  LoadedCode code;
  codegen::KernelFunction run = nullptr;
  codegen::KernelFunction finish = nullptr;  // of a split reduction
};

std::shared_ptr<const LoadedKernel> load_kernel(const codegen::KernelSource& source, const CompileTarget& target);

// All of them, in their order; several are compiled at once on the cores there are.
std::vector<std::shared_ptr<const LoadedKernel>> load_kernels(std::span<const codegen::KernelSource> sources,
                                                              const CompileTarget& target);

// All that decides an object besides the kernel's code, in clear: the beginning of each key on disk.
std::string disk_key_head(const CompileTarget& target);
// A kernel's object as it stands on disk, behind the names of its functions; nothing if it is not there.
std::optional<std::string> kernel_on_disk(const codegen::KernelSource& source, const CompileTarget& target);
// The kernel of what kernel_on_disk gave to another process; null, and a line in the log, where it can't be loaded.
std::shared_ptr<const LoadedKernel> load_stored_kernel(std::string_view stored);

struct KernelCacheStats {
  int64_t compiles = 0;
  int64_t hits = 0;
  int64_t disk_hits = 0;  // loaded from the cache on disk in the place of a compile
  int64_t kernels = 0;    // that are in the cache now
};
KernelCacheStats kernel_cache_stats();
// Forgets all kernels of this process; those in use stay alive, and those on disk stay there.
void clear_kernel_cache();

}  // namespace sinter::runtime
