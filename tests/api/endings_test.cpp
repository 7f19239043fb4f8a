// Compiled functions where things end: threads, the process, libraries, and what a fork leaves behind.

#include <dlfcn.h>
#include <sinter/runtime/cpu/allocator.h>
#include <sinter/sinter.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "support/compiled.h"
#include "support/run_command.h"

namespace sinter::test {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool has_thread_sanitizer = true;
#elif defined(__has_feature)
constexpr bool has_thread_sanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool has_thread_sanitizer = false;
#endif

// --- Destructors ------------------------------------------------------------------------------------------------

TEST(Endings, DestructorsMayCallCompiledFunctions) {
  if (has_thread_sanitizer) GTEST_SKIP() << "it has let go of a thread by then";
  auto probe = [](const std::string& where) { return run_command(std::string(SINTER_ENDING_PROBE) + " " + where); };
  for (const char* where : {"static", "thread", "key"}) {
    CommandResult result = probe(where);
    EXPECT_EQ(result.status, 0) << where;
    EXPECT_EQ(result.output, "right\nright\n") << where;
  }
  CommandResult first = probe("static-first");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.output, "right\n");
}

// The compiler and the libraries for products go before static objects do: what has to be compiled runs uncompiled.
TEST(Endings, DestructorsMayCompileAndMultiply) {
  if (has_thread_sanitizer) GTEST_SKIP() << "it has let go of a thread by then";
  CommandResult in_static = run_command(std::string("SINTER_CACHE_DIR=off ") + SINTER_ENDING_PROBE + " static-new");
  EXPECT_EQ(in_static.status, 0);
  EXPECT_EQ(in_static.output, "right\nright\nright\n");
  CommandResult handler = run_command(std::string("SINTER_CACHE_DIR=off ") + SINTER_ENDING_PROBE + " atexit");
  EXPECT_EQ(handler.status, 0);
  EXPECT_EQ(handler.output, "right\nright\n");
}

// Whatever they are doing at that moment: opening the compiler, compiling, multiplying.
TEST(Endings, TheProcessMayEndWhileDetachedThreadsCompile) {
  if (has_thread_sanitizer) GTEST_SKIP() << "it has let go of a thread by then";
  for (int moment : {0, 5, 15, 30, 50, 80, 120, 200}) {
    auto probe = [&](const char* how) {
      return run_command(fmt::format("SINTER_CACHE_DIR=off {} {} {}", SINTER_ENDING_PROBE, how, moment));
    };
    CommandResult detached = probe("detached"), exited = probe("exit");
    EXPECT_EQ(detached.status, 0) << moment;
    EXPECT_EQ(detached.output, "right\n") << moment;
    EXPECT_EQ(exited.status, 0) << moment;
    EXPECT_EQ(exited.output, "") << moment;
  }
}

// libgomp would end the process.
TEST(Endings, LoopsTakeFewerThreadsWhereNoMoreCanBeStarted) {
  if (std::string_view(SINTER_SANITIZE) != "") GTEST_SKIP() << "sanitizers need the address space";
  // The address space has room for the stacks of a few.
  std::string limits = "ulimit -s 400000 && ulimit -v 4000000 && OPENBLAS_NUM_THREADS=1 ";
  CommandResult result = run_command(limits + SINTER_ENDING_PROBE + " few-threads");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "right\n");
}

struct Owner {
  std::function<Tensor(const Tensor&)> function;
};

TEST(Endings, AFunctionMayGoDuringItsOwnCall) {
  auto owner = std::make_unique<Owner>();
  auto run = [&](const Tensor& x) {
    owner.reset();
    return x.clone();
  };
  CustomOp drop = custom_op("endings::drop", "(Tensor x) -> Tensor", run);
  drop.register_kernel(DeviceType::cuda, run);
  drop.register_fake([](const Tensor& x) { return empty(x.sizes()); });
  auto kept = std::make_shared<int>(1);
  std::weak_ptr<int> is_kept = kept;
  owner->function = compile([&drop, kept = std::move(kept)](const Tensor& x) { return drop(x) * 2 + 1; });
  const auto& call = owner->function;
  EXPECT_EQ(elements_of(call(ones({3}))), (std::vector<double>{3, 3, 3}));
  EXPECT_TRUE(is_kept.expired());
}

