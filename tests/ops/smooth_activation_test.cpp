// Activations of exponentials and logarithms, and derivatives of activations.

#include <cmath>
#include <limits>

#include <sinter/graph/ops/functions/activation.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");
const std::vector<double> points = {-30, -5, -1, -1e-9, 0, 1e-9, 0.5, 2, 25};

using Function = double (*)(double);

template <class F>
void expect_near(F function, Function exact) {
  Tensor result = result_of(function, {tensor_of(points, {int64_t(points.size())}, f64)});
  for (size_t i = 0; i < points.size(); ++i) {
    double want = exact(points[i]);
    EXPECT_NEAR(elements_of(result)[i], want, 1e-14 * std::abs(want)) << "at " << points[i];
  }
}

TEST(SmoothActivation, AgreesWithItsDefinition) {
  expect_near([](const Tensors& x) { return elu(x[0], 2.0, 3.0, 0.5); },
              [](double x) { return x > 0 ? 3 * x : 6 * std::expm1(0.5 * x); });
  expect_near([](const Tensors& x) { return selu(x[0]); },
              [](double x) { return 1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * std::expm1(x)); });
  expect_near([](const Tensors& x) { return celu(x[0], 2.0); },
              [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); });
  expect_near([](const Tensors& x) { return softplus(x[0]); },
              [](double x) { return x > 20 ? x : std::log1p(std::exp(x)); });
  expect_near([](const Tensors& x) { return mish(x[0]); },
              [](double x) { return x * std::tanh(std::log1p(std::exp(x))); });
  expect_near([](const Tensors& x) { return log_sigmoid(x[0]); },
              [](double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); });
}

TEST(SmoothActivation, SpecialValues) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensors x = {tensor_of({-infinity, infinity, nan, -0.0}, {4}, dtype)};
    expect_elements([](const Tensors& x) { return elu(x[0]); }, x, dtype, {-1, infinity, nan, -0.0});
    expect_elements([](const Tensors& x) { return softplus(x[0].slice(0, 0, 3)); }, x, dtype, {0, infinity, nan});
    expect_elements([](const Tensors& x) { return log_sigmoid(x[0].slice(0, 0, 3)); }, x, dtype, {-infinity, 0, nan});
  }
}

TEST(SmoothActivation, GluHalvesADim) {
  Tensors x = {tensor_of({1, 2, 0, 100, 3, 4, -infinity, 0}, {2, 4}), tensor_of({1, 2, 3}, {3})};
  expect_elements([](const Tensors& x) { return glu(x[0]); }, x, f32, {0.5, 2, 0, 2});
  expect_elements([](const Tensors& x) { return glu(full_like(x[0], 2), 0) > 1.7; }, x, boolean, {1, 1, 1, 1});
  EXPECT_EQ(message_of([](const Tensors& x) { return glu(x[1]); }, x), "glu: dim 0 has the odd size 3");
}

// Numbers by difference quotients of the forward op.
template <class F>
void expect_slope(const char* backward, F forward, std::vector<Value> more = {}) {
  Tensor x = tensor_of({-4, -1.3, -0.4, 0.3, 1.1, 2.5}, {6}, f64), grad = tensor_of({1, 2, -1, 0.5, 1, 3}, {6}, f64);
  double step = 1e-6;
  Tensor quotient = grad * (forward(x + step) - forward(x - step)) / (2 * step);
  Values arguments = {grad, x};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Tensor slope = ops(backward).call(arguments)[0].tensor();
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(elements_of(slope)[i], elements_of(quotient)[i], 1e-8) << backward << i;
}

TEST(SmoothActivation, DerivativesAreThose) {
  expect_slope("aten::silu_backward", [](const Tensor& x) { return silu(x); });
  expect_slope("aten::gelu_backward", [](const Tensor& x) { return gelu(x); });
  expect_slope("aten::mish_backward", [](const Tensor& x) { return mish(x); });
  expect_slope("aten::softplus_backward", [](const Tensor& x) { return softplus(x, 2, 20); }, {2, 20});
  expect_slope("aten::hardswish_backward", [](const Tensor& x) { return hardswish(x); });
  expect_slope("aten::hardsigmoid_backward", [](const Tensor& x) { return hardsigmoid(x); });
  expect_slope("aten::leaky_relu_backward", [](const Tensor& x) { return leaky_relu(x, 0.1); }, {0.1, false});
  expect_slope("aten::hardtanh_backward", [](const Tensor& x) { return hardtanh(x); }, {-1, 1});
}

TEST(SmoothActivation, LiesInOneKernelWithItsNeighbours) {
  auto chain = [](const Tensor& x) { return mish(softplus(elu(x))) * log_sigmoid(x); };
  EXPECT_EQ(kernel_count(chain, zeros({64, 100})), 1);
  EXPECT_EQ(kernel_count([](const Tensor& x) { return glu(x) + 1; }, zeros({64, 100})), 1);
}

}  // namespace
}  // namespace sinter::test
