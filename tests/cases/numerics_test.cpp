// Small inputs on which a formula that is only equal over the reals gives another answer.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Numerics, B002_LogOfExpKeepsOverflow) {
  expect_pointwise({.function = [](Tensors x) { return op("aten::log", op("aten::exp", x[0])); },
                    .input_dtypes = {f32},
                    .inputs = {{89, 88}},
                    .dtype = f32,
                    .want = {infinity, 88},
                    .ulps = 1});
}

TEST(Numerics, B002_TheBaseTwoPairKeepsOverflowToo) {
  expect_pointwise({.function = [](Tensors x) { return op("aten::log2", op("aten::exp2", x[0])); },
                    .input_dtypes = {f32},
                    .inputs = {{128, 127, -150}},
                    .dtype = f32,
                    .want = {infinity, 127, -infinity}});
  expect_pointwise({.function = [](Tensors x) { return op("aten::log1p", op("aten::expm1", x[0])); },
                    .input_dtypes = {f64},
                    .inputs = {{710, 1}},
                    .dtype = f64,
                    .want = {infinity, 1},
                    .ulps = 2});
}

// Rule out: one half-precision value seen with two roundings.
TEST(Numerics, B003_AMaximumEqualsAnElementInBfloat16) {
  Tensor v = make(bf16, {1, 2, 3, 5});
  auto quotient = [](const Tensor& x) { return op("aten::div.Tensor", x, 1.734375); };
  auto count = [](const Tensor& s) { return op("aten::sum", op("aten::eq.Tensor", s, op("aten::amax", s, Dims{0}))); };
  expect_results({v}, [&](Tensors x) -> Tensors { return {count(quotient(x[0]))}; }, {{1}});
  expect_results({v},
                 [&](Tensors x) -> Tensors {
                   Tensor s = quotient(x[0]);
                   return {s, count(s)};
                 },
                 {{0.578125, 1.15625, 1.7265625, 2.890625}, {1}});
}

TEST(Numerics, B003_AnyLengthHasItsMaximumOnceInHalfTypes) {
  for (DType dtype : {f16, bf16})
    for (int64_t length : {1, 7, 16, 17, 33, 1000}) {
      std::vector<double> ones(length, 1.0);
      ones[length / 2] = 5;
      expect_results({make(dtype, ones)},
                     [](Tensors x) -> Tensors {
                       Tensor s = op("aten::div.Tensor", x[0], 1.734375);
                       return {op("aten::sum", op("aten::eq.Tensor", s, op("aten::amax", s, Dims{0})))};
                     },
                     {{1}});
    }
}

TEST(Numerics, B003_FloorAndCastSeeTheRoundedHalfValue) {
  // 3/1.734375 is 1.7297 and 1.7265625 in bfloat16; times 1024 the floor tells them apart.
  expect_pointwise({.function =
                        [](Tensors x) {
                          Tensor s = op("aten::div.Tensor", x[0], 1.734375);
                          return op("aten::to.dtype", op("aten::mul.Tensor", op("aten::to.dtype", s, f32), 1024.0),
                                    i32);
                        },
                    .input_dtypes = {bf16},
                    .inputs = {{3, 5}},
                    .dtype = i32,
                    .want = {1768, 2960}});
}

TEST(Numerics, B004_DifferenceOfEqualSquaresIsZero) {
  for (DType dtype : {f32, f64})
    expect_pointwise({.function =
                          [](Tensors x) {
                            return op("aten::sub.Tensor", op("aten::mul.Tensor", x[0], x[0]),
                                      op("aten::mul.Tensor", x[1], x[1]));
                          },
                      .input_dtypes = {dtype, dtype},
                      .inputs = {{0.1, 0.3, 1e-3}, {0.1, 0.3, 1e-3}},
                      .dtype = dtype,
                      .want = {0},
                      .ulps = 1});
}

TEST(Numerics, B004_SumsAreNotReassociated) {
  // (1e8 + 1) - 1e8 in float32 is 0; (x*3)/3 rounds twice.
  expect_pointwise(
      {.function = [](Tensors x) { return op("aten::sub.Tensor", op("aten::add.Tensor", x[0], x[1]), x[0]); },
       .input_dtypes = {f32, f32},
       .inputs = {{1e8, 16777216}, {1, 1}},
       .dtype = f32,
       .want = {0, 0},
       .ulps = 1});
}

