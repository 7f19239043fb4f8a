// Reads at indices fuse with what uses them, and touch no memory out of range.

#include <sinter/graph/ops/functions/indexing.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

// One kernel for the extremes of the indices, one for all the rest.
constexpr int with_check = 2;

Tensor ids(std::vector<double> values, std::vector<int64_t> sizes) { return tensor_of(values, std::move(sizes), i64); }

TEST(Pick, RowsFuseWithAUserAndANormAfterIt) {
  auto embed = [](const Tensor& table, const Tensor& at, const Tensor& position) {
    return layer_norm(embedding(table, at) * 2.0 + position, {96});
  };
  Tensor table = randn({50, 96}), at = ids({3, 49, 0, 3, 7, 11}, {2, 3}), position = randn({3, 96});
  EXPECT_EQ(kernel_count(embed, table, at, position), with_check);
  result_of([=](const Tensors& t) { return embed(t[0], t[1], t[2]); }, {table, at, position});
}

TEST(Pick, ElementsFuseLaneByLane) {
  auto picked = [](const Tensor& x, const Tensor& at) { return exp(gather(x, 1, at)) + 1.0; };
  std::vector<double> places;
  for (int i = 0; i < 4 * 37; ++i) places.push_back(i * 7 % 19);
  Tensor x = randn({4, 19}), at = ids(places, {4, 37});
  EXPECT_EQ(kernel_count(picked, x, at), with_check);
  result_of([=](const Tensors& t) { return picked(t[0], t[1]); }, {x, at});
  result_of([=](const Tensors& t) { return picked(t[0].t().contiguous().t(), t[1]); }, {x, at});
}

TEST(Pick, EveryTypeAndIndexType) {
  for (DType dtype : all_dtypes) {
    Tensor x = (randn({6, 33}) * 3.0).to(dtype);
    Tensor rows = tensor_of({5, 0, 2}, {3}, i32), columns = ids({32, 0, -1}, {3});
    result_of([](const Tensors& t) { return index_select(t[0], 0, t[1]); }, {x, rows});
    result_of([](const Tensors& t) { return index_select(t[0], 1, t[1]); }, {x, rows});
    result_of([](const Tensors& t) { return index(t[0], {t[1], t[2]}); }, {x, rows, columns});
    result_of([](const Tensors& t) { return index(t[0], {Tensor(), t[1]}); }, {x, columns});
  }
}

TEST(Pick, WhatTheFunctionMadeItselfIsRead) {
  auto of_made = [](const Tensors& t) { return index_select(t[0] * 2.0, 0, t[1]) + 1.0; };
  auto of_view = [](const Tensors& t) { return index(t[0].t().reshape({-1}), {t[1]}) * 3.0; };
  auto at_made = [](const Tensors& t) { return take(t[0], t[1] + 1) * 0.5; };
  auto of_sorted = [](const Tensors& t) { return gather(t[0], 1, argsort(t[0], 1)); };
  Tensor x = randn({5, 8}), at = ids({4, 0, 0}, {3});
  for (const auto& function : {+of_made, +of_view, +at_made, +of_sorted}) result_of(function, {x, at});
}

TEST(Pick, ReductionsOverPickedElements) {
  auto bag = [](const Tensors& t) { return index_select(t[0], 0, t[1]).sum({0}); };
  auto mean_row = [](const Tensors& t) { return gather(t[0], 1, t[2]).mean({1}); };
  Tensor x = randn({5, 40}), at = ids({4, 0, 0}, {3}), along = ids({1, 2, 3, 4, 5, 39, 0, 7, 7, 8}, {5, 2});
  result_of(bag, {x, at, along});
  result_of(mean_row, {x, at, along});
}

TEST(Pick, WritingInPlaceWhatIsReadAtIndices) {
  auto reverse = [](const Tensor& x, const Tensor& at) {
    x.copy_(index_select(x, 0, at));
    return x * 2.0;
  };
  Tensor x = tensor_of({1, 2, 3, 4}, {4}), at = ids({3, 2, 1, 0}, {4});
  Tensor y = compile(reverse)(x, at);
  EXPECT_EQ(elements_of(x), (std::vector<double>{4, 3, 2, 1}));
  EXPECT_EQ(elements_of(y), (std::vector<double>{8, 6, 4, 2}));
}

TEST(Pick, HugeIndicesRaiseAndReadNothing) {
  auto far = [](const Tensors& t) { return embedding(t[0], t[1]) * 2.0; };
  for (double index : {9.0e15, -9.0e15, 5.0, -1.0})
    EXPECT_NE(message_of(far, {randn({5, 16}), ids({0, index}, {2})}).find("is out of range for dim 0 of size 5"),
              std::string::npos);
}

TEST(Pick, EmptyIndicesGiveNothing) {
  expect_elements([](const Tensors& t) { return index_select(t[0] + 1.0, 0, t[1]); }, {randn({3, 2}), ids({}, {0})},
                  f32, {});
}

}  // namespace
}  // namespace sinter::test
