// cat and stack.

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
