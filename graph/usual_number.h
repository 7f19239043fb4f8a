// What a number that only data tell is taken for while a function is traced, where an op asks what is usual of it.

#pragma once

#include <cstdint>

namespace sinter::graph {

// An index or a count rather than a size, if it may be negative; `large` where that does not do.
inline constexpr int64_t usual_number = 2, large_number = 8192;

// For a scope, on this thread.
class TakeNumbersFor {
 public:
  explicit TakeNumbersFor(int64_t number);
  ~TakeNumbersFor();
  TakeNumbersFor(const TakeNumbersFor&) = delete;

  bool was_asked() const { return was_asked_; }

 private:
  friend int64_t number_taken();

  int64_t number_;
  bool was_asked_ = false;
  TakeNumbersFor* around_;
};

// That of the innermost scope.
int64_t number_taken();

}  // namespace sinter::graph
