// Lets readers use a shared object without a lock while writers replace it: writers learn when nobody can still see the
// old one.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>

namespace sinter::runtime {

// Counters on cache lines of their own, one for some of the threads each. A counter that is zero after a replacement
// means that all its threads' readers from before have left.
class Readers {
 public:
  class Section {
   public:
    explicit Section(Readers& readers) : counter_(readers.counters_[slot()].value) { counter_.fetch_add(1); }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
    ~Section() { counter_.fetch_sub(1, std::memory_order_release); }

   private:
    std::atomic<int>& counter_;
  };

  static constexpr size_t slots = 16;
  // True if no reader is in the slot at this moment.
  bool is_empty(size_t slot) const { return counters_[slot].value.load() == 0; }
  // Returns when every reader that was there has left.
  void wait_until_left() const {
    for (size_t slot = 0; slot < slots; ++slot)
      while (!is_empty(slot)) std::this_thread::yield();
  }

 private:
  struct alignas(64) Counter {
    std::atomic<int> value = 0;
  };

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
