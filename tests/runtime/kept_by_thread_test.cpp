// What a thread keeps is its own, goes with it, and is there for destructors that run after it has gone.

#include <sinter/runtime/kept_by_thread.h>

#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>
#include <vector>

namespace sinter::runtime {
namespace {

struct Counted {
  Counted() { ++made; }
  ~Counted() { ++gone; }
  std::vector<int> numbers;
  static inline int made = 0, gone = 0;
};

TEST(KeptByThread, IsOneOfEachThreadAndGoesWithIt) {
  Counted::made = Counted::gone = 0;
  for (int i = 0; i < 3; ++i) {
    std::thread([] {
      kept_by_thread<Counted>().numbers.push_back(7);
      EXPECT_EQ(kept_by_thread<Counted>().numbers.size(), 1u);
    }).join();
  }
  EXPECT_EQ(Counted::made, 3);
  EXPECT_EQ(Counted::gone, 3);
}

// Destructors of a key run after those of thread_local objects.
TEST(KeptByThread, IsMadeAgainAfterItHasGone) {
  Counted::made = Counted::gone = 0;
  pthread_key_t key;
  auto at_the_end = [](void*) {
    EXPECT_EQ(Counted::gone, 1);
    EXPECT_TRUE(kept_by_thread<Counted>().numbers.empty());
    kept_by_thread<Counted>().numbers.push_back(8);
    EXPECT_EQ(kept_by_thread<Counted>().numbers.size(), 1u);
    delete &kept_by_thread<Counted>();  // which nobody else will
  };
  ASSERT_EQ(pthread_key_create(&key, at_the_end), 0);
  std::thread([&] {
    pthread_setspecific(key, &key);
    kept_by_thread<Counted>().numbers.push_back(7);
  }).join();
  pthread_key_delete(key);
  EXPECT_EQ(Counted::made, 2);
}

}  // namespace
}  // namespace sinter::runtime
