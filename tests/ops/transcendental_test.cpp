// exp, log, roots, sin, cos, tanh, erf: types and special values (accuracy is tested with the prelude).

#include <cmath>
#include <limits>

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
