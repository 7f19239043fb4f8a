// A copy that stands for a view at other sizes: one entry, right at all of them, until the difference shows.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {

namespace {

Tensor numbers(std::vector<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return tensor_of(values, sizes);
}

// Results, their strides, and the argument afterwards, at each size; gives the compiles.
template <class F>
int64_t compiles_for(F f, const std::vector<std::vector<int64_t>>& all_sizes) {
  auto fast = compile(f, {.dynamic = Dynamic::always});
  for (const std::vector<int64_t>& sizes : all_sizes) {
    Tensor x = numbers(sizes), y = numbers(sizes);
    Tensor expected = f(x), actual = fast(y);
    expect_same_bits(actual, expected);
    expect_same_bits(y, x);
    for (int64_t dim = 0; dim < expected.dim(); ++dim) {
      if (expected.sizes()[dim] == 1) continue;
      EXPECT_EQ(actual.strides()[dim].hint(), expected.strides()[dim].hint());
    }
    EXPECT_EQ(actual.storage() == y.storage(), expected.storage() == x.storage());
  }
  return fast.stats().compiles;
}

Tensor heads_joined(const Tensor& x) {  // [b, s, 2, q] -> [b, s, 2 * q], through memory in the order of heads
  SymInt b = x.size(0), s = x.size(1);
  return (x.transpose(1, 2) * 2).contiguous().transpose(1, 2).reshape({b, s, -1}) + 1;
}

TEST(LateGuards, OneEntryCoversSizesOfOne) {
  EXPECT_EQ(compiles_for([](const Tensor& x) { return x.transpose(0, 1).reshape({-1}) * 2; },
                         {{4, 5}, {1, 5}, {4, 1}, {1, 1}, {7, 3}}),
            1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return x.transpose(0, 1).contiguous() + 1; },
                         {{4, 5}, {1, 5}, {4, 1}, {7, 3}}),
            1);
  EXPECT_EQ(compiles_for(heads_joined, {{2, 5, 2, 3}, {1, 5, 2, 3}, {2, 1, 2, 3}, {1, 1, 2, 3}, {3, 4, 2, 8}}), 1);
}

TEST(LateGuards, StridesThatDifferAreGuarded) {
  // Of one element per row the view has the columns innermost.
  auto f = [](const Tensor& x) { return exp(x.permute({1, 0, 2}).reshape({x.size(1), -1})); };
  EXPECT_EQ(compiles_for(f, {{4, 5, 3}, {7, 2, 3}, {4, 5, 1}, {1, 5, 3}, {6, 2, 1}}), 2);
}

TEST(LateGuards, WhatIsWrittenOrReturnedIsGuarded) {
  auto written = [](const Tensor& x) {
    Tensor y = x.transpose(0, 1).reshape({-1});
    y.add_(1);
    return x * 2;
  };
  EXPECT_EQ(compiles_for(written, {{4, 5}, {6, 3}, {4, 1}, {1, 5}}), 3);
  auto source_written = [](const Tensor& x) {
    Tensor y = x.transpose(0, 1).reshape({-1});
    x.add_(1);
    return y * 2;
  };
  EXPECT_EQ(compiles_for(source_written, {{4, 5}, {6, 3}, {4, 1}, {1, 5}}), 3);
  EXPECT_EQ(
      compiles_for([](const Tensor& x) { return x.transpose(0, 1).contiguous(); }, {{4, 5}, {6, 3}, {4, 1}, {1, 5}}),
      3);
}

TEST(LateGuards, SlicesThatSizesClip) {
  EXPECT_EQ(compiles_for([](const Tensor& x) { return x.slice(0, 0, 9) + 1; }, {{5, 2}, {9, 2}, {12, 2}, {1, 2}}), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return x.slice(0, -9) + 1; }, {{5, 2}, {9, 2}, {12, 2}, {1, 2}}), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return x.slice(0, 1) + 1; }, {{5, 2}, {2, 2}, {1, 2}}), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return x.slice(1, 1, 9, 2) + 1; }, {{3, 6}, {3, 20}, {3, 1}, {1, 2}}),
            1);
}

}  // namespace
}  // namespace sinter::test
