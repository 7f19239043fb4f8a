// add, sub, mul, div and their relatives: values, types, strides, errors.

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Arithmetic, AddTakesAlphaTimesTheSecondOperand) {
  Tensors x = {tensor_of({1, 2, 3}, {3}), tensor_of({10, 20, 30}, {3})};
  expect_elements([](const Tensors& x) { return add(x[0], x[1]); }, x, f32, {11, 22, 33});
  expect_elements([](const Tensors& x) { return add(x[0], x[1], 0.5); }, x, f32, {6, 12, 18});
  expect_elements([](const Tensors& x) { return add(x[0], 10, 3); }, x, f32, {31, 32, 33});
  expect_elements([](const Tensors& x) { return sub(x[0], x[1], 2); }, x, f32, {-19, -38, -57});
  expect_elements([](const Tensors& x) { return rsub(x[0], x[1], 2); }, x, f32, {8, 16, 24});
  expect_elements([](const Tensors& x) { return rsub(x[0], 1); }, x, f32, {0, -1, -2});
}

TEST(Arithmetic, IntegersWrapAround) {
  Tensors x = {tensor_of({127, -128, 100}, {3}, i8), tensor_of({1, -1, 100}, {3}, i8)};
  expect_elements([](const Tensors& x) { return x[0] + x[1]; }, x, i8, {-128, 127, -56});
  expect_elements([](const Tensors& x) { return x[0] * x[1]; }, x, i8, {127, -128, 16});
  expect_elements([](const Tensors& x) { return -x[0]; }, x, i8, {-127, -128, -100});
  expect_elements([](const Tensors& x) { return abs(x[0]); }, x, i8, {127, -128, 100});
  Tensors bytes = {tensor_of({0, 255}, {2}, u8)};
  expect_elements([](const Tensors& x) { return x[0] - 1; }, bytes, u8, {255, 254});
  expect_elements([](const Tensors& x) { return -x[0]; }, bytes, u8, {0, 1});
}

TEST(Arithmetic, BoolsAddAsOrAndMultiplyAsAnd) {
  Tensors x = {tensor_of({0, 0, 1, 1}, {4}, boolean), tensor_of({0, 1, 0, 1}, {4}, boolean)};
  expect_elements([](const Tensors& x) { return x[0] + x[1]; }, x, boolean, {0, 1, 1, 1});
  expect_elements([](const Tensors& x) { return x[0] * x[1]; }, x, boolean, {0, 0, 0, 1});
  expect_elements([](const Tensors& x) { return x[0] + 2; }, x, i64, {2, 2, 3, 3});
  expect_elements([](const Tensors& x) { return x[0] * 0.5; }, x, f32, {0, 0, 0.5, 0.5});
  expect_elements([](const Tensors& x) { return square(x[0]); }, x, i64, {0, 0, 1, 1});
}

TEST(Arithmetic, DivisionOfIntegersIsFloating) {
  Tensors x = {tensor_of({1, 7, -8, 5}, {4}, i32), tensor_of({2, 2, 3, 0}, {4}, i32)};
  expect_elements([](const Tensors& x) { return x[0] / x[1]; }, x, f32, {0.5, 3.5, double(-8.0f / 3.0f), infinity});
  expect_elements([](const Tensors& x) { return reciprocal(x[1]); }, x, f32, {0.5, 0.5, double(1.0f / 3.0f), infinity});
  expect_elements([](const Tensors& x) { return x[0] / 2; }, x, f32, {0.5, 3.5, -4, 2.5});
}

TEST(Arithmetic, FloatsKeepSignedZerosAndNans) {
  Tensors x = {tensor_of({0.0, -0.0, infinity, nan}, {4}), tensor_of({-0.0, -0.0, -infinity, 1}, {4})};
  expect_elements([](const Tensors& x) { return x[0] + x[1]; }, x, f32, {0.0, -0.0, nan, nan});
  expect_elements([](const Tensors& x) { return -x[0]; }, x, f32, {-0.0, 0.0, -infinity, nan});
  expect_elements([](const Tensors& x) { return abs(x[0]); }, x, f32, {0.0, 0.0, infinity, nan});
  expect_elements([](const Tensors& x) { return x[0] * 0.0; }, x, f32, {0.0, -0.0, nan, nan});
  expect_elements([](const Tensors& x) { return 1.0 / x[1]; }, x, f32, {-infinity, -infinity, -0.0, 1});
}

