// frexp, ldexp, nextafter, frac, nan_to_num, lerp, addcmul and the ops of integers alone.

#include <sinter/graph/ops/functions/elementary.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(FloatParts, FrexpSplitsAndLdexpJoins) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensors x = {tensor_of({8, -0.75, 0, 0x1p-15}, {4}, dtype)};
    expect_elements([](const Tensors& x) { return std::get<0>(frexp(x[0])); }, x, dtype, {0.5, -0.75, 0, 0.5});
    expect_elements([](const Tensors& x) { return std::get<1>(frexp(x[0])); }, x, i32, {4, 0, 0, -14});
    expect_elements(
        [](const Tensors& x) {
          auto [mantissa, exponent] = frexp(x[0]);
          return ldexp(mantissa, exponent);
        },
        x, dtype, {8, -0.75, 0, 0x1p-15});
  }
  Tensors integers = {tensor_of({1}, {1}, i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return std::get<0>(frexp(x[0])); }, integers),
            "frexp: is not implemented for i32");
}

TEST(FloatParts, NextafterStepsInTheOwnType) {
  auto next = [](const Tensors& x) { return nextafter(x[0], x[1]); };
  expect_elements(next, {tensor_of({1, 0, -1, 5}, {4}), tensor_of({2, -1, 0, 5}, {4})}, f32,
                  {1 + 0x1p-23, -0x1p-149, -1 + 0x1p-24, 5});
  Tensors halves = {tensor_of({1, 0, 0x1p-14, 0x1p-24, 65504, infinity}, {6}, f16),
                    tensor_of({0, 1, 0, -1, infinity, 0}, {6}, f16)};
  expect_elements(next, halves, f16, {1 - 0x1p-11, 0x1p-24, 0x1p-14 - 0x1p-24, 0, infinity, 65504});
  Tensors brains = {tensor_of({1, 0, 0x1p-126, -0x1p-133}, {4}, bf16), tensor_of({2, -1, 0, 1}, {4}, bf16)};
  expect_elements(next, brains, bf16, {1 + 0x1p-7, -0x1p-133, 0x1p-126 - 0x1p-133, -0.0});
}

TEST(FloatParts, NanToNumTakesTheLargestOfTheType) {
  Tensors x = {tensor_of({nan, infinity, -infinity, 2}, {4}, f16)};
  expect_elements([](const Tensors& x) { return nan_to_num(x[0]); }, x, f16, {0, 65504, -65504, 2});
  expect_elements([](const Tensors& x) { return nan_to_num(x[0], 1.0, 2.0, 3.0); }, x, f16, {1, 2, 3, 2});
  expect_elements([](const Tensors& x) { return frac(x[0]); }, {tensor_of({1.5, -1.25, 3}, {3})}, f32, {0.5, -0.25, 0});
}

TEST(Blend, LerpMeetsBothEnds) {
  Tensors x = {tensor_of({1, 0.1f}, {2}), tensor_of({3, 0.7f}, {2}), tensor_of({0.5, 1}, {2})};
  expect_elements([](const Tensors& x) { return lerp(x[0], x[1], x[2]); }, x, f32, {2, 0.7f});
  expect_elements([](const Tensors& x) { return lerp(x[0], x[1], 1.0); }, x, f32, {3, 0.7f});
  expect_elements([](const Tensors& x) { return addcmul(x[0], x[1], x[2], 2) - addcmul(x[0], x[1], x[2]); },
                  {tensor_of({1}, {1}, i32), tensor_of({3}, {1}, i32), tensor_of({4}, {1}, i32)}, i32, {12});
  EXPECT_EQ(message_of([](const Tensors& x) { return lerp(x[0], x[1].to(f64), 0.5); }, x),
            "lerp: dtypes differ (f32 vs f64)");
  EXPECT_EQ(message_of([](const Tensors& x) { return addcdiv(x[0], x[0], x[0]); }, {tensor_of({1}, {1}, i32)}),
            "addcdiv: is not implemented for i32");
}

TEST(Integer, ShiftsPastTheWidthGiveZeroOrTheSign) {
  Tensors x = {tensor_of({1, -1, -128, 3}, {4}, i8), tensor_of({7, 1, 9, -1}, {4}, i8)};
  expect_elements([](const Tensors& x) { return bitwise_left_shift(x[0], x[1]); }, x, i8, {-128, -2, 0, 0});
  expect_elements([](const Tensors& x) { return bitwise_right_shift(x[0], x[1]); }, x, i8, {0, -1, -1, 0});
  expect_elements([](const Tensors& x) { return ops("aten::__rshift__.Scalar")(x[0], 1)[0].tensor(); }, x, i8,
                  {0, -1, -64, 1});
}

TEST(Integer, GcdAndLcmAreOfAbsoluteValues) {
  for (DType dtype : {i8, i16, i32, i64}) {
    Tensors x = {tensor_of({12, -12, 0, 0, 7}, {5}, dtype), tensor_of({18, 8, 5, 0, -1}, {5}, dtype)};
    expect_elements([](const Tensors& x) { return gcd(x[0], x[1]); }, x, dtype, {6, 4, 5, 0, 1});
    expect_elements([](const Tensors& x) { return lcm(x[0], x[1]); }, x, dtype, {36, 24, 0, 0, 7});
  }
}

TEST(Aliases, CallTheOpOfTheFirstName) {
  Tensors x = {tensor_of({0.5, 1}, {2}), tensor_of({2, 4}, {2})};
  expect_elements([](const Tensors& x) { return ops("aten::arccos")(x[0] * 2.0 - 1.0)[0].tensor(); },
                  {tensor_of({1, 1}, {2})}, f32, {0, 0});
  expect_elements([](const Tensors& x) { return ops("aten::multiply_.Tensor")(x[0] + 0.0, x[1])[0].tensor(); }, x, f32,
                  {1, 4});
}

}  // namespace
}  // namespace sinter::test