TEST(DTypePromotion, B008_AnyAndAllOfU8AreU8) {
  for (const char* name : {"aten::any", "aten::all"}) {
    double each = std::string_view(name) == "aten::any" ? 1 : 0;
    expect_results({make(u8, {2, 2}, {0, 3, 0, 0})},
                   [&](Tensors x) -> Tensors {
                     Tensor r = op(name, x[0]);
                     EXPECT_EQ(r.dtype(), u8);
                     Tensor y = op("aten::add.Tensor", op("aten::mul.Tensor", r, 200), 100);
                     EXPECT_EQ(y.dtype(), u8);
                     return {y};
                   },
                   {{each == 1 ? 44.0 : 100.0}});
  }
}

TEST(DTypePromotion, B009_IntegerSumTimesFloatIsF32) {
  expect_pointwise(
      {.function = [](Tensors x) { return op("aten::mul.Tensor", op("aten::add.Tensor", x[0], x[0]), 0.8); },
       .input_dtypes = {i32},
       .inputs = {{1}},
       .dtype = f32,
       .want = {static_cast<float>(1.6)},
       .ulps = 1});
}

TEST(DTypePromotion, B010_SumAndProdOfFloatsAsBool) {
  std::vector<double> halves(12, 0.5), one_zero = halves, zeros(12, 0.0);
  one_zero[5] = 0;
  for (DType dtype : {f16, bf16, f32, f64, i32, u8}) {
    auto as_bool = [](const char* name) {
      return [name](Tensors x) -> Tensors { return {ops(name).call({x[0]}, {{"dtype", boolean}})[0].tensor()}; };
    };
    std::vector<double> some = is_floating(dtype) ? halves : std::vector<double>(12, 2.0);
    std::vector<double> hole = some;
    hole[5] = 0;
    auto of = [&](const std::vector<double>& values) { return Tensors{make(dtype, {3, 4}, values)}; };
    expect_results(of(some), as_bool("aten::sum"), {{1}});
    expect_results(of(hole), as_bool("aten::sum"), {{1}});
    expect_results(of(zeros), as_bool("aten::sum"), {{0}});
    expect_results(of(some), as_bool("aten::prod"), {{1}});
    expect_results(of(hole), as_bool("aten::prod"), {{0}});
    expect_results(of(zeros), as_bool("aten::prod"), {{0}});
  }
}

TEST(NanInf, B014_MaximumMinimumAndClampsPropagateNan) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x = {-3, nan, -1, 0, 1, 2, nan}, y = {0, 0, nan, 0, 0, 0, 0};
  auto binary = [&](const char* name, std::vector<double> want) {
    for (DType dtype : {f16, bf16, f32, f64}) {
      auto forward = [name](Tensors in) { return op(name, in[0], in[1]); };
      auto backward = [name](Tensors in) { return op(name, in[1], in[0]); };
      expect_pointwise({forward, {dtype, dtype}, {x, y}, dtype, want, 1});
      expect_pointwise({backward, {dtype, dtype}, {x, y}, dtype, want, 1});
    }
  };
  binary("aten::maximum", {0, nan, nan, 0, 1, 2, nan});
  binary("aten::minimum", {-3, nan, nan, 0, 0, 0, nan});
  for (DType dtype : {f16, bf16, f32, f64}) {
    expect_pointwise({[](Tensors in) { return op("aten::clamp_min", in[0], 0.5); },
                      {dtype},
                      {x},
                      dtype,
                      {0.5, nan, 0.5, 0.5, 1, 2, nan}});
    expect_pointwise({[](Tensors in) { return op("aten::clamp_max", in[0], 0.5); },
                      {dtype},
                      {x},
                      dtype,
                      {-3, nan, -1, 0, 0.5, 0.5, nan},
                      1});
    expect_pointwise(
        {[](Tensors in) { return op("aten::relu", in[0]); }, {dtype}, {x}, dtype, {0, nan, 0, 0, 1, 2, nan}, 1});
  }
}

TEST(NanInf, B014_ClampOfIntegersByAFloatIsF32) {
  expect_pointwise(
      {[](Tensors in) { return op("aten::clamp_min", in[0], 0.5); }, {i64}, {{0, 1, 2, 3}}, f32, {0.5, 1, 2, 3}});
}

TEST(NanInf, B014_ExtremesOfRowsPropagateNan) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (DType dtype : {f16, bf16, f32, f64})
    for (int64_t length : {1, 3, 8, 16, 17, 33, 1000}) {
      std::vector<double> values(2 * length, 1.0), want = {nan, 1.0};
      values[length - 1] = nan;  // the last of row 0
      for (const char* name : {"aten::amax", "aten::amin"})
        expect_results({make(dtype, {2, length}, values)},
                       [name](Tensors x) -> Tensors { return {op(name, x[0], Dims{1})}; }, {want});
    }
}

