// Waiting for one's turn.

#include <sinter/runtime/compile_turn.h>

#include <new>

namespace sinter::runtime {

namespace {

// A trace takes milliseconds; one that takes longer may be waiting for the very thread that waits here.
constexpr std::chrono::seconds longest_wait{1};

}  // namespace

// In a child of fork: nobody waits or holds the lock, and only the thread that forked may have the turn.
void CompileTurn::forget_threads_before_fork() const {
  int now = fork_depth.load();
  if (process_.load() == now) return;
  static std::mutex& one_at_a_time = *new std::mutex;
  std::lock_guard lock(one_at_a_time);
  if (process_.load() == now) return;
  new (&mutex_) std::mutex;
  new (&changed_) std::condition_variable;
  waiters_ = 0;
  if (!is_mine()) {
    holder_ = std::thread::id();
    users_code_since_.reset();
  }
  process_ = now;
}

bool CompileTurn::begin() {
  forget_threads_before_fork();
  std::unique_lock lock(mutex_);
  ++waiters_;
  bool is_free = true;
  while (is_free && holder_.load() != std::thread::id()) {
    if (!users_code_since_) {
      changed_.wait(lock);
    } else if (Time end = *users_code_since_ + longest_wait; std::chrono::steady_clock::now() < end) {
      changed_.wait_until(lock, end);
    } else {
      is_free = false;
    }
  }
  --waiters_;
  if (is_free) holder_ = std::this_thread::get_id();
  return is_free;
}

void CompileTurn::end() {
  forget_threads_before_fork();
  {
    std::lock_guard lock(mutex_);
    holder_ = std::thread::id();
  }
  changed_.notify_one();
}

bool CompileTurn::has_waiters() const {
  forget_threads_before_fork();
  std::lock_guard lock(mutex_);
  return waiters_ > 0;
}

void CompileTurn::note_users_code(std::optional<Time> since) {
  forget_threads_before_fork();
  {
    std::lock_guard lock(mutex_);
    users_code_since_ = since;
  }
  changed_.notify_all();
}

}  // namespace sinter::runtime
