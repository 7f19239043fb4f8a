// Rounded division and remainders: signs, infinities, the lowest integers, and integers divided by zero.

#include <sinter/graph/ops/functions/elementary.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Division, RoundsTowardsZeroOrDown) {
  Tensors x = {tensor_of({7, -7, 7, -7}, {4}, i32), tensor_of({2, 2, -2, -2}, {4}, i32)};
  expect_elements([](const Tensors& x) { return div(x[0], x[1], "trunc"); }, x, i32, {3, -3, -3, 3});
  expect_elements([](const Tensors& x) { return div(x[0], x[1], "floor"); }, x, i32, {3, -4, -4, 3});
  expect_elements([](const Tensors& x) { return floor_divide(x[0], x[1]); }, x, i32, {3, -4, -4, 3});
  expect_elements([](const Tensors& x) { return fmod(x[0], x[1]); }, x, i32, {1, -1, 1, -1});
  expect_elements([](const Tensors& x) { return remainder(x[0], x[1]); }, x, i32, {1, 1, -1, -1});
  EXPECT_EQ(message_of([](const Tensors& x) { return div(x[0], x[1], "nearest"); }, x),
            "div: rounding_mode is 'nearest'");
}

// CASES B001: the quotient rounds up to a whole number.
TEST(Division, FloorDivisionBelongsToTheExactRemainder) {
  Tensors x = {tensor_of({1, 0.5, 6}, {3}, f64), tensor_of({0.1, 0.1, 0.2}, {3}, f64)};
  expect_elements([](const Tensors& x) { return floor_divide(x[0], x[1]); }, x, f64, {9, 4, 29});
}

TEST(Division, FloatsFollowIeee) {
  Tensors x = {tensor_of({5, -5, 5, 0, infinity}, {5}), tensor_of({infinity, infinity, 0, 0, 2}, {5})};
  expect_elements([](const Tensors& x) { return fmod(x[0], x[1]); }, x, f32, {5, -5, nan, nan, nan});
  expect_elements([](const Tensors& x) { return remainder(x[0], x[1]); }, x, f32, {5, infinity, nan, nan, nan});
  expect_elements([](const Tensors& x) { return floor_divide(x[0], x[1]); }, x, f32, {0, -1, infinity, nan, nan});
}

TEST(Division, TheLowestIntegerWrapsAround) {
  Tensors x = {tensor_of({-128, -128}, {2}, i8), tensor_of({-1, 1}, {2}, i8)};
  expect_elements([](const Tensors& x) { return div(x[0], x[1], "trunc"); }, x, i8, {-128, -128});
  expect_elements([](const Tensors& x) { return remainder(x[0], x[1]); }, x, i8, {0, 0});
}

TEST(Division, AnIntegerDividedByZeroIsAnErrorEagerAndCompiled) {
  Tensors x = {tensor_of({1, 2}, {2}, i32), tensor_of({1, 0}, {2}, i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return floor_divide(x[0], x[1]); }, x),
            "floor_divide: an integer is divided by zero");
  EXPECT_EQ(message_of([](const Tensors& x) { return remainder(x[0], x[1]); }, x),
            "remainder: an integer is divided by zero");
  EXPECT_EQ(message_of([](const Tensors& x) { return fmod(x[0], x[1]); }, x), "fmod: an integer is divided by zero");
  EXPECT_EQ(message_of([](const Tensors& x) { return div(x[0], x[1], "trunc"); }, x),
            "div: an integer is divided by zero");
  EXPECT_EQ(message_of([](const Tensors& x) { return remainder(x[0], 0); }, x),
            "remainder: an integer is divided by zero");
  Tensors empty = {zeros({0}, i32), tensor_of({0}, {1}, i32)};
  expect_elements([](const Tensors& x) { return remainder(x[0], x[1]); }, empty, i32, {});
}

// 256 is 0 in u8, the type in which the division happens.
TEST(Division, TheDivisorCountsInTheCommonType) {
  Tensors x = {tensor_of({1, 2}, {2}, u8), tensor_of({256}, {}, i64)};
  EXPECT_EQ(message_of([](const Tensors& x) { return remainder(x[0], x[1]); }, x),
            "remainder: an integer is divided by zero");
}

// By one number the quotient is rounded once; by a tensor after each step.
TEST(Division, HalvesByANumberAreRoundedOnce) {
  Tensors x = {tensor_of({9984, 1000}, {2}, f16), tensor_of({2.5, 3}, {2}, f16), tensor_of({2.5}, {}, f16)};
  expect_elements([](const Tensors& x) { return floor_divide(x[0], 2.5); }, x, f16, {3992, 400});
  expect_elements([](const Tensors& x) { return floor_divide(x[0], x[2]); }, x, f16, {3992, 400});
  expect_elements([](const Tensors& x) { return floor_divide(x[0], x[1]); }, x, f16, {3994, 333});
  Tensors y = {tensor_of({1000}, {1}, bf16).expand({2})};
  expect_elements([](const Tensors& y) { return div(y[0], 3, "trunc"); }, y, bf16, {332, 332});
}

}  // namespace
}  // namespace sinter::test
