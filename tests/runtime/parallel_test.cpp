// Parallel loops cover their range once, use the threads asked for, nest, and pass exceptions on.

#include <gtest/gtest.h>
#include <sinter/graph/error.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sinter::runtime {
namespace {

// Puts the number of threads and the hook back.
struct Parallel : testing::Test {
  int before = get_num_threads();
  ~Parallel() override {
    set_num_threads(before);
    set_parallel_for(nullptr, nullptr);
  }
};

using Parts = std::vector<std::pair<int64_t, int64_t>>;

Parts parts_of(int64_t begin, int64_t end, int64_t grain) {
  Parts parts;
  std::mutex mutex;
  parallel_for(begin, end, grain, [&](int64_t from, int64_t to) {
    std::lock_guard lock(mutex);
    parts.emplace_back(from, to);
  });
  std::sort(parts.begin(), parts.end());
  return parts;
}

TEST_F(Parallel, CoversTheRangeOnceWithWholeGrains) {
  for (int threads : {1, 2, 3, 8}) {
    set_num_threads(threads);
    for (int64_t end : {5, 6, 64, 1000, 1001}) {
      Parts parts = parts_of(5, end, 16);
      int64_t at = 5;
      for (auto [from, to] : parts) {
        EXPECT_EQ(from, at);
        EXPECT_TRUE(to == end || (to - from) % 16 == 0);
        at = to;
      }
      EXPECT_EQ(at, end);
      EXPECT_LE(static_cast<int>(parts.size()), threads);
    }
  }
}

TEST_F(Parallel, RunsAShortRangeInTheCallingThread) {
  set_num_threads(4);
  std::thread::id here;
  parallel_for(0, 16, 16, [&](int64_t, int64_t) { here = std::this_thread::get_id(); });
  EXPECT_EQ(here, std::this_thread::get_id());
}

TEST_F(Parallel, AnEmptyRangeCallsNothing) { EXPECT_TRUE(parts_of(3, 3, 1).empty()); }

TEST_F(Parallel, UsesSeveralThreads) {
  set_num_threads(2);
  std::set<std::thread::id> ids;
  std::mutex mutex;
  parallel_for(0, 2, 1, [&](int64_t, int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 2u);
}

// A pool of the user's: while one of its threads has the cores, the others' loops run in them alone.
TEST_F(Parallel, LoopsOfSeveralThreadsShareTheThreadsThereAre) {
  set_num_threads(3);
  std::atomic<bool> has_begun = false, may_end = false;
  std::thread first([&] {
    parallel_for(0, 3, 1, [&](int64_t, int64_t) {
      has_begun = true;
      while (!may_end) std::this_thread::yield();
    });
  });
  while (!has_begun) std::this_thread::yield();
  std::set<std::thread::id> ids;
  std::mutex mutex;
  parallel_for(0, 64, 1, [&](int64_t, int64_t) {
    std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  may_end = true;
  first.join();
  EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

TEST_F(Parallel, ALoopInsideALoopRunsInItsThread) {
  set_num_threads(3);
  std::atomic<int> inner_parts = 0;
  EXPECT_FALSE(is_inside_parallel_for());
  parallel_for(0, 3, 1, [&](int64_t, int64_t) {
    EXPECT_TRUE(is_inside_parallel_for());
    parallel_for(0, 100, 1, [&](int64_t, int64_t) { ++inner_parts; });
  });
  EXPECT_EQ(inner_parts, 3);
  EXPECT_FALSE(is_inside_parallel_for());
}

TEST_F(Parallel, AnExceptionReachesTheCallerAndTheNextLoopWorks) {
  set_num_threads(3);
  auto fail = [](int64_t from, int64_t) {
    if (from != 0) throw std::runtime_error("part failed");
  };
  EXPECT_THROW(parallel_for(0, 3, 1, fail), std::runtime_error);
  EXPECT_EQ(parts_of(0, 3, 1).back().second, 3);
}

TEST_F(Parallel, LoopsOfSeveralThreadsAtOnceAreAllDone) {
  set_num_threads(2);
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) parallel_for(0, 100, 10, [&](int64_t a, int64_t b) { sum += b - a; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 4 * 50 * 100);
}

TEST_F(Parallel, AHookRunsTheLoop) {
  set_num_threads(4);
  int calls = 0;
  set_parallel_for(
      [](void* user, int64_t begin, int64_t end, int64_t, RangeFunction run, void* context) {
        ++*static_cast<int*>(user);
        run(context, begin, end);
      },
      &calls);
  EXPECT_EQ(parts_of(0, 100, 1), (Parts{{0, 100}}));
  EXPECT_EQ(calls, 1);
}

TEST_F(Parallel, TheThreadPoolServesAsAHookToo) {
  set_num_threads(3);
  ThreadPool pool(3);
  set_parallel_for([](void* user, int64_t begin, int64_t end, int64_t grain, RangeFunction run,
                      void* context) { static_cast<ThreadPool*>(user)->run(begin, end, grain, run, context); },
                   &pool);
  EXPECT_EQ(parts_of(0, 10, 4), (Parts{{0, 4}, {4, 8}, {8, 10}}));
}

TEST_F(Parallel, FewerThanOneThreadIsAnArgumentError) {
  try {
    set_num_threads(0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::argument);
    EXPECT_EQ(error.message(), "set_num_threads: 0 threads");
  }
}

}  // namespace
}  // namespace sinter::runtime