TEST(Arithmetic, HalfTypesRoundOnceAnOp) {
  // 2048 + 1 lies between two f16 values; the even one is 2048. A number is not rounded to f16 first.
  Tensors x = {tensor_of({2048, 1}, {2}, f16)};
  expect_elements([](const Tensors& x) { return x[0] + 1; }, x, f16, {2048, 2});
  expect_elements([](const Tensors& x) { return x[0] + 1 + 1; }, x, f16, {2048, 3});
  expect_elements([](const Tensors& x) { return x[0] * 1.00048828125; }, x, f16, {2048, 1});
  Tensors y = {tensor_of({256, 3}, {2}, bf16)};
  expect_elements([](const Tensors& x) { return x[0] + 1; }, y, bf16, {256, 4});
}

TEST(Arithmetic, TypesPromoteByRank) {
  Tensors x = {tensor_of({1, 2}, {2}, i8), tensor_of({1000}, {}, i64),   tensor_of({1.5}, {}, f64),
               tensor_of({1, 1}, {2}, u8), tensor_of({1, 1}, {2}, bf16), tensor_of({1, 1}, {2}, f16)};
  expect_elements([](const Tensors& x) { return x[0] + x[1]; }, x, i8, {-23, -22});
  expect_elements([](const Tensors& x) { return x[0] + x[2]; }, x, f64, {2.5, 3.5});
  expect_elements([](const Tensors& x) { return x[0] + x[3]; }, x, i16, {2, 3});
  expect_elements([](const Tensors& x) { return x[4] + x[5]; }, x, f32, {2, 2});
  expect_elements([](const Tensors& x) { return x[4] + x[2]; }, x, bf16, {2.5, 2.5});
  expect_elements([](const Tensors& x) { return x[1] + 1.5; }, x, f32, {1001.5});
}

TEST(Arithmetic, ResultsBroadcastAndKeepTheMemoryOrder) {
  Tensor base = tensor_of({0, 1, 2, 3, 4, 5}, {2, 3});
  Tensors x = {base.t(), tensor_of({10, 20}, {1, 2}), tensor_of({100}, {1})};
  auto add_row = [](const Tensors& x) { return x[0] + x[1]; };
  expect_elements(add_row, x, f32, {10, 23, 11, 24, 12, 25});
  EXPECT_EQ(layout_of(result_of(add_row, x)), "[3, 2] [1, 3]");
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return x[1] * x[2]; }, x)), "[1, 2] [2, 1]");
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return x[1].expand({4, 2}) * 2; }, x)), "[4, 2] [2, 1]");
}

TEST(Arithmetic, AReversedDifferenceLiesAsTheDifferenceDoes) {
  Tensors x = {tensor_of({0, 1, 2, 3, 4, 5}, {2, 3}).t(), tensor_of({0, 1, 2, 3, 4, 5}, {3, 2})};
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return sub(x[1], x[0]); }, x)), "[3, 2] [2, 1]");
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return rsub(x[0], x[1]); }, x)), "[3, 2] [2, 1]");
}

TEST(Arithmetic, InPlaceFormsWriteTheirFirstArgument) {
  auto steps = [](const Tensors& x) {
    x[0].add_(x[1], 2).mul_(3).sub_(1).div_(x[1]);
    return x[0];
  };
  expect_elements(steps, {tensor_of({1, 2}, {2}), tensor_of({1, 4}, {2})}, f32, {8, 7.25});
}

TEST(Arithmetic, ErrorsNameWhatDoesNotFit) {
  Tensors x = {tensor_of({1, 0}, {2}, boolean), tensor_of({1, 2, 3}, {3}), tensor_of({1, 2}, {2}, i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0] - x[2]; }, x), "sub: is not implemented for bool");
  EXPECT_EQ(message_of([](const Tensors& x) { return -x[0]; }, x), "neg: is not implemented for bool");
  EXPECT_EQ(message_of([](const Tensors& x) { return abs(x[0]); }, x), "abs: is not implemented for bool");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[1] + x[2]; }, x), "add: sizes do not broadcast ([3] vs [2])");
  EXPECT_EQ(message_of([](const Tensors& x) { return add(x[2], x[2], 0.5); }, x),
            "add: alpha 0.5 is a float, the result is i32");
  EXPECT_EQ(message_of([](const Tensors& x) { return add(x[2], x[2], true); }, x),
            "add: a bool alpha needs a bool result, this one is i32");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[2].div_(2); }, x),
            "div_: result type f32 can't be cast to self's type i32");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[2].slice(0, 0, 1).add_(x[2]); }, x),
            "add_: self's sizes [1] differ from the broadcast sizes [2]");
}

}  // namespace
}  // namespace sinter::test
