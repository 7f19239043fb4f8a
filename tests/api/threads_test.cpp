// Compiled functions called from many threads at once.

#include <sinter/sinter.h>

#include <thread>

#include "support/compiled.h"

namespace sinter::test {

namespace {

template <class F>
void on_threads(int count, F&& work) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
}

Tensor filled(int64_t count, double value) { return tensor_of(std::vector<double>(count, value), {count}); }

TEST(Threads, ConcurrentFirstCallsCompileOnce) {
  auto fast = compile([](const Tensor& x) { return x * 2.625 + 1; });
  std::atomic<int> wrong = 0;
  on_threads(8, [&](int i) {
    for (int round = 0; round < 200; ++round) wrong += elements_of(fast(filled(16, i)))[3] != i * 2.625 + 1;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(fast.stats().compiles, 1);
}

// CASES B103.
TEST(Threads, ManySizesCompileOnceEach) {
  auto fast = compile([](const Tensor& x) { return x * x; }, {.entry_limit = 64});
  std::atomic<int> wrong = 0;
  on_threads(2, [&](int thread) {
    for (int round = 0; round < 20; ++round)
      for (int64_t size = 1 + thread; size <= 12; size += 2)
        wrong += elements_of(fast(filled(size, static_cast<double>(size))))[0] != static_cast<double>(size * size);
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(fast.stats().compiles, 12);
}

TEST(Threads, EvictionWhileOthersRun) {
  auto fast = compile([](const Tensor& x) { return x + 0.75; }, {.entry_limit = 2});
  std::atomic<int> wrong = 0;
  on_threads(4, [&](int thread) {
    for (int round = 0; round < 30; ++round) {
      int64_t size = 1 + (thread + round) % 5;
      wrong += elements_of(fast(filled(size, 1)))[0] != 1.75;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(fast.stats().entries, 2);
}

TEST(Threads, AFailingCompileIsRetriedByTheOthers) {
  std::atomic<int> traces = 0;
  auto fast = compile([&](const Tensor& x) {
    if (++traces == 1) throw std::runtime_error("first");
    return x + 1.125;
  });
  std::atomic<int> failed = 0, right = 0;
  on_threads(4, [&](int) {
    try {
      right += elements_of(fast(filled(3, 1)))[0] == 2.125;
    } catch (const std::runtime_error&) {
      ++failed;
    }
  });
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(right, 3);
}

}  // namespace

}  // namespace sinter::test
