// The pool runs every part once, again and again, and ends when told to.

#include <gtest/gtest.h>
#include <sinter/runtime/thread_pool.h>

#include <atomic>

namespace sinter::runtime {
namespace {

void add_length(void* sum, int64_t begin, int64_t end) { *static_cast<std::atomic<int64_t>*>(sum) += end - begin; }

TEST(ThreadPool, RunsManyLoopsInARow) {
  ThreadPool pool(4);
  std::atomic<int64_t> sum = 0;
  for (int round = 0; round < 500; ++round) pool.run(0, 37, 5, add_length, &sum);
  EXPECT_EQ(sum, 500 * 37);
}

TEST(ThreadPool, OfOneThreadUsesTheCaller) {
  ThreadPool pool(1);
  std::atomic<int64_t> sum = 0;
  pool.run(-3, 3, 2, add_length, &sum);
  EXPECT_EQ(sum, 6);
}

TEST(ThreadPool, ALoopWithoutIndicesCallsNothing) {
  ThreadPool pool(2);
  pool.run(1, 1, 1, [](void*, int64_t, int64_t) { FAIL(); }, nullptr);
}

}  // namespace
}  // namespace sinter::runtime
