// cat and the stacks, blocks, coordinates.

#include <sinter/graph/ops/functions/view.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Join, CatAlongAnyDim) {
  Tensors x = {tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({5, 6}, {1, 2})};
  expect_elements([](const Tensors& x) { return cat({x[0], x[1]}); }, x, f32, {1, 2, 3, 4, 5, 6});
  expect_elements([](const Tensors& x) { return cat({x[0].t(), x[1].t()}, -1); }, x, f32, {1, 3, 5, 2, 4, 6});
  expect_elements([](const Tensors& x) { return cat({x[0], x[0], x[0]}, 1); }, x, f32,
                  {1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4});
}

TEST(Join, TypesPromoteAndTensorsOfSizesZeroAreSkipped) {
  Tensors x = {tensor_of({1, 2}, {1, 2}, i32), tensor_of({0.5, 1.5}, {1, 2}, f16), tensor_of({}, {0})};
  expect_elements([](const Tensors& x) { return cat({x[0], x[1]}); }, x, f16, {1, 2, 0.5, 1.5});
  expect_elements([](const Tensors& x) { return cat({x[2], x[0]}); }, x, f32, {1, 2});
}

TEST(Join, StackMakesADim) {
  Tensors x = {tensor_of({1, 2}, {2}), tensor_of({3, 4}, {2})};
  expect_elements([](const Tensors& x) { return stack({x[0], x[1]}); }, x, f32, {1, 2, 3, 4});
  expect_elements([](const Tensors& x) { return stack({x[0], x[1]}, -1); }, x, f32, {1, 3, 2, 4});
}

TEST(Join, StacksAlongGivenDims) {
  Tensors x = {tensor_of({1, 2}, {2}), tensor_of({3, 4}, {2})};
  expect_elements([](const Tensors& x) { return hstack({x[0], x[1]}); }, x, f32, {1, 2, 3, 4});
  expect_elements([](const Tensors& x) { return column_stack({x[0], x[1]}); }, x, f32, {1, 3, 2, 4});
  EXPECT_EQ(layout_of(vstack(x)), "[2, 2] [2, 1]");
  EXPECT_EQ(layout_of(dstack(x)), "[1, 2, 2] [4, 2, 1]");
}

TEST(Join, ChannelsLastStaysWhereAllAreSo) {
  Tensor channels = zeros({2, 4, 5, 3}).permute({0, 3, 1, 2}), rows = zeros({2, 3, 4, 5});
  EXPECT_EQ(layout_of(cat({channels, channels}, 1)), "[2, 6, 4, 5] [120, 1, 30, 6]");
  EXPECT_EQ(layout_of(cat({channels, rows}, 1)), "[2, 6, 4, 5] [120, 20, 5, 1]");
  EXPECT_EQ(layout_of(stack({channels, channels}, 1)), "[2, 2, 3, 4, 5] [120, 3, 1, 30, 6]");
}

TEST(Join, BlocksAndCoordinates) {
  Tensors x = {tensor_of({1, 2}, {2}), tensor_of({3, 4}, {2, 1}, i32), tensor_of({5, 6}, {2})};
  expect_elements([](const Tensors& x) { return block_diag({x[0], x[1]}); }, x, f32, {1, 2, 0, 0, 0, 3, 0, 0, 4});
  expect_elements([](const Tensors& x) { return cartesian_prod({x[0], x[2]}); }, x, f32, {1, 5, 1, 6, 2, 5, 2, 6});
  expect_elements([](const Tensors& x) { return meshgrid({x[0], x[2]}, "xy")[0]; }, x, f32, {1, 2, 1, 2});
  expect_elements([](const Tensors& x) { return meshgrid({x[0], x[2]})[0]; }, x, f32, {1, 1, 2, 2});
  expect_elements([](const Tensors&) { return combinations(arange(3)); }, {}, i64, {0, 1, 0, 2, 1, 2});
  expect_elements([](const Tensors&) { return combinations(arange(2), 2, true); }, {}, i64, {0, 0, 0, 1, 1, 1});
}

TEST(Join, ErrorsNameTheSizes) {
  Tensors x = {tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({5, 6, 7}, {1, 3}), tensor_of({1}, {})};
  EXPECT_EQ(message_of([](const Tensors& x) { return cat({x[0], x[1]}); }, x),
            "cat: sizes differ beside dim 0 ([2, 2] vs [1, 3])");
  EXPECT_EQ(message_of([](const Tensors& x) { return cat({x[2], x[2]}); }, x),
            "cat: a zero-dim tensor has no dim to join along");
  EXPECT_EQ(message_of([](const Tensors&) { return cat({}); }, x), "cat: the list of tensors is empty");
  EXPECT_EQ(message_of([](const Tensors& x) { return stack({x[0], x[1]}); }, x),
            "stack: sizes differ ([2, 2] vs [1, 3])");
}

}  // namespace
}  // namespace sinter::test
