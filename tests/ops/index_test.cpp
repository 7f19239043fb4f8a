// Reading and writing at indices: values, layouts, duplicates, what is out of range, masks.

#include <sinter/graph/ops/functions/indexing.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor counted(std::vector<int64_t> sizes, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i));
  return tensor_of(elements, sizes, dtype);
}

Tensor longs(const std::vector<double>& values) {
  return tensor_of(values, {static_cast<int64_t>(values.size())}, i64);
}

// --- index ------------------------------------------------------------------------------------------------------

TEST(Index, PicksByOneIndexForEachDimAndCountsFromTheEnd) {
  Tensor x = counted({3, 4});
  auto both = [](const Tensors& t) { return index(t[0], {t[1], t[2]}); };
  expect_elements(both, {x, longs({0, 2, -1}), longs({1, -1, 0})}, f32, {1, 11, 8});
  auto columns = [](const Tensors& t) { return index(t[0], {Tensor(), t[1]}); };
  expect_elements(columns, {x, longs({3, 0})}, f32, {3, 0, 7, 4, 11, 8});
}

TEST(Index, IndicesBroadcastAndComeFirstWhereTheyStandApart) {
  Tensor x = counted({2, 3, 4}), rows = tensor_of({0, 1}, {2, 1}, i64), columns = longs({0, 1, 3});
  Tensor side_by_side = result_of([](const Tensors& t) { return index(t[0], {Tensor(), t[1], t[2]}); },
                                  {x, tensor_of({0, 2}, {2, 1}, i64), columns});
  EXPECT_EQ(to_string(side_by_side.sizes()), "[2, 2, 3]");
  Tensor apart = result_of([](const Tensors& t) { return index(t[0], {t[1], Tensor(), t[2]}); }, {x, rows, columns});
  EXPECT_EQ(to_string(apart.sizes()), "[2, 3, 3]");
  EXPECT_EQ(elements_of(contiguous(apart.select(0, 1).select(0, 2))), (std::vector<double>{15, 19, 23}));
}

TEST(Index, TheResultKeepsTheMemoryOrderOfSelf) {
  Tensor x = counted({4, 3, 5}).permute({0, 2, 1});
  Tensor y = result_of([](const Tensors& t) { return index(t[0], {t[1]}); }, {x, longs({1, 3})});
  EXPECT_EQ(layout_of(y), "[2, 5, 3] [15, 1, 5]");
}

TEST(Index, MasksPickWhereTheyAreTrue) {
  Tensor x = counted({2, 3}), mask = tensor_of({1, 0, 0, 1, 1, 0}, {2, 3}, boolean);
  EXPECT_EQ(elements_of(index(x, {mask})), (std::vector<double>{0, 3, 4}));
  EXPECT_EQ(elements_of(masked_select(x, mask)), (std::vector<double>{0, 3, 4}));
  auto traced = compile([](const Tensor& a, const Tensor& m) { return index(a, {m}); });
  EXPECT_EQ(elements_of(traced(x, mask)), (std::vector<double>{0, 3, 4}));
}

TEST(Index, WhatIsOutOfRangeIsNamed) {
  Tensor x = counted({2, 3}), empty = counted({0});
  auto first = [](const Tensors& t) { return index(t[0], {t[1]}); };
  EXPECT_EQ(message_of(first, {x, longs({0, 2})}), "index: index 2 is out of range for dim 0 of size 2");
  EXPECT_EQ(message_of(first, {x, longs({-3})}), "index: index -3 is out of range for dim 0 of size 2");
  EXPECT_EQ(message_of(first, {empty, longs({0})}), "index: an index is out of range for dim 0 of size 0");
  EXPECT_EQ(elements_of(index(empty, {longs({})})), std::vector<double>{});
  auto select = [](const Tensors& t) { return index_select(t[0], 1, t[1]); };
  EXPECT_EQ(message_of(select, {x, longs({-1})}), "index_select: index -1 is out of range for dim 1 of size 3");
  auto along = [](const Tensors& t) { return gather(t[0], 1, t[1]); };
  EXPECT_EQ(message_of(along, {x, tensor_of({0, -1}, {2, 1}, i64)}),
            "gather: index -1 is out of range for dim 1 of size 3");
  auto flat = [](const Tensors& t) { return take(t[0], t[1]); };
  EXPECT_EQ(message_of(flat, {x, longs({6})}), "take: index 6 is out of range for 6 elements");
}

