// Memory of the CPU, kept after use because fresh pages cost more than the arithmetic on them.
//
// Blocks are aligned to 64 bytes and not cleared. Under the address sanitizer nothing is kept, so that it sees misuse.

#pragma once

#include <cstdint>

namespace sinter {

// Gives the memory that the CPU's allocator keeps back to the system, apart from what other threads keep of small
// blocks.
void release_cached_memory();

}  // namespace sinter

namespace sinter::runtime {

inline constexpr int64_t host_alignment = 64;

// Null for no bytes; memory that can't be had is an environment error.
void* allocate_host(int64_t bytes);

// `bytes` as given to allocate_host. Any thread may free what another allocated.
void free_host(void* block, int64_t bytes) noexcept;

struct HostMemoryStats {
  int64_t current_bytes;  // asked for and not yet freed
  int64_t peak_bytes;     // the most that current_bytes has been since the last reset
  int64_t cached_bytes;   // free, kept for the next allocation (this thread's small blocks and all threads' large ones)
  int64_t allocations;    // calls of allocate_host for more than no bytes, ever
};
HostMemoryStats host_memory_stats();
void reset_peak_host_memory();

// Around a fork: the child can't unlock what another thread of its parent had locked.
void lock_host_memory();
void unlock_host_memory() noexcept;

}  // namespace sinter::runtime