// --- Libraries --------------------------------------------------------------------------------------------------

// Programs outlive the functions that they were made for; the lines that they name must too.
TEST(Endings, ALibraryOfCompiledFunctionsMayBeUnloaded) {
  for (int i = 0; i < 3; ++i) {
    void* library = dlopen(SINTER_UNLOADED_FUNCTIONS, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    auto call = reinterpret_cast<bool (*)()>(dlsym(library, "call_functions"));
    Dl_info place;
    ASSERT_NE(dladdr(reinterpret_cast<void*>(call), &place), 0);
    EXPECT_TRUE(call()) << "round " << i;
    ASSERT_EQ(dlclose(library), 0);
    // The next one does not find the same address.
    mmap(place.dli_fbase, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
}

// --- Forks ------------------------------------------------------------------------------------------------------

class Forks : public testing::Test {
 protected:
  void SetUp() override {
    if (has_thread_sanitizer) GTEST_SKIP() << "its children start no threads";
    SINTER_NEEDS_CPU("a child of fork has no device");
  }

  // Children that a signal ends after ten seconds, or that are not right.
  static int failures(int children, const std::function<bool()>& child) {
    int failed = 0;
    for (int i = 0; i < children; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
      pid_t process = fork();
      if (process == 0) {
        alarm(10);
        _exit(child() ? 0 : 1);
      }
      int status = -1;
      waitpid(process, &status, 0);
      failed += status != 0;
    }
    return failed;
  }

  // While these threads do that again and again.
  template <class Do>
  void with_threads(int count, const Do& work, const std::function<void()>& meanwhile) {
    std::atomic<bool> is_done = false;
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        for (int round = 0; !is_done; ++round) work(i, round);
      });
    meanwhile();
    is_done = true;
  }
};

Tensor last(const Tensor& x) { return x.reshape({-1})[-1]; }

TEST_F(Forks, WhileOtherThreadsCompile) {
  auto shared = compile([](const Tensor& x) { return x * 0.125 + 1; }, {.dynamic = Dynamic::never});
  auto compile_one = [&](int thread, int round) {
    double number = thread + 3 * round + 0.5;
    compile([=](const Tensor& x) { return softmax(x * number, -1) + number; })(ones({4, 4}));
    shared(ones({2 + round % 50}));
  };
  auto child = [&] {
    auto fresh = compile([](const Tensor& x) { return softmax(x * 0.75, -1) + x; });
    return elements_of(shared(ones({60})))[59] == 1.125 && elements_of(fresh(ones({4, 4})))[15] == 1.25;
  };
  with_threads(3, compile_one, [&] { EXPECT_EQ(failures(8, child), 0); });
}

// A child that destroys what its parent's threads were calling does not wait for them.
TEST_F(Forks, WhileOtherThreadsCall) {
  using Function = decltype(compile(last));
  auto fast = std::make_unique<Function>(compile(last));
  Tensor x = ones({1 << 12});
  (*fast)(x);
  auto child = [&] {
    bool is_right = elements_of((*fast)(x))[0] == 1;
    fast.reset();
    return is_right;
  };
  with_threads(3, [&](int, int) { (*fast)(x); }, [&] { EXPECT_EQ(failures(12, child), 0); });
}

TEST_F(Forks, WhileOtherThreadsAllocate) {
  auto allocate = [](int, int) {
    std::vector<Tensor> tensors;
    for (int64_t i = 0; i < 200; ++i) tensors.push_back(empty({100 + i * 37}));
    for (int64_t i = 0; i < 4; ++i) tensors.push_back(empty({(1 << 19) + i}));
  };
  auto child = [&] {
    allocate(0, 0);
    release_cached_memory();
    return true;
  };
  with_threads(3, allocate, [&] { EXPECT_EQ(failures(25, child), 0); });
}

TEST_F(Forks, InsideOfTheTracedFunction) {
  pid_t process = -1;
  auto fast = compile([&](const Tensor& x) {
    process = fork();
    if (process == 0) alarm(10);
    return x * (process == 0 ? 3 : 2);
  });
  double result = elements_of(fast(ones({2})))[1], again = elements_of(fast(ones({2})))[1];
  if (process == 0) _exit(result == 3 && again == 3 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(result, 2);
  EXPECT_EQ(again, 2);
}

}  // namespace
}  // namespace sinter::test