TEST(Index, RowsOfATable) {
  Tensor table = counted({5, 2}), ids = tensor_of({4, 0, 4, 1}, {2, 2}, i64);
  expect_elements([](const Tensors& t) { return embedding(t[0], t[1]); }, {table, ids}, f32, {8, 9, 0, 1, 8, 9, 2, 3});
  expect_elements([](const Tensors& t) { return index_select(t[0].t(), 1, t[1]); }, {table, longs({3, 3})}, f32,
                  {6, 6, 7, 7});
  EXPECT_EQ(message_of([](const Tensors& t) { return embedding(t[0], t[1]); }, {table, longs({5})}),
            "embedding: index 5 is out of range for dim 0 of size 5");
}

TEST(Index, GatherTakesTheIndexsSizes) {
  Tensor x = counted({2, 3}), at = tensor_of({2, 0, 1, 1}, {2, 2}, i64);
  expect_elements([](const Tensors& t) { return gather(t[0], 1, t[1]); }, {x, at}, f32, {2, 0, 4, 4});
  expect_elements([](const Tensors& t) { return take_along_dim(t[0], t[1], 0); }, {x, tensor_of({1}, {1, 1}, i64)}, f32,
                  {3, 4, 5});
  expect_elements([](const Tensors& t) { return take(t[0].t(), t[1]); }, {x, longs({1, -1})}, f32, {3, 5});
  EXPECT_EQ(message_of([](const Tensors& t) { return gather(t[0], 1, t[1]); }, {x, tensor_of({0, 0, 0}, {3, 1}, i64)}),
            "gather: an index of sizes [3, 1] does not fit sizes [2, 3] beside dim 1");
}

// --- index_put and masks ----------------------------------------------------------------------------------------

TEST(IndexPut, TheLastOfEqualIndicesStaysAndAccumulateAddsAll) {
  Tensor x = counted({4}), at = longs({1, 3, 1}), values = tensor_of({10, 20, 30}, {3});
  expect_elements([](const Tensors& t) { return index_put(t[0], {t[1]}, t[2]); }, {x, at, values}, f32, {0, 30, 2, 20});
  expect_elements([](const Tensors& t) { return index_put(t[0], {t[1]}, t[2], true); }, {x, at, values}, f32,
                  {0, 41, 2, 23});
}

TEST(IndexPut, ANumberWhereAMaskIsTrueFusesWithItsNeighbours) {
  Tensor x = counted({2, 3}), zero = tensor_of({0}, {}), mask = tensor_of({1, 0}, {2}, boolean);
  auto clear = [](const Tensors& t) { return index_put(t[0] * 2.0, {t[1]}, t[2]) + 1.0; };
  expect_elements(clear, {x, mask, zero}, f32, {1, 1, 1, 7, 9, 11});
}

TEST(IndexPut, MasksWithManyValuesWorkInsideTracedFunctions) {
  Tensor x = counted({4}), mask = tensor_of({1, 0, 0, 1}, {4}, boolean);
  auto put_two = [](const Tensors& t) { return index_put(t[0], {t[1]}, t[2]); };
  expect_elements(put_two, {x, mask, tensor_of({7, 8}, {2})}, f32, {7, 1, 2, 8});
}

TEST(IndexPut, NothingIsWrittenIfAnIndexIsOutOfRange) {
  Tensor x = counted({3});
  auto put_into = ops("aten::index_put_");
  EXPECT_THROW(put_into(x, std::vector<Tensor>{longs({0, 5})}, tensor_of({9, 9}, {2})), Error);
  EXPECT_EQ(elements_of(x), (std::vector<double>{0, 1, 2}));
}

TEST(Masked, FillAndScatter) {
  Tensor x = counted({2, 2}), mask = tensor_of({1, 0}, {2}, boolean);
  expect_elements([](const Tensors& t) { return masked_fill(t[0], t[1], -1); }, {x, mask}, f32, {-1, 1, -1, 3});
  expect_elements([](const Tensors& t) { return masked_scatter(t[0], t[1], t[2]); }, {x, mask, tensor_of({8, 9}, {2})},
                  f32, {8, 1, 9, 3});
  EXPECT_EQ(
      message_of([](const Tensors& t) { return masked_scatter(t[0], t[1], t[2]); }, {x, mask, tensor_of({8}, {1})}),
      "masked_scatter: the mask is true 2 times, source has 1 elements");
  EXPECT_EQ(message_of([](const Tensors& t) { return masked_fill(t[0], t[0], 1); }, {x}), "masked_fill: `mask` is f32");
}