TEST(NanInf, B015_AddingZeroClearsTheSignOfZero) {
  for (DType dtype : {f16, bf16, f32, f64})
    expect_pointwise({.function =
                          [](Tensors x) {
                            Tensor sum = op("aten::add.Tensor", op("aten::ceil", x[0]), op("aten::zeros_like", x[0]));
                            return op("aten::reciprocal", sum);
                          },
                      .input_dtypes = {dtype},
                      .inputs = {{-0.5, -0.125, -0.75}},
                      .dtype = dtype,
                      .want = {infinity}});
}

TEST(NanInf, B015_IdentitiesThatAreNone) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x = {-0.0, 0.0, infinity, nan, -2};
  auto check = [&](std::function<Tensor(Tensors)> function, std::vector<double> want) {
    for (DType dtype : {f16, f32, f64}) expect_pointwise({function, {dtype}, {x}, dtype, want});
  };
  check([](Tensors in) { return op("aten::add.Tensor", in[0], 0.0); }, {0.0, 0.0, infinity, nan, -2});
  check([](Tensors in) { return op("aten::add.Tensor", in[0], 0); }, {0.0, 0.0, infinity, nan, -2});
  check([](Tensors in) { return op("aten::sub.Tensor", in[0], 0.0); }, {-0.0, 0.0, infinity, nan, -2});
  check([](Tensors in) { return op("aten::mul.Tensor", in[0], 1.0); }, {-0.0, 0.0, infinity, nan, -2});
  check([](Tensors in) { return op("aten::mul.Tensor", in[0], 0.0); }, {-0.0, 0.0, nan, nan, -0.0});
  check([](Tensors in) { return op("aten::sub.Tensor", in[0], in[0]); }, {0.0, 0.0, nan, nan, 0.0});
  check([](Tensors in) { return op("aten::rsub.Scalar", in[0], 0.0); }, {0.0, 0.0, -infinity, nan, 2});
  check([](Tensors in) { return op("aten::div.Tensor", in[0], in[0]); }, {nan, nan, nan, nan, 1});
}

TEST(NanInf, B016_NanTimesZeroStaysNan) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  Tensors inputs = {make(f32, {1, 1}), make(boolean, {0, 1})};
  auto mean_with_nan = [=](const Tensors& x) { return op("aten::mean", op("aten::where.self", x[1], x[0], nan)); };
  auto sum = [](const Tensor& a, const Tensor& b) { return op("aten::add.Tensor", a, op("aten::mul.Tensor", b, 0)); };
  expect_results(inputs,
                 [&](Tensors x) -> Tensors {
                   Tensor a = op("aten::mean", x[0]), b = mean_with_nan(x);
                   return {a, b, sum(a, b)};
                 },
                 {{1}, {nan}, {nan}});
  expect_results(inputs, [&](Tensors x) -> Tensors { return {sum(op("aten::mean", x[0]), mean_with_nan(x))}; },
                 {{nan}});
}

TEST(NanInf, B017_SoftmaxOfShortAndMaskedRows) {
  for (int64_t width : {1, 3, 5, 17, 1000, 1025}) {
    SCOPED_TRACE(width);
    // One finite entry: its probability is 1.
    std::vector<double> values(2 * width, -infinity), want(2 * width, 0.0), want_log(2 * width, -infinity);
    values[width / 2] = values[2 * width - 1] = 3;
    want[width / 2] = want[2 * width - 1] = 1;
    want_log[width / 2] = want_log[2 * width - 1] = 0;
    expect_results(
        {make(f32, {2, width}, values)},
        [](Tensors x) -> Tensors { return {op("aten::softmax.int", x[0], -1), op("aten::log_softmax.int", x[0], -1)}; },
        {want, want_log});
  }
  expect_results(
      {make(f32, {1, -infinity, 2})}, [](Tensors x) -> Tensors { return {op("aten::softmax.int", x[0], -1)}; },
      {{static_cast<float>(0.26894142), 0, static_cast<float>(0.73105858)}}, 2);
}

TEST(NanInf, B164_NegationChangesTheSignOfZero) {
  for (DType dtype : {f16, bf16, f32, f64})
    expect_pointwise({[](Tensors x) { return op("aten::reciprocal", op("aten::neg", x[0])); },
                      {dtype},
                      {{0.0, -0.0}},
                      dtype,
                      {-infinity, infinity}});
}

}  // namespace
}  // namespace sinter::test
