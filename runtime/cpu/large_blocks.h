// Large blocks of memory, mapped in huge pages where possible, and kept when freed as far as a bound allows.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace sinter::runtime {

class LargeBlocks {
 public:
  LargeBlocks();
  // At most `limit` bytes are kept; the blocks freed first go first.
  explicit LargeBlocks(int64_t limit) : limit_(limit) {}
  ~LargeBlocks() { release_all(); }
  LargeBlocks(const LargeBlocks&) = delete;
  LargeBlocks& operator=(const LargeBlocks&) = delete;

  // Null if the system has no memory.
  void* take(int64_t bytes);
  void give(void* block, int64_t bytes) noexcept;
  void release_all() noexcept;
  int64_t cached_bytes() const;
  // Around a fork.
  void lock() { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  struct Kept {
    void* block;
    int64_t freed_at;  // counts frees
  };
  using BySize = std::multimap<int64_t, Kept>;

  BySize::iterator oldest();

  int64_t limit_;
  mutable std::mutex mutex_;  // guards what follows
  BySize kept_;               // by mapped size
  int64_t kept_bytes_ = 0;
  int64_t frees_ = 0;
};

}  // namespace sinter::runtime