// As fill_ does.
TEST(Masked, ANegativeNumberWrapsInAnUnsignedType) {
  Tensors x = {tensor_of({1, 2}, {2}, u8), tensor_of({1}, {1}, i64)};
  expect_elements([](const Tensors& t) { return masked_fill(t[0], t[0] > 1, -8); }, x, u8, {1, 248});
  expect_elements([](const Tensors& t) { return index_fill(t[0], 0, t[1], -8); }, x, u8, {1, 248});
  expect_elements([](const Tensors& t) { return scatter(t[0], 0, t[1], -8); }, x, u8, {1, 248});
  EXPECT_EQ(message_of([](const Tensors& t) { return masked_fill(t[0], t[0] > 1, 300); }, x),
            "masked_fill: the number 300 does not fit into u8");
}

// --- scatter ----------------------------------------------------------------------------------------------------

TEST(Scatter, WritesAlongADimInTheIndexsOrder) {
  Tensor x = counted({2, 3}), at = tensor_of({2, 2, 0, 1}, {2, 2}, i64), values = tensor_of({10, 20, 30, 40}, {2, 2});
  expect_elements([](const Tensors& t) { return scatter(t[0], 1, t[1], t[2]); }, {x, at, values}, f32,
                  {0, 1, 20, 30, 40, 5});
  expect_elements([](const Tensors& t) { return scatter(t[0], 1, t[1], 7); }, {x, at}, f32, {0, 1, 7, 7, 7, 5});
  expect_elements([](const Tensors& t) { return scatter_add(t[0], 1, t[1], t[2]); }, {x, at, values}, f32,
                  {0, 1, 32, 33, 44, 5});
}

TEST(Scatter, Reductions) {
  Tensor x = tensor_of({1, 2, 3}, {3}), at = longs({0, 0, 2}), values = tensor_of({4, 6, -5}, {3});
  auto reduced = [&](const char* reduce, bool include_self) {
    return elements_of(result_of(
        [=](const Tensors& t) { return scatter_reduce(t[0], 0, t[1], t[2], reduce, include_self); }, {x, at, values}));
  };
  EXPECT_EQ(reduced("sum", true), (std::vector<double>{11, 2, -2}));
  EXPECT_EQ(reduced("prod", false), (std::vector<double>{24, 2, -5}));
  EXPECT_EQ(reduced("mean", false), (std::vector<double>{5, 2, -5}));
  EXPECT_EQ(reduced("amax", true), (std::vector<double>{6, 2, 3}));
  EXPECT_EQ(reduced("amin", false), (std::vector<double>{4, 2, -5}));
}

TEST(Scatter, HalfPrecisionIsSummedInSingleAndRoundedOnce) {
  std::vector<double> ones(300, 1);
  Tensor x = tensor_of({256}, {1}, bf16), at = tensor_of(std::vector<double>(300, 0), {300}, i64);
  expect_elements([](const Tensors& t) { return scatter_add(t[0], 0, t[1], t[2]); },
                  {x, at, tensor_of(ones, {300}, bf16)}, bf16, {556});
}

TEST(Scatter, NegativeIndicesAreRefusedAndNothingIsWritten) {
  Tensor x = tensor_of({1, 2, 3, 4}, {4}), at = longs({0, 1, 0, 1, 2, -1}), values = counted({6});
  EXPECT_EQ(message_of([](const Tensors& t) { return scatter_reduce(t[0], 0, t[1], t[2], "sum"); }, {x, at, values}),
            "scatter_reduce: index -1 is out of range for dim 0 of size 4");
  EXPECT_THROW(ops("aten::scatter_reduce_.two")(x, 0, at, values, "sum"), Error);
  EXPECT_EQ(elements_of(x), (std::vector<double>{1, 2, 3, 4}));
}

