// Large blocks come back for the same size, up to a bound.

#include <gtest/gtest.h>
#include <sinter/runtime/cpu/large_blocks.h>

#include <cstring>

namespace sinter::runtime {
namespace {

constexpr int64_t mega = int64_t{1} << 20;

TEST(LargeBlocks, AreAlignedAndWritable) {
  LargeBlocks blocks(0);
  void* block = blocks.take(3 * mega + 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 4096, 0u);
  std::memset(block, 1, 3 * mega + 1);
  blocks.give(block, 3 * mega + 1);
  EXPECT_EQ(blocks.cached_bytes(), 0);
}

TEST(LargeBlocks, TheLastFreedBlockOfASizeIsTheNext) {
  LargeBlocks blocks(100 * mega);
  void* a = blocks.take(4 * mega);
  void* b = blocks.take(4 * mega);
  blocks.give(a, 4 * mega);
  blocks.give(b, 4 * mega);
  EXPECT_EQ(blocks.take(4 * mega), b);
  EXPECT_EQ(blocks.take(4 * mega - 100), a);
  blocks.give(a, 4 * mega - 100);
  blocks.give(b, 4 * mega);
  EXPECT_EQ(blocks.cached_bytes(), 8 * mega);
  blocks.release_all();
  EXPECT_EQ(blocks.cached_bytes(), 0);
}

TEST(LargeBlocks, KeepsNoMoreThanTheBoundAndDropsTheOldest) {
  LargeBlocks blocks(8 * mega);
  void* old = blocks.take(2 * mega);
  void* recent = blocks.take(4 * mega);
  void* last = blocks.take(4 * mega);
  blocks.give(old, 2 * mega);
  blocks.give(recent, 4 * mega);
  blocks.give(last, 4 * mega);
  EXPECT_EQ(blocks.cached_bytes(), 8 * mega);
  EXPECT_EQ(blocks.take(4 * mega), last);
  EXPECT_EQ(blocks.take(4 * mega), recent);
  blocks.give(last, 4 * mega);
  blocks.give(recent, 4 * mega);
}

TEST(LargeBlocks, WhatCanNotBeHadIsNull) {
  LargeBlocks blocks(0);
  EXPECT_EQ(blocks.take(INT64_MAX / 2), nullptr);
  EXPECT_EQ(blocks.take(INT64_MAX / 8), nullptr);
}

}  // namespace
}  // namespace sinter::runtime
