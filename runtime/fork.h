// Children of fork: what has no thread any more there, and what must not be cut in two by a fork.
//
// A child has a copy of all memory, and of all threads but the one that forked only what they left in it: locks that
// they held, counts of what they were doing, things that they were making. So nobody forks while kernels are compiled,
// and what counts threads knows which process it counted in.

#pragma once

#include <atomic>

namespace sinter::runtime {

// 0 in the process that loaded the library, 1 in its children, and so on.
extern std::atomic<int> fork_depth;

// While it lives other threads' forks wait (for some seconds at most); the thread's own do not.
class HoldForks {
 public:
  HoldForks();
  ~HoldForks();
  HoldForks(const HoldForks&) = delete;
};

}  // namespace sinter::runtime
