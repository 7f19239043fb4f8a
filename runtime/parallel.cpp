// Runs ranges on OpenMP's threads, and is the only file that knows of OpenMP.

#include <fmt/format.h>
#include <pthread.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/cpu_features.h>
#include <sinter/runtime/options.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/startable_threads.h>
#include <sinter/runtime/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#if !defined(SINTER_PARALLEL_POOL)
// libgomp's documented entry points rather than pragmas: clang turns pragmas into calls of another OpenMP library, and
// oneDNN has brought libgomp into the process already.
extern "C" {
void GOMP_parallel(void (*run)(void*), void* data, unsigned thread_count, unsigned flags);
int omp_get_thread_num();
int omp_get_num_threads();
int omp_get_max_threads();
int omp_in_parallel();
}
#endif

namespace sinter {
namespace {

int default_thread_count() {
  if (int chosen = runtime::environment().num_threads) return chosen;
#if defined(SINTER_PARALLEL_POOL)
  return runtime::available_cores();
#else
  return std::max(1, std::min(runtime::available_cores(), omp_get_max_threads()));  // OMP_NUM_THREADS may ask for fewer
#endif
}

std::atomic<int>& thread_count() {
  static std::atomic<int> count = default_thread_count();
  return count;
}

struct Hook {
  ParallelForHook function = nullptr;
  void* user = nullptr;
};
Hook hook;

thread_local bool inside_loop = false;

// A child of fork has none of its parent's threads, and OpenMP would wait for them for ever.
std::atomic<bool> is_forked = false;
[[maybe_unused]] const int watches_fork = pthread_atfork(nullptr, nullptr, [] { is_forked = true; });

// Threads that loops have at this moment, those that called them included. A pool of the user's whose threads each run
// a loop has the cores already: a loop takes what others leave.
std::atomic<int> busy_threads = 0;

class Busy {
 public:
  // As many as are wanted and left, one at least.
  explicit Busy(int64_t wanted) {
    int busy = busy_threads.load(std::memory_order_relaxed);
    do {
      count_ = std::clamp<int>(get_num_threads() - busy, 1, static_cast<int>(wanted));
    } while (!busy_threads.compare_exchange_weak(busy, busy + count_, std::memory_order_relaxed));
  }
  ~Busy() { busy_threads.fetch_sub(count_, std::memory_order_relaxed); }
  Busy(const Busy&) = delete;
  int count() const { return count_; }

 private:
  int count_ = 1;
};

// One loop: catches what its parts throw, and marks the threads that run them.
class Loop {
 public:
  Loop(RangeFunction run, void* context) : run_(run), context_(context) {}

  static void run_part(void* self, int64_t begin, int64_t end) { static_cast<Loop*>(self)->run_part(begin, end); }

  void finish() {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run_part(int64_t begin, int64_t end) noexcept {
    bool was_inside = std::exchange(inside_loop, true);
    try {
      run_(context_, begin, end);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_loop = was_inside;
  }

  RangeFunction run_;
  void* context_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

#if !defined(SINTER_PARALLEL_POOL)
// Parts of equal length, dealt to the team in turn: right for any size of team, even of one.
struct Deal {
  int64_t begin;
  int64_t end;
  int64_t part;
  RangeFunction run;
  void* context;
};

void run_share(void* data) {
  const Deal& deal = *static_cast<const Deal*>(data);
  int64_t step = deal.part * omp_get_num_threads();
  for (int64_t from = deal.begin + deal.part * omp_get_thread_num(); from < deal.end; from += step) {
    deal.run(deal.context, from, std::min(from + deal.part, deal.end));
  }
}

void run_on_openmp(int64_t begin, int64_t end, int64_t part, int64_t parts, RangeFunction run, void* context) {
  Deal deal = {begin, end, part, run, context};
  GOMP_parallel(run_share, &deal, static_cast<unsigned>(parts), 0);
}
#endif

// The user's own OpenMP loop counts as a loop too.
bool is_inside_other_loop() {
#if defined(SINTER_PARALLEL_POOL)
  return false;
#else
  return omp_in_parallel() != 0;
#endif
}

}  // namespace

void set_num_threads(int count) {
  if (count < 1) {
    throw Error(ErrorKind::argument, Here::current(), fmt::format("set_num_threads: {} threads", count), {},
                "one thread at least");
  }
  thread_count() = count;
}

int get_num_threads() {
  return is_forked.load(std::memory_order_relaxed) ? 1 : thread_count().load(std::memory_order_relaxed);
}

void set_parallel_for(ParallelForHook function, void* user) { hook = {function, user}; }

}  // namespace sinter

namespace sinter::runtime {

bool is_inside_parallel_for() { return inside_loop; }

void parallel_for(int64_t begin, int64_t end, int64_t grain, RangeFunction run, void* context) {
  if (begin >= end) return;
  if (end - begin <= grain) return run(context, begin, end);
  grain = std::max<int64_t>(grain, 1);
  int64_t grains = (end - begin - 1) / grain + 1;
  int64_t parts = std::min<int64_t>(grains, get_num_threads());
  if (parts <= 1 || inside_loop || is_inside_other_loop()) return run(context, begin, end);
  std::optional<Busy> busy;
  if (hook.function == nullptr) {  // the user's pool knows its threads
    parts = busy.emplace(parts).count();
    parts = startable_threads(static_cast<int>(parts));
  }
  if (parts == 1) return run(context, begin, end);

  Loop loop(run, context);
  int64_t part = (grains - 1) / parts + 1;
  if (hook.function != nullptr) {
    hook.function(hook.user, begin, end, grain, Loop::run_part, &loop);
  } else {
#if defined(SINTER_PARALLEL_POOL)
    ThreadPool::shared().run(begin, end, part * grain, Loop::run_part, &loop);
#else
    run_on_openmp(begin, end, part * grain, (grains - 1) / part + 1, Loop::run_part, &loop);
#endif
  }
  loop.finish();
}

}  // namespace sinter::runtime
