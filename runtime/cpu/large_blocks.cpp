// Maps large blocks, and looks for a kept one of the same rounded size before it does.

#include <sinter/runtime/cpu/large_blocks.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

namespace sinter::runtime {
namespace {

constexpr int64_t huge_page = int64_t{2} << 20;

// Up to the next of eight steps in a doubling, so that sizes that are near share blocks. What is beyond the size asked
// for is address space only, until something touches it.
int64_t rounded(int64_t bytes) {
  int64_t step = std::max<int64_t>(4096, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(bytes))) / 8);
  return (bytes + step - 1) / step * step;
}

// A mapping that starts at a huge page's border; the surplus at both ends is unmapped again.
void* map_block(int64_t size) {
  int64_t reserved = size + huge_page;
  void* start = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  auto address = reinterpret_cast<uintptr_t>(start);
  uintptr_t block = (address + huge_page - 1) / huge_page * huge_page;
  if (block != address) munmap(start, block - address);
  munmap(reinterpret_cast<void*>(block + size), address + reserved - block - size);
  madvise(reinterpret_cast<void*>(block), size, MADV_HUGEPAGE);  // a wish: without it the block works as well
  return reinterpret_cast<void*>(block);
}

// An eighth of the machine's memory, but 256 MB at least and 4 GB at most.
int64_t default_limit() {
  int64_t memory = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGE_SIZE);
  return std::clamp<int64_t>(memory / 8, int64_t{256} << 20, int64_t{4} << 30);
}

}  // namespace

LargeBlocks::LargeBlocks() : LargeBlocks(default_limit()) {}

void* LargeBlocks::take(int64_t bytes) {
  if (bytes > INT64_MAX / 4) return nullptr;
  int64_t size = rounded(bytes);
  {
    std::lock_guard lock(mutex_);
    // The most recently freed of that size: its pages are the likeliest to be in a cache.
    auto [first, last] = kept_.equal_range(size);
    if (first != last) {
      auto newest = std::prev(last);
      void* block = newest->second.block;
      kept_.erase(newest);
      kept_bytes_ -= size;
      return block;
    }
  }
  return map_block(size);
}

void LargeBlocks::give(void* block, int64_t bytes) noexcept {
  int64_t size = rounded(bytes);
  std::lock_guard lock(mutex_);
  if (size > limit_) {
    munmap(block, size);
    return;
  }
  kept_.emplace(size, Kept{block, frees_++});
  kept_bytes_ += size;
  while (kept_bytes_ > limit_) {
    auto old = oldest();
    munmap(old->second.block, old->first);
    kept_bytes_ -= old->first;
    kept_.erase(old);
  }
}

LargeBlocks::BySize::iterator LargeBlocks::oldest() {
  return std::min_element(kept_.begin(), kept_.end(),
                          [](auto& a, auto& b) { return a.second.freed_at < b.second.freed_at; });
}

void LargeBlocks::release_all() noexcept {
  std::lock_guard lock(mutex_);
  for (auto& [size, kept] : kept_) munmap(kept.block, size);
  kept_.clear();
  kept_bytes_ = 0;
}

int64_t LargeBlocks::cached_bytes() const {
  std::lock_guard lock(mutex_);
  return kept_bytes_;
}

}  // namespace sinter::runtime
