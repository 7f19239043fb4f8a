// Activations of straight pieces: their corners, special values, types and messages.

#include <cmath>
#include <limits>

#include <sinter/graph/ops/functions/activation.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

Tensor special(DType dtype) {
  return tensor_of({-infinity, -4, -3, -0.5, -0.0, 0, 0.5, 3, 8, infinity, nan}, {11}, dtype);
}

TEST(Piecewise, CornersAndSpecialValues) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensors x = {special(dtype)};
    expect_elements([](const Tensors& x) { return hardtanh(x[0]); }, x, dtype,
                    {-1, -1, -1, -0.5, -0.0, 0, 0.5, 1, 1, 1, nan});
    expect_elements([](const Tensors& x) { return relu6(x[0]); }, x, dtype, {0, 0, 0, 0, -0.0, 0, 0.5, 3, 6, 6, nan});
    expect_elements([](const Tensors& x) { return hardshrink(x[0]); }, x, dtype,
                    {-infinity, -4, -3, 0, 0, 0, 0, 3, 8, infinity, nan});
    expect_elements([](const Tensors& x) { return threshold(x[0], 0.5, 20); }, x, dtype,
                    {20, 20, 20, 20, 20, 20, 20, 3, 8, infinity, nan});
    expect_elements([](const Tensors& x) { return leaky_relu(x[0], 0.5); }, x, dtype,
                    {-infinity, -2, -1.5, -0.25, -0.0, 0, 0.5, 3, 8, infinity, nan});
    expect_elements([](const Tensors& x) { return hardswish(x[0]) * 6; },
                    {tensor_of({-4, -3, 0, 1, 3, 5, nan}, {7}, f64)}, f64, {-0.0, -0.0, 0, 4, 18, 30, nan});
    expect_elements([](const Tensors& x) { return hardsigmoid(x[0]); }, x, dtype,
                    {0, 0, 0, elements_of(tensor_of({2.5 / 6}, {1}, dtype).to(f64))[0], 0.5, 0.5,
                     elements_of(tensor_of({3.5 / 6}, {1}, dtype).to(f64))[0], 1, 1, 1, nan});
  }
}

TEST(Piecewise, IntegersKeepTheirType) {
  Tensors x = {tensor_of({-9, 0, 3, 100}, {4}, i8), tensor_of({0, 200}, {2}, u8)};
  expect_elements([](const Tensors& x) { return hardtanh(x[0], -2.5, 50.0); }, x, i8, {-2, 0, 3, 50});
  expect_elements([](const Tensors& x) { return relu6(x[0]); }, x, i8, {0, 0, 3, 6});
  expect_elements([](const Tensors& x) { return threshold(x[0], 1, -7); }, x, i8, {-7, -7, 3, 100});
  expect_elements([](const Tensors& x) { return hardtanh(x[1], -1, 300); }, x, u8, {0, 200});
  EXPECT_EQ(message_of([](const Tensors& x) { return hardtanh(x[1], -2, -1); }, x), "hardtanh: [-2, -1] holds no u8");
  EXPECT_EQ(message_of([](const Tensors& x) { return leaky_relu(x[0]); }, x), "leaky_relu: is not implemented for i8");
  EXPECT_EQ(message_of([](const Tensors&) { return relu6(zeros({1}, boolean)); }),
            "relu6: is not implemented for bool");
  EXPECT_EQ(message_of([](const Tensors&) { return softshrink(zeros({1}), -0.5); }), "softshrink: lambd is -0.5");
}

TEST(Piecewise, PreluTakesAWeightForEachChannel) {
  Tensors x = {tensor_of({-1, 2, -3, -4, 5, -6}, {1, 3, 2}), tensor_of({0.5, 10, 2}, {3}), tensor_of({2}, {1}),
               tensor_of({1, 2}, {2})};
  expect_elements([](const Tensors& x) { return prelu(x[0], x[1]); }, x, f32, {-0.5, 2, -30, -40, 5, -12});
  expect_elements([](const Tensors& x) { return prelu(x[0], x[2]); }, x, f32, {-2, 2, -6, -8, 5, -12});
  EXPECT_EQ(message_of([](const Tensors& x) { return prelu(x[0], x[3]); }, x), "prelu: 2 weights for 3 channels");
}

TEST(Piecewise, LiesInOneKernelWithItsNeighbours) {
  auto chain = [](const Tensor& x) { return hardswish(leaky_relu(hardtanh(x + 1), 0.1)) * relu6(x); };
  EXPECT_EQ(kernel_count(chain, zeros({64, 100})), 1);
}

TEST(Piecewise, WritesInPlace) {
  auto write = [](const Tensor& x) {
    Tensor y = x * 1;
    for (const char* name : {"aten::hardtanh_", "aten::leaky_relu_", "aten::hardswish_", "aten::relu6_"}) ops(name)(y);
    return y;
  };
  auto fresh = [](const Tensor& x) { return relu6(hardswish(leaky_relu(hardtanh(x)))); };
  expect_same_bits(eager_and_compiled(write, special(f32)), eager_and_compiled(fresh, special(f32)));
}

}  // namespace
}  // namespace sinter::test
