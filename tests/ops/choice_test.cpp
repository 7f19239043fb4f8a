// where and clamp.

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

const double nan = std::nan("");

TEST(Choice, WhereTakesTheElementsOfEitherSide) {
  Tensors x = {tensor_of({1, 0, 1}, {3}, boolean), tensor_of({1, nan, 3}, {3}), tensor_of({-1, -2, nan}, {3})};
  expect_elements([](const Tensors& x) { return where(x[0], x[1], x[2]); }, x, f32, {1, -2, 3});
  expect_elements([](const Tensors& x) { return where(x[0], x[1], 0.5); }, x, f32, {1, 0.5, 3});
  expect_elements([](const Tensors& x) { return where(x[0], 7, x[2]); }, x, f32, {7, -2, 7});
}

TEST(Choice, WherePromotesAndBroadcasts) {
  Tensors x = {tensor_of({1, 0}, {2, 1}, boolean), tensor_of({1, 2, 3}, {3}, i16), tensor_of({0.5}, {}, f64)};
  expect_elements([](const Tensors& x) { return where(x[0], x[1], x[2]); }, x, f64, {1, 2, 3, 0.5, 0.5, 0.5});
  expect_elements([](const Tensors& x) { return where(x[0], x[1], 5); }, x, i16, {1, 2, 3, 5, 5, 5});
  EXPECT_EQ(message_of([](const Tensors& x) { return where(x[1], x[1], x[1]); }, x), "where: the condition is i16");
}

TEST(Choice, ClampPropagatesNanOfValueAndBound) {
  Tensors x = {tensor_of({-2, 0.5, 9, nan, -0.0}, {5})};
  expect_elements([](const Tensors& x) { return clamp(x[0], -1, 1); }, x, f32, {-1, 0.5, 1, nan, -0.0});
  expect_elements([](const Tensors& x) { return clamp(x[0], 0); }, x, f32, {0, 0.5, 9, nan, -0.0});
  expect_elements([](const Tensors& x) { return clamp(x[0], nan, 1); }, x, f32, {nan, nan, nan, nan, nan});
  expect_elements([](const Tensors& x) { return clamp_max(x[0], 0.25); }, x, f32, {-2, 0.25, 0.25, nan, -0.0});
  auto by_tensors = [](const Tensors& x) { return ops("aten::clamp.Tensor")(x[0], x[1], x[2])[0].tensor(); };
  Tensors bounds = {x[0], tensor_of({nan, 0, 0, 0, 0}, {5}), tensor_of({1}, {})};
  expect_elements(by_tensors, bounds, f32, {nan, 0.5, 1, nan, -0.0});
}

TEST(Choice, TheUpperBoundWinsWhereBoundsCross) {
  expect_elements([](const Tensors& x) { return clamp(x[0], 3, 1); }, {tensor_of({0, 2, 9}, {3})}, f32, {1, 1, 1});
}

TEST(Choice, BoundsPromoteIntegers) {
  Tensors x = {tensor_of({0, 1, 2, 3}, {4}, i32)};
  expect_elements([](const Tensors& x) { return clamp_min(x[0], 0.5); }, x, f32, {0.5, 1, 2, 3});
  expect_elements([](const Tensors& x) { return clamp_min(x[0], 2); }, x, i32, {2, 2, 2, 3});
}

TEST(Choice, BoundsMustFit) {
  Tensors x = {tensor_of({1}, {1}, u8)};
  EXPECT_EQ(message_of([](const Tensors& x) { return clamp(x[0], 2, -1); }, x),
            "clamp: the number -1 does not fit into u8");
  EXPECT_EQ(message_of([](const Tensors& x) { return clamp(x[0], {}, {}); }, x), "clamp: neither min nor max is given");
}

TEST(Choice, ABoundBeyondTheTypeIsNone) {
  Tensors x = {tensor_of({0, 100, 200}, {3}, u8)};
  expect_elements([](const Tensors& x) { return clamp(x[0], -5, 300); }, x, u8, {0, 100, 200});
  expect_elements([](const Tensors& x) { return clamp(x[0], -5, 150); }, x, u8, {0, 100, 150});
  expect_elements([](const Tensors& x) { return clamp_max(x[0], int64_t{1} << 40); }, x, u8, {0, 100, 200});
  EXPECT_EQ(message_of([](const Tensors& x) { return clamp_min(x[0], 300); }, x),
            "clamp_min: the number 300 does not fit into u8");
}

}  // namespace
}  // namespace sinter::test
