// pow of tensors and numbers.

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Power, IntegersMultiply) {
  Tensors x = {tensor_of({-2, 0, 3}, {3}, i32), tensor_of({3, 0, 4}, {3}, i32)};
  expect_elements([](const Tensors& x) { return pow(x[0], x[1]); }, x, i32, {-8, 1, 81});
  expect_elements([](const Tensors& x) { return pow(x[0], 2); }, x, i32, {4, 0, 9});
  expect_elements([](const Tensors& x) { return pow(2, x[1]); }, x, i32, {8, 1, 16});
  expect_elements([](const Tensors& x) { return pow(x[0], 0.5); }, x, f32, {nan, 0, double(std::sqrt(3.0f))});
}

TEST(Power, IntegersToNegativeTensorPowersAreZeroButForOnes) {
  Tensors x = {tensor_of({1, -1, -1, 2, -3}, {5}, i64), tensor_of({-2, -1, -2, -1, -1}, {5}, i64)};
  expect_elements([](const Tensors& x) { return pow(x[0], x[1]); }, x, i64, {1, -1, 1, 0, 0});
}

TEST(Power, SpecialExponentsHaveTheValuesOfTheirFormulas) {
  Tensors x = {tensor_of({-0.0, 4, -infinity, nan}, {4})};
  expect_elements([](const Tensors& x) { return pow(x[0], 0.5); }, x, f32, {-0.0, 2, nan, nan});
  expect_elements([](const Tensors& x) { return pow(x[0], -1); }, x, f32, {-infinity, 0.25, -0.0, nan});
  expect_elements([](const Tensors& x) { return pow(x[0], 3); }, x, f32, {-0.0, 64, -infinity, nan});
  expect_elements([](const Tensors& x) { return pow(x[0], 0); }, x, f32, {1, 1, 1, 1});
  expect_elements([](const Tensors& x) { return pow(x[0], 1); }, x, f32, {-0.0, 4, -infinity, nan});
  expect_elements([](const Tensors& x) { return pow(1, x[0]); }, x, f32, {1, 1, 1, 1});
}

TEST(Power, OfANumberIsRowMajor) {
  Tensor x = tensor_of({0, 1, 2, 3, 4, 5}, {2, 3});
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return pow(2, x[0].t()); }, {x})), "[3, 2] [2, 1]");
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return pow(x[0].t(), 2); }, {x})), "[3, 2] [1, 3]");
}

TEST(Power, ErrorsNameTheExponent) {
  Tensors x = {tensor_of({1, 2}, {2}, i16), tensor_of({1, 1}, {2}, boolean)};
  EXPECT_EQ(message_of([](const Tensors& x) { return pow(x[0], -2); }, x), "pow: an integer to the negative power -2");
  EXPECT_EQ(message_of([](const Tensors& x) { return pow(x[1], x[1]); }, x), "pow: is not implemented for bool");
}

}  // namespace
}  // namespace sinter::test
