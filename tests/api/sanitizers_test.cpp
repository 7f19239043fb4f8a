// The sanitizers see into the kernels of compiled functions: faults made on purpose are reported.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include <string_view>
#include <thread>
#include <vector>

namespace sinter {
namespace {

bool runs_under(std::string_view sanitizer) {
  return std::string_view(SINTER_SANITIZE).find(sanitizer) != std::string_view::npos;
}

Tensor over(std::vector<float>& memory, int64_t size) { return from_blob(memory.data(), {size}); }

TEST(Sanitizers, SeeAKernelReadBehindAnArgument) {
  if (!runs_under("address")) GTEST_SKIP() << "no address sanitizer";
  auto fast = compile([](const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; });
  std::vector<float> whole(100, 1), cut(99, 1);
  EXPECT_EQ(fast(over(whole, 100), over(whole, 100)).numel(), 100);
  EXPECT_DEATH(fast(over(whole, 100), over(cut, 100)), "heap-buffer-overflow");
}

TEST(Sanitizers, SeeAKernelWriteWhereAnotherThreadReads) {
  if (!runs_under("thread")) GTEST_SKIP() << "no thread sanitizer";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto race = [] {
    auto double_it = compile([](Tensor x) { x.mul_(2.0); });
    std::vector<float> shared(100, 1);
    Tensor x = over(shared, 100);
    auto many_times = [&] {
      for (int i = 0; i < 1000; ++i) double_it(x);
    };
    std::thread other(many_times);
    many_times();
    other.join();
  };
  EXPECT_DEATH(race(), "data race");
}

}  // namespace
}  // namespace sinter
