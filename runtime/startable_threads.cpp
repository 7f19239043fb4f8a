// Starts threads that do nothing, and counts them.

#include <sinter/runtime/startable_threads.h>

#include <sinter/graph/log.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

namespace sinter::runtime {

namespace {

// All at the same time.
int count_startable(int wanted) {
  std::atomic<bool> may_go = false;
  std::vector<std::thread> threads;
  try {
    threads.reserve(static_cast<size_t>(wanted));
    while (static_cast<int>(threads.size()) < wanted) threads.emplace_back([&] { may_go.wait(false); });
  } catch (const std::system_error&) {
    // No more are to be had.
  }
  may_go = true;
  may_go.notify_all();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size());
}

}  // namespace

// libgomp keeps a team for each thread that runs loops. It makes one thread less than are wanted, the caller is one; so
// one is to spare here for what others may have taken meanwhile.
int startable_threads(int wanted) {
  thread_local int known = 1, most = std::numeric_limits<int>::max();
  wanted = std::min(wanted, most);
  if (wanted <= known) return wanted;
  int started = count_startable(wanted);
  if (started < wanted) {
    most = std::max(started, 1);
    log(LogTopic::time, "no more than {} threads can be started: loops take fewer than {}", started, wanted);
  }
  known = std::min(wanted, most);
  return known;
}

}  // namespace sinter::runtime
