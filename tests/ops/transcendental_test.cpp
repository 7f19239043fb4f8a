// exp, log, roots, sin, cos, tanh, erf: types and special values (accuracy is tested with the prelude).

#include <sinter/graph/ops/functions/elementary.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Transcendental, SpecialValuesAreExact) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensors x = {tensor_of({0.0, -0.0, infinity, -infinity, nan}, {5}, dtype)};
    expect_elements([](const Tensors& x) { return exp(x[0]); }, x, dtype, {1, 1, infinity, 0, nan});
    expect_elements([](const Tensors& x) { return log(x[0]); }, x, dtype, {-infinity, -infinity, infinity, nan, nan});
    expect_elements([](const Tensors& x) { return sqrt(x[0]); }, x, dtype, {0.0, -0.0, infinity, nan, nan});
    expect_elements([](const Tensors& x) { return rsqrt(x[0]); }, x, dtype, {infinity, -infinity, 0, nan, nan});
    expect_elements([](const Tensors& x) { return sin(x[0]); }, x, dtype, {0.0, -0.0, nan, nan, nan});
    expect_elements([](const Tensors& x) { return cos(x[0]); }, x, dtype, {1, 1, nan, nan, nan});
    expect_elements([](const Tensors& x) { return tanh(x[0]); }, x, dtype, {0.0, -0.0, 1, -1, nan});
    expect_elements([](const Tensors& x) { return erf(x[0]); }, x, dtype, {0.0, -0.0, 1, -1, nan});
  }
}

TEST(Transcendental, SpecialValuesOfInversesAndHyperbolicsAreExact) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensors x = {tensor_of({0.0, -0.0, infinity, -infinity, nan}, {5}, dtype)};
    expect_elements([](const Tensors& x) { return expm1(x[0]); }, x, dtype, {0.0, -0.0, infinity, -1, nan});
    expect_elements([](const Tensors& x) { return exp2(x[0]); }, x, dtype, {1, 1, infinity, 0, nan});
    expect_elements([](const Tensors& x) { return log1p(x[0]); }, x, dtype, {0.0, -0.0, infinity, nan, nan});
    expect_elements([](const Tensors& x) { return log2(x[0]); }, x, dtype, {-infinity, -infinity, infinity, nan, nan});
    expect_elements([](const Tensors& x) { return tan(x[0]); }, x, dtype, {0.0, -0.0, nan, nan, nan});
    expect_elements([](const Tensors& x) { return asin(x[0]); }, x, dtype, {0.0, -0.0, nan, nan, nan});
    expect_elements([](const Tensors& x) { return sinh(x[0]); }, x, dtype, {0.0, -0.0, infinity, -infinity, nan});
    expect_elements([](const Tensors& x) { return cosh(x[0]); }, x, dtype, {1, 1, infinity, infinity, nan});
    expect_elements([](const Tensors& x) { return asinh(x[0]); }, x, dtype, {0.0, -0.0, infinity, -infinity, nan});
    Tensors y = {tensor_of({1, -1, infinity}, {3}, dtype)};
    expect_elements([](const Tensors& x) { return acosh(x[0]); }, y, dtype, {0, nan, infinity});
    expect_elements([](const Tensors& x) { return atanh(x[0]); }, y, dtype, {infinity, -infinity, nan});
  }
}

TEST(Transcendental, Atan2KnowsTheQuadrantOfZerosAndInfinities) {
  const double pi = std::numbers::pi;
  Tensors x = {tensor_of({0.0, -0.0, 0.0, infinity, -infinity, 1}, {6}, f64),
               tensor_of({-0.0, -1, 1, infinity, -infinity, 0}, {6}, f64)};
  expect_elements([](const Tensors& x) { return atan2(x[0], x[1]); }, x, f64,
                  {pi, -pi, 0.0, pi / 4, -3 * pi / 4, pi / 2});
  expect_elements([](const Tensors& x) { return hypot(x[0], x[1]); },
                  {tensor_of({3, infinity, 1e200}, {3}, f64), tensor_of({4, nan, 0}, {3}, f64)}, f64,
                  {5, infinity, 1e200});
}

TEST(Transcendental, IntegersAndBoolsGiveF32) {
  for (DType dtype : {boolean, u8, i8, i16, i32, i64}) {
    Tensors x = {tensor_of({0, 1}, {2}, dtype)};
    expect_elements([](const Tensors& x) { return sqrt(x[0]); }, x, f32, {0, 1});
    expect_elements([](const Tensors& x) { return exp(x[0] * 0); }, x, f32, {1, 1});
    expect_elements([](const Tensors& x) { return log(x[0]); }, x, f32, {-infinity, 0});
  }
}

TEST(Transcendental, AnIntegerCannotHoldTheResult) {
  auto run = [](const Tensors& x) { return ops("aten::exp_")(x[0])[0].tensor(); };
  EXPECT_EQ(message_of(run, {tensor_of({1}, {1}, i32)}), "exp_: result type f32 can't be cast to self's type i32");
}

}  // namespace
}  // namespace sinter::test
