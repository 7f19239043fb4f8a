// Quotients and remainders: each rounding rule on exact quotients, of floats and of integers of either sign.

#include <gtest/gtest.h>

#include <limits>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

Tensor divide(const Tensor& a, const Value& b, const char* mode) {
  return ops("aten::div.Tensor_mode").call({a, b}, {{"rounding_mode", mode}})[0].tensor();
}
Tensor floor_divide(const Tensor& a, const Value& b) { return op("aten::floor_divide", a, b); }
Tensor remainder(const Tensor& a, const Value& b) { return op("aten::remainder.Tensor", a, b); }
Tensor fmod(const Tensor& a, const Value& b) { return op("aten::fmod.Tensor", a, b); }

// Rule out: the rounded quotient's floor.
TEST(Numerics, B001_FloorDivisionIsOfTheExactQuotient) {
  for (DType dtype : {f32, f64}) {
    std::vector<double> want = {9, 4, 29, dtype == f32 ? 2.0 : 3.0};
    std::vector<std::vector<double>> inputs = {{1, 0.5, 6, 1}, {0.1, 0.1, 0.2, 1.0 / 3}};
    expect_pointwise({[](Tensors x) { return floor_divide(x[0], x[1]); }, {dtype, dtype}, inputs, dtype, want});
    expect_pointwise({[](Tensors x) { return divide(x[0], x[1], "floor"); }, {dtype, dtype}, inputs, dtype, want});
  }
}

TEST(Numerics, B001_FloorAndRemainderBelongTogether) {
  // 6 = 29 * 0.2 + 0.2 (nearly): the remainder is as large as the divisor's rounding leaves it.
  std::vector<std::vector<double>> inputs = {{6, -6, 1, 0}, {0.2, 0.2, -0.1, 3}};
  expect_pointwise({[](Tensors x) { return floor_divide(x[0], x[1]); }, {f64, f64}, inputs, f64, {29, -30, -10, 0}});
  expect_pointwise(
      {[](Tensors x) { return op("aten::floor_divide.Scalar", x[0], 0.2); }, {f64}, {{6, -6}}, f64, {29, -30}});
}

TEST(Numerics, B001_HalvesDivideInF32) {
  // 1 / 0.1 in f16: the divisor is 0.0999755859375, of which ten fit.
  expect_pointwise(
      {[](Tensors x) { return floor_divide(x[0], x[1]); }, {f16, f16}, {{1, 6}, {0.1, 0.2}}, f16, {10, 30}});
}

// Rule out: division by an approximate reciprocal.
TEST(GpuOnly, B162_TruncatedQuotientsAreExact) {
  auto truncated = [](Tensors x) { return divide(x[0], x[1], "trunc"); };
  expect_pointwise({truncated, {f32, f32}, {{14.999999, 26.999999, 13.999999}, {3, 3, 7}}, f32, {4, 8, 1}});
  expect_pointwise({truncated, {f32, f32}, {{148, 1073, 2112}, {37, 37, 33}}, f32, {4, 29, 64}});
  expect_pointwise({truncated, {f32, f32}, {{-148, -149, 1, 0}, {37, 37, 0, 0}}, f32, {-4, -4, infinity, nan}});
}

// Rule out: padding lanes that trap.
TEST(IntArith, B024_RemaindersOfRowsShorterThanAVector) {
  for (DType dtype : {i8, i16, i32, i64})
    for (int64_t length = 1; length <= 9; ++length) {
      std::vector<double> values;
      for (int64_t i = 0; i < 2 * length; ++i) values.push_back(static_cast<double>(i % 16));
      expect_results(
          {make(dtype, {2, length}, values), make(dtype, std::vector<double>(length, 16))},
          [](Tensors x) -> Tensors { return {remainder(x[0], x[1]), fmod(x[0], x[1]), floor_divide(x[0], x[1])}; },
          {values, values, std::vector<double>(2 * length, 0)});
    }
}

// Rule out: rules for non-negative numbers applied to negative ones.
TEST(IntArith, B025_FloorAndRemainderOfNegativeNumbers) {
  for (DType dtype : {i32, i64}) {
    std::vector<double> x, less_two, threes(6, 3);
    for (int value = -3; value <= 2; ++value) {
      x.push_back(value);
      less_two.push_back(value - 2);
    }
    auto times_four = [](const Tensor& x, int64_t plus) {
      return op("aten::add.Tensor", op("aten::mul.Tensor", x, 4), plus);
    };
    expect_pointwise({[&](Tensors in) { return floor_divide(times_four(in[0], 3), 4); }, {dtype}, {x}, dtype, x});
    expect_pointwise({[&](Tensors in) { return remainder(times_four(in[0], -1), 4); }, {dtype}, {x}, dtype, threes});
    expect_pointwise(
        {[&](Tensors in) { return floor_divide(times_four(in[0], -5), 4); }, {dtype}, {x}, dtype, less_two});
  }
}

TEST(IntArith, B025_TruncationAndItsRemainder) {
  for (DType dtype : {i8, i32, i64}) {
    expect_pointwise(
        {[](Tensors x) { return divide(x[0], 4, "trunc"); }, {dtype}, {{-1, -4, -5, 5}}, dtype, {0, -1, -1, 1}});
    expect_pointwise({[](Tensors x) { return fmod(x[0], 4); }, {dtype}, {{-1, -4, -5, 5}}, dtype, {-1, 0, -1, 1}});
    expect_pointwise({[](Tensors x) { return remainder(x[0], x[1]); },
                      {dtype, dtype},
                      {{-5, 5, -5, 5}, {3, -3, -3, 3}},
                      dtype,
                      {1, -1, -2, 2}});
  }
}

}  // namespace
}  // namespace sinter::test
