// Keeps free small blocks by size class in each thread, in front of a store that all threads share, and free large
// blocks in a store of their own.

#include <fmt/format.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/cpu/allocator.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cpu/large_blocks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <mutex>

#if defined(__SANITIZE_ADDRESS__)
#define SINTER_DEBUG_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SINTER_DEBUG_MEMORY 1
#endif
#endif

namespace sinter::runtime {
namespace {

#if defined(SINTER_DEBUG_MEMORY)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

// From this size on, blocks are mapped one by one and kept in LargeBlocks.
constexpr int64_t large_bytes = int64_t{1} << 20;

// Class sizes: multiples of 64 up to 512, then four to each doubling.
constexpr int class_of(int64_t bytes) {
  if (bytes <= 512) return static_cast<int>((bytes + 63) / 64) - 1;
  int log = std::bit_width(static_cast<uint64_t>(bytes - 1)) - 1;  // 2^log < bytes <= 2^(log + 1)
  int quarter = static_cast<int>((bytes - 1) >> (log - 2)) & 3;    // which quarter of that doubling
  return 8 + (log - 9) * 4 + quarter;
}

constexpr int64_t bytes_of_class(int index) {
  if (index < 8) return 64 * (index + 1);
  int log = (index - 8) / 4 + 9;
  return (int64_t{1} << log) + (((index - 8) % 4 + 1) * (int64_t{1} << (log - 2)));
}

constexpr int class_count = class_of(large_bytes - 1) + 1;
static_assert(bytes_of_class(class_count - 1) == large_bytes);
static_assert(class_of(513) == 8 && bytes_of_class(8) == 640 && class_of(640) == 8 && class_of(641) == 9);

// Blocks of a class that a thread keeps: many small ones, two of the largest.
constexpr int thread_limit(int index) {
  return static_cast<int>(std::clamp<int64_t>((2 << 20) / bytes_of_class(index), 2, 64));
}
constexpr int shared_limit = 4;  // times that, in the shared store

// A free block holds the link to the next one of its list.
struct FreeBlock {
  FreeBlock* next;
};

struct FreeList {
  FreeBlock* first = nullptr;
  int count = 0;

  void push(void* block) {
    first = new (block) FreeBlock{first};
    ++count;
  }
  void* pop() {
    FreeBlock* block = first;
    if (block == nullptr) return nullptr;
    first = block->next;
    --count;
    return block;
  }
};

void free_all(FreeList& list) {
  while (void* block = list.pop()) std::free(block);
}

// What threads hand over when they keep too much, or when they end.
struct SharedClass {
  std::mutex mutex;
  FreeList list;
};

// Never destroyed: tensors may be freed by destructors of static objects.
std::array<SharedClass, class_count>& shared_classes() {
  static auto* classes = new std::array<SharedClass, class_count>;
  return *classes;
}

LargeBlocks& large_blocks() {
  static auto* blocks = new LargeBlocks;
  return *blocks;
}

std::atomic<int64_t> current_bytes = 0;
std::atomic<int64_t> peak_bytes = 0;
std::atomic<int64_t> allocations = 0;

void count_allocation(int64_t bytes) {
  int64_t now = current_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  int64_t peak = peak_bytes.load(std::memory_order_relaxed);
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  allocations.fetch_add(1, std::memory_order_relaxed);
}

struct ThreadBlocks {
  std::array<FreeList, class_count> lists;

  ~ThreadBlocks();

  // Moves blocks of a class to the shared store until `keep` are left; what is too much there too goes to the system.
  void shrink(int index, int keep) noexcept {
    FreeList surplus;
    {
      SharedClass& shared = shared_classes()[index];
      std::lock_guard lock(shared.mutex);
      while (lists[index].count > keep) {
        bool fits = shared.list.count < shared_limit * thread_limit(index);
        (fits ? shared.list : surplus).push(lists[index].pop());
      }
    }
    free_all(surplus);
  }

