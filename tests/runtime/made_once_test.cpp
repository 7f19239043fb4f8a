// Things are made once for a key, in as many threads as may ask, and those used least recently go first.

#include <sinter/runtime/made_once.h>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sinter::runtime {
namespace {

using Made = MadeOnce<int>::Made;

int find_or_make(MadeOnce<int>& things, const std::string& key, int thing, int64_t weight = 1) {
  bool is_found = false;
  return things.find_or_make(key, is_found, [&] { return Made{thing, weight}; });
}

TEST(MadeOnce, TheFirstThingOfAKeyStays) {
  MadeOnce<int> things(10);
  EXPECT_EQ(find_or_make(things, "a", 1), 1);
  EXPECT_EQ(find_or_make(things, "a", 2), 1);
  EXPECT_EQ(find_or_make(things, "b", 3), 3);
  EXPECT_EQ(things.hits(), 1);
  EXPECT_EQ(things.size(), 2);
  things.clear();
  EXPECT_EQ(things.size(), 0);
  EXPECT_EQ(find_or_make(things, "a", 4), 4);
}

TEST(MadeOnce, ThoseUsedLeastRecentlyGoBeyondTheWeight) {
  MadeOnce<int> things(10);
  for (int i = 0; i < 5; ++i) find_or_make(things, std::to_string(i), i, 2);
  find_or_make(things, "0", 100);
  find_or_make(things, "large", 7, 5);  // 1, 2 and 3 go
  EXPECT_EQ(things.evictions(), 3);
  EXPECT_EQ(things.weight(), 9);
  EXPECT_EQ(find_or_make(things, "0", 100, 0), 0);
  EXPECT_EQ(find_or_make(things, "4", 100, 0), 4);
  EXPECT_EQ(find_or_make(things, "1", 100, 0), 100);
}

TEST(MadeOnce, WhatIsTooHeavyStaysAlone) {
  MadeOnce<int> things(10);
  find_or_make(things, "small", 1);
  find_or_make(things, "huge", 2, 1000);
  EXPECT_EQ(things.size(), 1);
  EXPECT_EQ(find_or_make(things, "huge", 3), 2);
  find_or_make(things, "small", 1);
  EXPECT_EQ(things.weight(), 1) << "it goes once something else comes";
}

TEST(MadeOnce, ThreadsThatWantOneThingWaitForIt) {
  MadeOnce<int> things(100);
  std::atomic<int> makes = 0, wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([&] {
        for (int key = 0; key < 50; ++key) {
          bool is_found = false;
          wrong += things.find_or_make(std::to_string(key), is_found, [&] {
            ++makes;
            return Made{key * 3};
          }) != key * 3;
        }
      });
    }
  }
  EXPECT_EQ(makes, 50);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(things.hits(), 15 * 50);
}

TEST(MadeOnce, AFailureIsThrownToThoseWhoWaitAndIsNotKept) {
  MadeOnce<int> things(100);
  std::atomic<bool> begun = false, goes_on = false;
  std::atomic<int> failures = 0;
  auto fail = [&] {
    bool is_found = false;
    try {
      things.find_or_make("key", is_found, [&]() -> Made {
        begun = true;
        while (!goes_on) std::this_thread::yield();
        throw std::runtime_error("it can't be made");
      });
    } catch (const std::runtime_error& error) {
      failures += std::string_view(error.what()) == "it can't be made";
    }
  };
  {
    std::jthread maker(fail);
    while (!begun) std::this_thread::yield();
    std::jthread one(fail), other(fail);
    while (things.hits() < 2) std::this_thread::yield();
    goes_on = true;
  }
  EXPECT_EQ(failures, 3);
  EXPECT_EQ(things.size(), 0);
  EXPECT_EQ(find_or_make(things, "key", 5), 5);
}

TEST(MadeOnce, WhatIsForgottenWhileItIsMadeIsNotCounted) {
  MadeOnce<int> things(100);
  bool is_found = false;
  int thing = things.find_or_make("key", is_found, [&] {
    things.clear();
    return Made{1, 50};
  });
  EXPECT_EQ(thing, 1);
  EXPECT_EQ(things.weight(), 0);
  EXPECT_EQ(things.size(), 0);
}

}  // namespace
}  // namespace sinter::runtime
