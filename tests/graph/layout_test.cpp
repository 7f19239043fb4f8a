// Layouts: contiguity, broadcasting, views, and the strides that pointwise results get.

#include <sinter/graph/layout.h>

#include <gtest/gtest.h>

namespace sinter {
namespace {

Layout layout(SymDims sizes, SymDims strides, SymInt offset = 0) { return {sizes, strides, offset}; }

TEST(Layout, SizeOneAndEmptyDimsHaveNoMeaningfulStride) {
  EXPECT_TRUE(is_contiguous(layout({1, 3}, {99, 1})));
  EXPECT_TRUE(is_contiguous(layout({0, 3}, {7, 7})));
  EXPECT_FALSE(is_contiguous(layout({2, 3}, {1, 2})));
}

TEST(Layout, DenseMeansNoGapInSomeOrder) {
  EXPECT_TRUE(is_dense(layout({2, 3}, {1, 2})));
  EXPECT_FALSE(is_dense(layout({2, 3}, {6, 1})));
}

TEST(Layout, ExpandedDimsOverlapThemselves) {
  EXPECT_TRUE(overlaps_itself(layout({2, 3}, {0, 1})));
  EXPECT_TRUE(overlaps_itself(layout({3, 3}, {1, 1})));
  EXPECT_FALSE(overlaps_itself(layout({2, 3}, {1, 2})));
  EXPECT_FALSE(overlaps_itself(layout({1, 3}, {0, 1})));
}

TEST(Layout, BroadcastsFromTheLastDim) {
  EXPECT_EQ(to_string(*broadcast_sizes({4, 1}, {3})), "[4, 3]");
  EXPECT_EQ(to_string(*broadcast_sizes({}, {2, 0})), "[2, 0]");
  EXPECT_EQ(to_string(*broadcast_sizes({1}, {0})), "[0]");
  EXPECT_FALSE(broadcast_sizes({2}, {3}));
}

TEST(Layout, ViewsKeepMemoryWhereTheyCan) {
  EXPECT_EQ(to_string(*view_strides(layout({2, 3, 4}, {12, 4, 1}), {6, 4})), "[4, 1]");
  EXPECT_EQ(to_string(*view_strides(layout({2, 3, 4}, {24, 4, 1}), {2, 12})), "[24, 1]");
  EXPECT_FALSE(view_strides(layout({2, 3, 4}, {24, 4, 1}), {24}));
  EXPECT_FALSE(view_strides(layout({3, 2}, {1, 3}), {6}));
  EXPECT_EQ(to_string(*view_strides(layout({}, {}), {1, 1})), "[1, 1]");
  EXPECT_EQ(to_string(*view_strides(layout({4, 1, 2}, {2, 7, 1}), {8})), "[1]");
}

TEST(Layout, PointwiseResultsKeepTheInputsOrder) {
  Layout transposed = layout({3, 2}, {1, 3}), plain = layout({3, 2}, {2, 1}), row = layout({2}, {1});
  const Layout* one[] = {&transposed};
  EXPECT_EQ(to_string(pointwise_strides({3, 2}, one)), "[1, 3]");
  const Layout* both[] = {&transposed, &plain};  // the first input decides
  EXPECT_EQ(to_string(pointwise_strides({3, 2}, both)), "[1, 3]");
  const Layout* broadcast[] = {&row, &transposed};
  EXPECT_EQ(to_string(pointwise_strides({3, 2}, broadcast)), "[1, 3]");
  const Layout* sliced_memory[] = {&plain};
  EXPECT_EQ(to_string(pointwise_strides({3, 2}, sliced_memory)), "[2, 1]");
}

TEST(Layout, EndOfMemoryReached) {
  EXPECT_EQ(extent_end(layout({2, 3}, {10, 2}, 5)).constant(), 20);
  EXPECT_EQ(extent_end(layout({0, 3}, {10, 2}, 5)).constant(), 5);
}

}  // namespace
}  // namespace sinter
