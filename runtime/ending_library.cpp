// Counts those who use a library, and closes it.

#include <sinter/runtime/ending_library.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace sinter::runtime {

namespace {

// Handlers of atexit are few words each; after so many uses of one kind nothing new is made.
constexpr int announced_uses = 32;
// Somebody who never comes back does not keep the process.
constexpr std::chrono::seconds longest_wait{10};

thread_local int uses_here = 0;  // of any library: the exit may be called within one

// Threads that end while a library is used are few.
constexpr int most_late = 1000;

std::atomic<EndingLibrary*> first_library = nullptr;

}  // namespace

// A process that exits destroys what is of the thread that does it before all else: those who use a library at that
// moment have not announced yet what they made.
struct AnnouncesUses {
  ~AnnouncesUses() {
    for (EndingLibrary* library = first_library.load(); library; library = library->next_)
      if (library->users_.load() > uses_here && library->late_.fetch_add(1) < most_late) std::atexit(library->at_exit_);
  }
  void note_thread() const {}
};

namespace {

void announce_uses_when_this_thread_ends() {
  thread_local AnnouncesUses at_the_end;
  at_the_end.note_thread();
}

// The thread that loads us, which is the main one.
[[maybe_unused]] const bool announces = (announce_uses_when_this_thread_ends(), true);

}  // namespace

bool EndingLibrary::enter(Kind& kind) {
  announce(kind);
  announce_uses_when_this_thread_ends();
  users_.fetch_add(1);
  if (!is_gone_.load()) {
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
