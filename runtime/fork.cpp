// The handlers of pthread_atfork. Before a fork: those who compile finish, then the allocator is locked.

#include <sinter/runtime/fork.h>

#include <pthread.h>
#include <sinter/runtime/cpu/allocator.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>

namespace sinter::runtime {

std::atomic<int> fork_depth = 0;

namespace {

// A compile that waits for the thread that forks would wait for ever.
constexpr std::chrono::seconds longest_wait{10};

thread_local int held_here = 0;

struct Gate {
  std::mutex mutex;  // held across a fork
  std::condition_variable changed;
  int holders = 0;  // threads
  bool is_closed = false;

  int mine() const { return held_here > 0; }

  void enter() {
    if (held_here++ > 0) return;
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !is_closed; });
    ++holders;
  }
  void leave() {
    if (--held_here > 0) return;
    std::lock_guard lock(mutex);
    --holders;
    changed.notify_all();
  }

  void before_fork() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !is_closed; });
    is_closed = true;
    changed.wait_for(lock, longest_wait, [this] { return holders == mine(); });
    lock_host_memory();
    lock.release();
  }
  void after_fork() {
    unlock_host_memory();
    is_closed = false;
    mutex.unlock();
    changed.notify_all();
  }
  void after_fork_in_child() {
    new (&changed) std::condition_variable;  // nobody waits there
    holders = mine();
    fork_depth.fetch_add(1);
    after_fork();
  }
};

// Never destroyed: compiled functions with static lifetime may still compile while the process ends.
Gate& gate() {
  static Gate& instance = *new Gate;
  return instance;
}

[[maybe_unused]] const int handlers =
    pthread_atfork([] { gate().before_fork(); }, [] { gate().after_fork(); }, [] { gate().after_fork_in_child(); });

}  // namespace

HoldForks::HoldForks() { gate().enter(); }
HoldForks::~HoldForks() { gate().leave(); }

}  // namespace sinter::runtime
