// Sorting, searching, duplicates and histograms.

#include <sinter/graph/ops/functions/indexing.h>

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

const double nan = std::nan("");

Tensor row(const std::vector<double>& values, DType dtype = f32) {
  return tensor_of(values, {static_cast<int64_t>(values.size())}, dtype);
}

TEST(Sort, NanIsGreatestAndEqualElementsKeepTheirOrder) {
  Tensor x = row({2, nan, 1, 2, -0.0, 0.0});
  expect_elements([](const Tensors& t) { return std::get<0>(sort(t[0])); }, {x}, f32, {-0.0, 0.0, 1, 2, 2, nan});
  expect_elements([](const Tensors& t) { return argsort(t[0]); }, {x}, i64, {4, 5, 2, 0, 3, 1});
  expect_elements([](const Tensors& t) { return argsort(t[0], -1, true); }, {x}, i64, {1, 0, 3, 2, 4, 5});
}

TEST(Sort, TheFirstAndTheKth) {
  Tensor x = tensor_of({3, 1, 2, 9, 7, 8}, {2, 3});
  expect_elements([](const Tensors& t) { return std::get<0>(topk(t[0], 2)); }, {x}, f32, {3, 2, 9, 8});
  expect_elements([](const Tensors& t) { return std::get<1>(topk(t[0], 1, 0, false)); }, {x}, i64, {0, 0, 0});
  expect_elements([](const Tensors& t) { return std::get<0>(kthvalue(t[0], 2)); }, {x}, f32, {2, 8});
  EXPECT_EQ(message_of([](const Tensors& t) { return std::get<0>(topk(t[0], 4)); }, {x}),
            "topk: k 4 is out of range for dim 1 of size 3");
}

TEST(Unique, SortedWithInverseAndCounts) {
  auto [values, inverse, counts] = unique(row({3, 1, 3, 2, 1, 3}, i32));
  EXPECT_EQ(elements_of(values), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(elements_of(inverse), (std::vector<double>{2, 0, 2, 1, 0, 2}));
  EXPECT_EQ(elements_of(counts), (std::vector<double>{2, 1, 3}));
}

TEST(Search, OffsetsOfASliceAreSeen) {
  Tensor offsets = row({0, 3, 7, 12}, i64);
  auto rows = [](const Tensors& t) { return searchsorted(t[0].slice(0, 1), t[1], /*right=*/true); };
  expect_elements(rows, {offsets, row({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, i64)}, i64,
                  {0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2});
}

TEST(Search, BucketsAndSides) {
  Tensor edges = row({1, 3, 5});
  expect_elements([](const Tensors& t) { return bucketize(t[0], t[1]); }, {row({0, 1, 4, nan}), edges}, i64,
                  {0, 0, 2, 3});
  expect_elements([](const Tensors& t) { return bucketize(t[0], t[1], true); }, {row({1, 5}), edges}, i64, {1, 3});
}

TEST(Search, BothSidesComeToTheirCommonType) {
  auto place = [](const Tensors& t) { return searchsorted(t[0], t[1]); };
  expect_elements(place, {row({1, 2, 5}, i64), row({2.5, 300})}, i64, {2, 3});
  expect_elements(place, {row({1, 2.5, 5}), row({3}, i32)}, i64, {2});
  expect_elements(place, {row({0, 1}, boolean), row({0, 1}, boolean)}, i64, {0, 1});
  // 2^24 + 1 is 2^24 in f32.
  expect_elements(place, {row({16777216, 16777218}), row({16777217}, i64)}, i64, {0});
}

TEST(Search, Membership) {
  expect_elements([](const Tensors& t) { return isin(t[0], t[1]); }, {row({1, 2, nan}), row({nan, 2})}, boolean,
                  {0, 1, 0});
}

// The result has no dim that could be empty.
TEST(Sort, TopkOfASingleElementIsThatElement) {
  for (int64_t k : {0, 1}) {
    Tensors x = {tensor_of({5}, {}, i32)};
    expect_elements([k](const Tensors& t) { return std::get<0>(topk(t[0], k)); }, x, i32, {5});
    expect_elements([k](const Tensors& t) { return std::get<1>(topk(t[0], k)); }, x, i64, {0});
  }
}

TEST(Histogram, CountsByValueAndByRange) {
  EXPECT_EQ(elements_of(bincount(row({1, 3, 1}, i64))), (std::vector<double>{0, 2, 0, 1}));
  EXPECT_EQ(elements_of(bincount(row({1, 0}, i64), row({0.5, 2}))), (std::vector<double>{2, 0.5}));
  EXPECT_THROW(bincount(row({-1}, i64)), Error);
  expect_elements([](const Tensors& t) { return histc(t[0], 2, 0, 4); }, {row({0, 1, 2, 4, 9, nan})}, f32, {2, 2});
}

}  // namespace
}  // namespace sinter::test