TEST(Scatter, VectorsOfIndices) {
  Tensor x = counted({2, 3}), at = longs({2, 0, 2}), values = tensor_of({1, 2, 3, 4, 5, 6}, {2, 3});
  expect_elements([](const Tensors& t) { return index_add(t[0], 1, t[1], t[2], 10); }, {x, at, values}, f32,
                  {20, 1, 42, 53, 4, 105});
  expect_elements([](const Tensors& t) { return index_copy(t[0], 1, t[1], t[2]); }, {x, at, values}, f32,
                  {2, 1, 3, 5, 4, 6});
  expect_elements([](const Tensors& t) { return index_fill(t[0], 0, t[1], 9); }, {x, longs({-1})}, f32,
                  {0, 1, 2, 9, 9, 9});
  expect_elements([](const Tensors& t) { return put(t[0], t[1], t[2], true); },
                  {x, longs({0, -1, 0}), tensor_of({1, 1, 1}, {3})}, f32, {2, 1, 2, 3, 4, 6});
}

TEST(Scatter, ReverseAddReadsAndWritesTheSamePlaces) {
  Tensor x = counted({6}), at = longs({5, 4, 3, 2, 1, 0});
  auto doubled = [](const Tensors& t) { return index_add(zeros({6}), 0, t[1], index_select(t[0], 0, t[1]), 2); };
  expect_elements(doubled, {x, at}, f32, {0, 2, 4, 6, 8, 10});
}

// --- Runs -------------------------------------------------------------------------------------------------------

TEST(Runs, RepeatInterleaveAndOneHot) {
  Tensor x = counted({2, 2});
  expect_elements([](const Tensors& t) { return repeat_interleave(t[0], 2, 1); }, {x}, f32, {0, 0, 1, 1, 2, 2, 3, 3});
  expect_elements([](const Tensors& t) { return repeat_interleave(t[0], t[1], 0, 3); }, {x, longs({1, 2})}, f32,
                  {0, 1, 2, 3, 2, 3});
  expect_elements([](const Tensors& t) { return one_hot(t[0], 3); }, {longs({2, 0})}, i64, {0, 0, 1, 1, 0, 0});
  EXPECT_EQ(elements_of(one_hot(longs({1}))), (std::vector<double>{0, 1}));
  EXPECT_NE(message_of([](const Tensors& t) { return one_hot(t[0], 3); }, {longs({3})}), "no error");
}

TEST(OneHot, IsRowMajorWhateverTheClassesAre) {
  Tensors x = {tensor_of({0, 1, 2, 1}, {2, 2}, i64).t()};
  auto classes = [](const Tensors& t) { return ops("aten::one_hot")(t[0], 3)[0].tensor(); };
  expect_elements(classes, x, i64, {1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0});
  EXPECT_EQ(layout_of(result_of(classes, x)), "[2, 2, 3] [6, 3, 1]");
}

// What a forward call would have said is checked like any index: it names rows of memory.
TEST(EmbeddingBag, GradientsCheckWhatTheForwardCallSaid) {
  Tensor grad = tensor_of({1, 2, 3, 4}, {2, 2}), none = zeros({0}, i64);
  auto gradient = [](int64_t mode) {
    return [mode](const Tensors& t) {
      return ops("aten::_embedding_bag_dense_backward")(t[0], t[1], t[2], t[3], t[4], 4, false, mode, Value())[0]
          .tensor();
    };
  };
  Tensor indices = longs({3, 0, 3}), bags = longs({0, 0, 1}), counts = longs({2, 1});
  expect_elements(gradient(0), {grad, indices, bags, counts, none}, f32, {1, 2, 0, 0, 0, 0, 4, 6});
  expect_elements(gradient(1), {grad, indices, bags, counts, none}, f32, {0.5, 1, 0, 0, 0, 0, 3.5, 5});
  EXPECT_EQ(message_of(gradient(0), {grad, indices, none, counts, none}),
            "_embedding_bag_dense_backward: offset2bag has 0 elements, not 3");
  EXPECT_EQ(message_of(gradient(0), {grad, indices, longs({0, 2, 1}), counts, none}),
            "_embedding_bag_dense_backward: offset2bag holds 2, which is out of range for 2");
  EXPECT_EQ(message_of(gradient(1), {grad, indices, bags, longs({2}), none}),
            "_embedding_bag_dense_backward: bag_size has 1 elements, not 2");
  EXPECT_EQ(message_of(gradient(2), {grad, indices, bags, counts, tensor_of({3, 4, 3, 3}, {2, 2}, i64)}),
            "_embedding_bag_dense_backward: maximum_indices holds 4, which is out of range for 4");
}

}  // namespace
}  // namespace sinter::test
