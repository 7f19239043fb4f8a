// flip, roll, rot90, repeat and tile: each element's place, memory order, fusion, errors.

#include <sinter/graph/ops/functions/view.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor six() { return tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}); }

TEST(Reindex, FlipTurnsDimsRound) {
  expect_elements([](const Tensors& x) { return flip(x[0], {1}); }, {six()}, f32, {3, 2, 1, 6, 5, 4});
  expect_elements([](const Tensors& x) { return flip(x[0], {0, -1}); }, {six()}, f32, {6, 5, 4, 3, 2, 1});
  expect_elements([](const Tensors& x) { return flip(x[0], {}); }, {six()}, f32, {1, 2, 3, 4, 5, 6});
  expect_elements([](const Tensors& x) { return fliplr(flipud(x[0])); }, {six()}, f32, {6, 5, 4, 3, 2, 1});
  expect_elements([](const Tensors& x) { return flip(x[0], {0}); }, {tensor_of({7}, {})}, f32, {7});
}

TEST(Reindex, RollGoesRound) {
  expect_elements([](const Tensors& x) { return roll(x[0], {1}, {1}); }, {six()}, f32, {3, 1, 2, 6, 4, 5});
  expect_elements([](const Tensors& x) { return roll(x[0], {-4, 1}, {1, 0}); }, {six()}, f32, {5, 6, 4, 2, 3, 1});
  expect_elements([](const Tensors& x) { return roll(x[0], {2}); }, {six()}, f32, {5, 6, 1, 2, 3, 4});
  expect_elements([](const Tensors& x) { return roll(x[0], {1, 1}, {1, 1}); }, {six()}, f32, {2, 3, 1, 5, 6, 4});
  expect_elements([](const Tensors& x) { return roll(x[0], {5}, {1}); }, {tensor_of({}, {3, 0})}, f32, {});
}

TEST(Reindex, Rot90TurnsAPlane) {
  expect_elements([](const Tensors& x) { return rot90(x[0]); }, {six()}, f32, {3, 6, 2, 5, 1, 4});
  expect_elements([](const Tensors& x) { return rot90(x[0], 2); }, {six()}, f32, {6, 5, 4, 3, 2, 1});
  expect_elements([](const Tensors& x) { return rot90(x[0], -1); }, {six()}, f32, {4, 1, 5, 2, 6, 3});
}

TEST(Reindex, RepeatLaysCopiesSideBySide) {
  Tensor x = tensor_of({1, 2}, {2});
  expect_elements([](const Tensors& x) { return repeat(x[0], {3}); }, {x}, f32, {1, 2, 1, 2, 1, 2});
  expect_elements([](const Tensors& x) { return repeat(x[0], {2, 2}); }, {x}, f32, {1, 2, 1, 2, 1, 2, 1, 2});
  expect_elements([](const Tensors& x) { return tile(x[0], {2}); }, {six()}, f32, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  EXPECT_EQ(layout_of(repeat(x, {0, 3})), "[0, 6] [6, 1]");
}

TEST(Reindex, MemoryOrderIsAtens) {
  Tensor channels = zeros({2, 4, 5, 3}).permute({0, 3, 1, 2});
  EXPECT_EQ(layout_of(flip(channels, {1})), "[2, 3, 4, 5] [60, 1, 15, 3]");
  EXPECT_EQ(layout_of(roll(channels, {1}, {2})), "[2, 3, 4, 5] [60, 1, 15, 3]");
  EXPECT_EQ(layout_of(roll(channels, {1})), "[2, 3, 4, 5] [60, 20, 5, 1]");
  EXPECT_EQ(layout_of(rot90(channels, 1, {2, 3})), "[2, 3, 5, 4] [60, 1, 3, 15]");
}

TEST(Reindex, FusesWithWhatComesBeforeAndAfter) {
  Tensor x = randn({9, 37});
  auto all = [](const Tensor& x) { return roll(flip(exp(x), {1}), {5}, {1}) * 2.0 + repeat(x.slice(0, 0, 3), {3, 1}); };
  EXPECT_EQ(kernel_count(all, x), 1);
  eager_and_compiled(all, x);
}

TEST(Reindex, ErrorsNameTheDims) {
  EXPECT_EQ(message_of([](const Tensors& x) { return flip(x[0], {1, -1}); }, {six()}), "flip: dim 1 is given twice");
  EXPECT_EQ(message_of([](const Tensors& x) { return roll(x[0], {1, 2}, {0}); }, {six()}), "roll: 2 shifts for 1 dims");
  EXPECT_EQ(message_of([](const Tensors& x) { return rot90(x[0], 1, {0, 0}); }, {six()}),
            "rot90: dim 0 is given twice");
  EXPECT_EQ(message_of([](const Tensors& x) { return repeat(x[0], {2}); }, {six()}),
            "repeat: 1 counts for a tensor of rank 2");
}

}  // namespace
}  // namespace sinter::test
