// Lets readers use a shared object without a lock while writers replace it: writers learn when nobody can still see the
// old one.

#pragma once

#include <sinter/runtime/fork.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace sinter::runtime {

// Counters on cache lines of their own, one for some of the threads each. A counter that is zero after a replacement
// means that all its threads' readers from before have left. Above the count stands the process it was counted in: of
// the readers that a child of fork finds there none is left but those of the thread that forked.
class Readers {
 public:
  class Section {
   public:
    explicit Section(Readers& readers)
        : counter_(readers.counters_[slot()].value), process_(fork_depth.load(std::memory_order_relaxed)) {
      int64_t value = counter_.load(std::memory_order_relaxed);
      while (process_of(value) != process_ && !counter_.compare_exchange_weak(value, first_of(process_))) {
      }
      counter_.fetch_add(1);
    }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
    ~Section() {
      if (process_ == fork_depth.load(std::memory_order_relaxed)) counter_.fetch_sub(1, std::memory_order_release);
    }

   private:
    std::atomic<int64_t>& counter_;
    int process_;
  };

  static constexpr size_t slots = 16;
  // True if no reader is in the slot at this moment.
  bool is_empty(size_t slot) const {
    int64_t value = counters_[slot].value.load();
    int process = fork_depth.load(std::memory_order_relaxed);
    return process_of(value) != process || value == first_of(process);
  }
  // Returns when every reader that was there has left.
  void wait_until_left() const {
    for (size_t slot = 0; slot < slots; ++slot)
      while (!is_empty(slot)) std::this_thread::yield();
  }

 private:
  struct alignas(64) Counter {
    std::atomic<int64_t> value = 0;
  };
  static int process_of(int64_t value) { return static_cast<int>(value >> 32); }
  static int64_t first_of(int process) { return static_cast<int64_t>(process) << 32; }

  static size_t slot() {
    static std::atomic<size_t> next = 0;
    thread_local const size_t mine = next.fetch_add(1, std::memory_order_relaxed) % slots;
    return mine;
  }

  std::array<Counter, slots> counters_;
};

// What a writer took out, with the slots whose old readers have not been seen to leave yet.
template <class T>
struct Retired {
  T object;
  std::array<bool, Readers::slots> left = {};

  // True once every slot was seen empty since the replacement.
  bool is_free(const Readers& readers) {
    bool all = true;
    for (size_t slot = 0; slot < Readers::slots; ++slot) {
      left[slot] = left[slot] || readers.is_empty(slot);
      all &= left[slot];
    }
    return all;
  }
};

}  // namespace sinter::runtime
