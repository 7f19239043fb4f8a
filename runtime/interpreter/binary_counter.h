// Partial results of a reduction, combined as a binary counter counts: level l holds what 2^l blocks gave.

#pragma once

#include <sinter/runtime/primitives/primitive_table.h>

#include <cstring>

namespace sinter::runtime {

// Of `width` results side by side. The memory belongs to the caller.
class BinaryCounter {
 public:
  BinaryCounter(char* levels, const ReductionPrimitives& reduction, int64_t width, int element_bytes)
      : levels_(levels), reduction_(&reduction), width_(width), bytes_(width * element_bytes) {}

  // `carry`, which is used up, came after everything that is in the counter.
  void push(char* carry, int level = 0) {
    for (; count_ >> level & 1; ++level) {
      reduction_->combine(carry, at(level), carry, nullptr, width_);
      count_ &= ~(uint64_t{1} << level);
    }
    std::memcpy(at(level), carry, bytes_);
    count_ |= uint64_t{1} << level;
  }

  // What is left over is combined from the smallest to the largest.
  void finish(char* result) const {
    bool is_first = true;
    for (int level = 0; count_ >> level != 0; ++level) {
      if (!(count_ >> level & 1)) continue;
      if (is_first)
        std::memcpy(result, at(level), bytes_);
      else
        reduction_->combine(result, at(level), result, nullptr, width_);
      is_first = false;
    }
    if (is_first) reduction_->fill_identity(result, width_);
  }

  uint64_t count() const { return count_; }
  char* at(int level) const { return levels_ + level * bytes_; }
  // Takes over what another counter holds below a level, where this one has nothing.
  void adopt(const BinaryCounter& other) {
    for (int level = 0; other.count_ >> level != 0; ++level)
      if (other.count_ >> level & 1) std::memcpy(at(level), other.at(level), bytes_);
    count_ |= other.count_;
  }

 private:
  char* levels_;
  const ReductionPrimitives* reduction_;
  int64_t width_;
  int64_t bytes_;
  uint64_t count_ = 0;
};

// Levels that so many blocks can fill.
inline int counter_levels(int64_t blocks) {
  int levels = 1;
  while (blocks >> levels != 0) ++levels;
  return levels + 1;
}

}  // namespace sinter::runtime