  // Takes half of what a thread may keep from the shared store.
  void* refill(int index) {
    SharedClass& shared = shared_classes()[index];
    std::lock_guard lock(shared.mutex);
    for (int wanted = thread_limit(index) / 2; wanted > 0; --wanted) {
      void* block = shared.list.pop();
      if (block == nullptr) break;
      lists[index].push(block);
    }
    return lists[index].pop();
  }
};

// The thread's blocks by a plain pointer, which costs one load; null before the first use and after the thread's end.
__attribute__((tls_model("initial-exec"))) thread_local ThreadBlocks* thread_blocks = nullptr;
thread_local bool thread_is_ending = false;

ThreadBlocks::~ThreadBlocks() {
  for (int index = 0; index < class_count; ++index) shrink(index, 0);
  thread_blocks = nullptr;
  thread_is_ending = true;
}

ThreadBlocks* blocks_of_thread() {
  if (thread_blocks == nullptr && !thread_is_ending) {
    thread_local ThreadBlocks blocks;
    thread_blocks = &blocks;
  }
  return thread_blocks;
}

[[noreturn]] void fail_to_allocate(int64_t bytes) {
  throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
              fmt::format("allocate: out of memory for {} bytes", bytes));
}

void* new_block(int64_t bytes) {
  return std::aligned_alloc(host_alignment, (bytes + host_alignment - 1) / host_alignment * host_alignment);
}

void* take_small(int64_t bytes) {
  int index = class_of(bytes);
  ThreadBlocks* mine = blocks_of_thread();
  if (mine == nullptr) return new_block(bytes_of_class(index));
  if (void* block = mine->lists[index].pop()) [[likely]]
    return block;
  if (void* block = mine->refill(index)) return block;
  return new_block(bytes_of_class(index));
}

void give_small(void* block, int64_t bytes) noexcept {
  int index = class_of(bytes);
  ThreadBlocks* mine = blocks_of_thread();
  if (mine == nullptr) return std::free(block);
  mine->lists[index].push(block);
  if (mine->lists[index].count > thread_limit(index)) [[unlikely]]
    mine->shrink(index, thread_limit(index) / 2);
}

void* take(int64_t bytes) {
  if (!keeps_blocks) return bytes > INT64_MAX - host_alignment ? nullptr : new_block(bytes);
  return bytes < large_bytes ? take_small(bytes) : large_blocks().take(bytes);
}

}  // namespace

void* allocate_host(int64_t bytes) {
  if (bytes == 0) return nullptr;
  SINTER_CHECK(bytes > 0, "allocation of {} bytes", bytes);
  void* block = take(bytes);
  if (block == nullptr && keeps_blocks) {
    release_cached_memory();
    block = take(bytes);
  }
  if (block == nullptr) fail_to_allocate(bytes);
  count_allocation(bytes);
  return block;
}

void free_host(void* block, int64_t bytes) noexcept {
  if (block == nullptr) return;
  current_bytes.fetch_sub(bytes, std::memory_order_relaxed);
  if (!keeps_blocks) {
    std::free(block);
  } else if (bytes < large_bytes) {
    give_small(block, bytes);
  } else {
    large_blocks().give(block, bytes);
  }
}

HostMemoryStats host_memory_stats() {
  int64_t cached = large_blocks().cached_bytes();
  for (int index = 0; index < class_count; ++index) {
    SharedClass& shared = shared_classes()[index];
    std::lock_guard lock(shared.mutex);
    int mine = thread_blocks == nullptr ? 0 : thread_blocks->lists[index].count;
    cached += (shared.list.count + mine) * bytes_of_class(index);
  }
  return {current_bytes, peak_bytes, cached, allocations};
}

void lock_host_memory() {
  for (SharedClass& shared : shared_classes()) shared.mutex.lock();
  large_blocks().lock();
}

void unlock_host_memory() noexcept {
  large_blocks().unlock();
  for (SharedClass& shared : shared_classes()) shared.mutex.unlock();
}

void reset_peak_host_memory() { peak_bytes = current_bytes.load(); }

}  // namespace sinter::runtime

namespace sinter {

void release_cached_memory() {
  using namespace runtime;
  for (int index = 0; index < class_count; ++index) {
    if (thread_blocks != nullptr) free_all(thread_blocks->lists[index]);
    SharedClass& shared = shared_classes()[index];
    std::lock_guard lock(shared.mutex);
    free_all(shared.list);
  }
  large_blocks().release_all();
}

}  // namespace sinter
