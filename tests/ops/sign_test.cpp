// sign, copysign, heaviside and their relatives: values, types, NaN and signed zeros.

#include <sinter/graph/ops/functions/elementary.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Sign, IsZeroForZerosAndNan) {
  Tensors x = {tensor_of({-infinity, -2, -0.0, 0, nan, 3}, {6})};
  expect_elements([](const Tensors& x) { return sign(x[0]); }, x, f32, {-1, -1, 0, 0, 0, 1});
  expect_elements([](const Tensors& x) { return sgn(x[0]); }, x, f32, {-1, -1, 0, 0, 0, 1});
  expect_elements([](const Tensors& x) { return signbit(x[0] * 1.0); }, {tensor_of({-0.0, 0, -3, 3}, {4})}, boolean,
                  {1, 0, 1, 0});
  expect_elements([](const Tensors& x) { return sign(x[0]); }, {tensor_of({0, 200}, {2}, u8)}, u8, {0, 1});
  expect_elements([](const Tensors& x) { return signbit(x[0]); }, {tensor_of({-5, 0}, {2}, i8)}, boolean, {1, 0});
}

TEST(Sign, CopysignTakesTheSignOfZerosAndGivesFloats) {
  Tensors x = {tensor_of({1, -2, 0, infinity}, {4}), tensor_of({-0.0, 0.0, -1, -1}, {4})};
  expect_elements([](const Tensors& x) { return copysign(x[0], x[1]); }, x, f32, {-1, 2, -0.0, -infinity});
  expect_elements([](const Tensors& x) { return copysign(x[0], -1.0); }, {tensor_of({3, -4}, {2}, i32)}, f32, {-3, -4});
}

TEST(Sign, HeavisideTakesItsValueAtZeroAlone) {
  Tensors x = {tensor_of({-1, -0.0, 0, 2, nan}, {5}), tensor_of({9, 8, 7, 6, 5}, {5})};
  expect_elements([](const Tensors& x) { return heaviside(x[0], x[1]); }, x, f32, {0, 8, 7, 1, 0});
  EXPECT_EQ(message_of([](const Tensors& x) { return heaviside(x[0], x[1].to(f64)); }, x),
            "heaviside: dtypes differ (f32 vs f64)");
}

TEST(Sign, AngleOfRealsIsZeroOrPi) {
  Tensors x = {tensor_of({-2, -0.0, 3, nan}, {4})};
  expect_elements([](const Tensors& x) { return angle(x[0]); }, x, f32, {double(float(std::numbers::pi)), 0, 0, nan});
}

TEST(Sign, InfinitiesAreFoundBySign) {
  Tensors x = {tensor_of({-infinity, 1, infinity, nan}, {4})};
  expect_elements([](const Tensors& x) { return isposinf(x[0]); }, x, boolean, {0, 0, 1, 0});
  expect_elements([](const Tensors& x) { return isneginf(x[0]); }, x, boolean, {1, 0, 0, 0});
  expect_elements([](const Tensors& x) { return isreal(x[0]); }, x, boolean, {1, 1, 1, 1});
}

TEST(Sign, PositiveIsItsArgument) {
  Tensor x = tensor_of({1, -2}, {2});
  EXPECT_TRUE(positive(x).is_same(x));
  EXPECT_EQ(message_of([](const Tensors& x) { return positive(x[0]); }, {tensor_of({1}, {1}, boolean)}),
            "positive: is not implemented for bool");
}

}  // namespace
}  // namespace sinter::test
