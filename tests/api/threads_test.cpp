// Compiled functions called from many threads at once.

#include <sinter/sinter.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
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
  auto fast = compile([](const Tensor& x) { return x * x; }, {.entry_limit = 64, .dynamic = Dynamic::never});
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
  auto fast = compile([](const Tensor& x) { return x + 0.75; }, {.entry_limit = 2, .dynamic = Dynamic::never});
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

// Those that wait for a compile that fails get its error; the next call tries again.
TEST(Threads, AFailingCompileFailsForThoseWhoWaitAndIsRetriedLater) {
  std::atomic<int> traces = 0, calling = 0;
  std::atomic<bool> fails = true;
  auto fast = compile([&](const Tensor& x) {
    ++traces;
    while (fails && calling < 4) std::this_thread::yield();
    if (fails) throw std::runtime_error(fmt::format("trace {}", traces.load()));
    return x + 1.125;
  });
  std::mutex mutex;
  std::multiset<std::string> errors;
  on_threads(4, [&](int) {
    ++calling;
    try {
      fast(filled(3, 1));
    } catch (const std::runtime_error& error) {
      std::lock_guard lock(mutex);
      errors.insert(error.what());
    }
  });
  EXPECT_EQ(errors.size(), 4u);
  EXPECT_EQ(fast.stats().entries, 0);
  // Few late ones may not have waited yet when it failed: each failed trace is somebody's own.
  EXPECT_EQ(std::set(errors.begin(), errors.end()).size(), static_cast<size_t>(traces));
  fails = false;
  EXPECT_EQ(elements_of(fast(filled(3, 1)))[0], 2.125);
  EXPECT_EQ(fast.stats().compiles, 1);
}

// One whose arguments are of another kind does not inherit the failure.
TEST(Threads, AFailureIsOfItsKindOfArguments) {
  std::atomic<int> calling = 0;
  auto fast = compile(
      [&](const Tensor& x) {
        while (calling < 2) std::this_thread::yield();
        if (x.dim() == 2) throw std::runtime_error("of two dims");
        return x + 1.875;
      },
      {.dynamic = Dynamic::never});
  std::atomic<int> failed = 0, right = 0;
  on_threads(2, [&](int i) {
    ++calling;
    try {
      right += elements_of(fast(i == 0 ? filled(4, 1) : filled(4, 1).reshape({2, 2})))[0] == 2.875;
    } catch (const std::runtime_error&) {
      ++failed;
    }
  });
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(right, 1);
}

// The trace waits for the call, so that the call must not wait for the trace.
TEST(Threads, AThreadThatATracedFunctionJoinsMayCallIt) {
  std::atomic<int> depth = 0;
  std::function<Tensor(const Tensor&)> recursive;
  auto fast = compile([&](const Tensor& x) {
    if (depth++ == 0) {
      double inner = 0;
      std::jthread([&] { inner = elements_of(recursive(filled(3, 5)))[0]; }).join();
      return x * inner;
    }
    return x + 1.0625;
  });
  recursive = [&](const Tensor& x) { return fast(x); };
  EXPECT_EQ(elements_of(fast(filled(3, 2)))[1], 2 * 6.0625);
  EXPECT_EQ(fast.stats().compiles, 1);
}

// A parallel loop that says that it has begun, and waits until it may go on.
struct HeldLoop {
  std::atomic<int> begun = 0;
  std::atomic<bool> may_go_on = false;

  static void run(void* self, int64_t begin, int64_t end, int64_t, RangeFunction part, void* context) {
    auto* held = static_cast<HeldLoop*>(self);
    ++held->begun;
    while (!held->may_go_on) std::this_thread::yield();
    part(context, begin, end);
  }
};

TEST(Threads, TheDestructorWaitsForTheCallsThatRun) {
  SINTER_NEEDS_CPU("it holds the CPU's parallel loops");
  auto make = [] { return compile([](const Tensor& x) { return x * 3 + 0.5; }); };
  using Function = decltype(make());
  int before = get_num_threads();
  set_num_threads(2);
  Tensor large = filled(1 << 20, 1);
  HeldLoop held;
  alignas(Function) std::byte memory[sizeof(Function)];
  auto* fast = new (memory) Function(make());
  set_parallel_for(HeldLoop::run, &held);
  std::atomic<int> right = 0;
  std::atomic<bool> is_destroyed = false;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { right += elements_of((*fast)(large))[(1 << 20) - 1] == 3.5; });
    while (held.begun < 4) std::this_thread::yield();
    threads.emplace_back([&] {
      fast->~Function();
      is_destroyed = true;
      std::memset(memory, 0xff, sizeof(memory));
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(is_destroyed);
    held.may_go_on = true;
  }
  set_parallel_for(nullptr, nullptr);
  set_num_threads(before);
  EXPECT_TRUE(is_destroyed);
  EXPECT_EQ(right, 4);
}

TEST(Threads, ThirtyTwoThreadsOnFunctionsOfTheirOwnAndOnOne) {
  auto shared = compile([](const Tensor& x) { return x * 1.375 - 2; });
  std::atomic<int> wrong = 0;
  on_threads(32, [&](int i) {
    auto own = compile([i](const Tensor& x) { return x * 0.625 + static_cast<double>(i % 4); });
    for (int round = 0; round < 10; ++round) {
      wrong += elements_of(own(filled(8, 2)))[7] != 1.25 + i % 4;
      wrong += elements_of(shared(filled(8 + i % 2, 2)))[0] != 0.75;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(shared.stats().compiles, 2);
}

// The child has one thread; loops that ran on several before run on it, library calls too.
TEST(Threads, AChildOfForkGoesOnAlone) {
  SINTER_NEEDS_CPU("a child of fork has no device");
  int before = get_num_threads();
  set_num_threads(3);
  auto fast = compile([](const Tensor& x, const Tensor& w) { return sum(relu(linear(x, w))); });
  Tensor x = filled(256 * 256, 1).reshape({256, 256}), w = filled(256 * 256, 0.5).reshape({256, 256});
  float expected = fast(x, w).item<float>();
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool is_right = get_num_threads() == 1 && fast(x, w).item<float>() == expected &&
                    (x + x).sum().item<float>() == 2.0f * 256 * 256;
    auto late = compile([](const Tensor& x) { return x * 0.4375; });  // a first compile in the child
    is_right = is_right && late(x).sum().item<float>() == 0.4375f * 256 * 256;
    _exit(is_right ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(get_num_threads(), 3);
  set_num_threads(before);
}

}  // namespace

}  // namespace sinter::test
