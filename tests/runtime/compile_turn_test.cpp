// One thread has its turn at a time; nobody waits for ever for the user's function.

#include <sinter/runtime/compile_turn.h>

#include <gtest/gtest.h>

#include <vector>

namespace sinter::runtime {
namespace {

TEST(CompileTurn, OneThreadHasItAtATime) {
  CompileTurn turn;
  std::atomic<int> inside = 0, wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          wrong += !turn.begin() || !turn.is_mine() || ++inside != 1;
          --inside;
          turn.end();
          wrong += turn.is_mine();
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(turn.has_waiters());
}

TEST(CompileTurn, ItIsNotWaitedForWhileTheUsersFunctionWaits) {
  CompileTurn turn;
  ASSERT_TRUE(turn.begin());
  bool had_turn = true;
  {
    CompileTurn::UsersCode runs(turn);
    std::jthread([&] { had_turn = turn.begin(); }).join();
  }
  EXPECT_FALSE(had_turn);
  turn.end();
  ASSERT_TRUE(turn.begin());
  turn.end();
}

TEST(CompileTurn, TheRestOfACompileIsWaitedFor) {
  CompileTurn turn;
  ASSERT_TRUE(turn.begin());
  {
    CompileTurn::UsersCode runs(turn);
  }
  bool had_turn = false;
  std::jthread waiter([&] {
    had_turn = turn.begin();
    turn.end();
  });
  while (!turn.has_waiters()) std::this_thread::yield();
  turn.end();
  waiter.join();
  EXPECT_TRUE(had_turn);
}

}  // namespace
}  // namespace sinter::runtime
