// Counts those who use a library, and closes it.

#include <sinter/runtime/ending_library.h>

#include <pthread.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace sinter::runtime {

namespace {

// Handlers of atexit are few words each; after so many uses of one kind nothing new is made.
constexpr int announced_uses = 32;
// Threads that end while a library is used.
constexpr int most_announced = 1000;
// Somebody who never comes back does not keep the process.
constexpr std::chrono::seconds longest_wait{10};

thread_local int uses_here = 0;  // of any library: the exit may be called within one

std::atomic<EndingLibrary*> first_library = nullptr;
std::atomic<bool> all_end = false;
std::atomic<int> announced = 0;

}  // namespace

// A process that exits destroys what is of the thread that does it before all else: what is registered then is called
// before anything static goes, whatever libraries make meanwhile.
struct AnnouncesEnd {
  ~AnnouncesEnd() {
    if (is_main || (is_used() && announced.fetch_add(1) < most_announced)) std::atexit(end_all);
  }

  static bool is_used() {
    for (EndingLibrary* library = first_library.load(); library; library = library->next_)
      if (library->users_.load() > uses_here) return true;
    return false;
  }
  static void end_all() {
    all_end = true;
    for (EndingLibrary* library = first_library.load(); library; library = library->next_) library->end();
  }
  // The users that a child of fork finds are its parent's.
  static void forget_users() {
    for (EndingLibrary* library = first_library.load(); library; library = library->next_) library->users_ = 0;
  }

  bool is_main = false;
};

namespace {

AnnouncesEnd& at_end_of_this_thread() {
  thread_local AnnouncesEnd announces;
  return announces;
}

// The thread that loads us is the one that ends the process, as a rule.
[[maybe_unused]] const bool knows_main_thread = at_end_of_this_thread().is_main = true;
[[maybe_unused]] const int watches_fork = pthread_atfork(nullptr, nullptr, AnnouncesEnd::forget_users);

}  // namespace

bool EndingLibrary::is_gone() const { return is_gone_.load() || all_end.load(); }

bool EndingLibrary::enter(Kind& kind) {
  announce(kind);
  static_cast<void>(at_end_of_this_thread());
  users_.fetch_add(1);
  if (!is_gone()) {
    ++uses_here;
    return true;
  }
  users_.fetch_sub(1);
  return false;
}

void EndingLibrary::announce(Kind& kind) {
  if (!is_listed_.load(std::memory_order_relaxed) && !is_listed_.exchange(true)) {
    next_ = first_library.load();
    while (!first_library.compare_exchange_weak(next_, this)) {
    }
  }
  if (kind.uses_.load(std::memory_order_relaxed) < announced_uses && kind.uses_.fetch_add(1) < announced_uses)
    std::atexit(at_exit_);
}

void EndingLibrary::leave(Kind& kind) {
  announce(kind);
  --uses_here;
  users_.fetch_sub(1);
}

void EndingLibrary::end() {
  is_gone_ = true;
  auto last = std::chrono::steady_clock::now() + longest_wait;
  while (users_.load() > uses_here && std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

}  // namespace sinter::runtime
