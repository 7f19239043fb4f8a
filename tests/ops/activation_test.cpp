// relu, sigmoid, silu, gelu.

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Activation, ReluKeepsNanAndSignedZero) {
  for (DType dtype : {f16, bf16, f32, f64})
    expect_elements([](const Tensors& x) { return relu(x[0]); },
                    {tensor_of({-1, -0.0, 2, nan, -infinity, infinity}, {6}, dtype)}, dtype,
                    {0, -0.0, 2, nan, 0, infinity});
  expect_elements([](const Tensors& x) { return relu(x[0]); }, {tensor_of({-128, 127}, {2}, i8)}, i8, {0, 127});
}

TEST(Activation, LimitsOfSmoothOnes) {
  Tensors x = {tensor_of({0.0, 100, -100, nan}, {4})};
  expect_elements([](const Tensors& x) { return sigmoid(x[0] * 10); }, x, f32, {0.5, 1, 0, nan});
  expect_elements([](const Tensors& x) { return silu(x[0]); }, {tensor_of({0.0, 100, nan}, {3})}, f32, {0.0, 100, nan});
  expect_elements([](const Tensors& x) { return gelu(x[0]); }, x, f32, {0.0, 100, -0.0, nan});
  expect_elements([](const Tensors& x) { return gelu(x[0], "tanh"); }, x, f32, {0.0, 100, -0.0, nan});
}

TEST(Activation, Softsign) {
  for (DType dtype : {f16, bf16, f32, f64})
    expect_elements([](const Tensors& x) { return softsign(x[0]); }, {tensor_of({-3, -0.0, 1, nan}, {4}, dtype)}, dtype,
                    {-0.75, -0.0, 0.5, nan});
  expect_elements([](const Tensors& x) { return softsign(x[0]); }, {tensor_of({-1, 3}, {2}, i64)}, f32, {-0.5, 0.75});
}

TEST(Activation, GeluAgreesWithItsDefinition) {
  std::vector<double> points = {-3, -1, -0.5, 0.25, 1, 2};
  Tensor exact = result_of([](const Tensors& x) { return gelu(x[0]); }, {tensor_of(points, {6}, f64)});
  Tensor approximate = result_of([](const Tensors& x) { return gelu(x[0], "tanh"); }, {tensor_of(points, {6}, f64)});
  for (size_t i = 0; i < points.size(); ++i) {
    double x = points[i];
    EXPECT_NEAR(elements_of(exact)[i], x * 0.5 * (1 + std::erf(x * std::sqrt(0.5))), 1e-15);
    double inner = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
    EXPECT_NEAR(elements_of(approximate)[i], 0.5 * x * (1 + std::tanh(inner)), 1e-15);
  }
}

TEST(Activation, ErrorsNameTypeAndChoice) {
  Tensors x = {tensor_of({1}, {1}, i64), tensor_of({1}, {1}, boolean), tensor_of({1}, {1})};
  EXPECT_EQ(message_of([](const Tensors& x) { return gelu(x[0]); }, x), "gelu: is not implemented for i64");
  EXPECT_EQ(message_of([](const Tensors& x) { return silu(x[0]); }, x), "silu: is not implemented for i64");
  EXPECT_EQ(message_of([](const Tensors& x) { return relu(x[1]); }, x), "relu: is not implemented for bool");
  EXPECT_EQ(message_of([](const Tensors& x) { return gelu(x[2], "erf"); }, x).substr(0, 6), "gelu: ");
}

}  // namespace
}  // namespace sinter::test
