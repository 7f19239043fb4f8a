// softmax, log_softmax, layer_norm.

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

void expect_near(const Tensor& tensor, const std::vector<double>& elements, double tolerance) {
  std::vector<double> actual = elements_of(tensor);
  ASSERT_EQ(actual.size(), elements.size());
  for (size_t i = 0; i < elements.size(); ++i) EXPECT_NEAR(actual[i], elements[i], tolerance) << i;
}

TEST(Norm, SoftmaxOfMaskedRowsHasNoNan) {
  auto rows = [](const Tensors& x) { return softmax(x[0], -1); };
  Tensor masked = result_of(rows, {tensor_of({1, -infinity, 2}, {1, 3})});
  expect_near(masked, {0.26894142, 0, 0.73105858}, 1e-7);
  expect_elements(rows, {tensor_of({1e30}, {1, 1})}, f32, {1});
  expect_elements(rows, {tensor_of({-infinity, -infinity}, {1, 2})}, f32, {nan, nan});
  expect_elements(rows, {tensor_of({5, 5, 5, 5}, {1, 4})}, f32, {0.25, 0.25, 0.25, 0.25});
  expect_elements([](const Tensors& x) { return log_softmax(x[0], 0); }, {tensor_of({-7}, {1})}, f32, {0});
}

TEST(Norm, SoftmaxTakesAnyDimAndIsContiguous) {
  Tensor x = tensor_of({0, 1, 2, 0, 1, 2}, {2, 3});
  Tensor columns = result_of([](const Tensors& x) { return softmax(x[0].t(), 1); }, {x});
  EXPECT_EQ(layout_of(columns), "[3, 2] [2, 1]");
  expect_near(columns, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, 0);
  expect_elements([](const Tensors& x) { return softmax(x[0], 0); }, {tensor_of({3}, {})}, f32, {1});
}

TEST(Norm, SoftmaxConvertsToTheAskedType) {
  Tensors x = {tensor_of({1, 1}, {2}, i64)};
  expect_elements([](const Tensors& x) { return softmax(x[0], 0, f64); }, x, f64, {0.5, 0.5});
  EXPECT_EQ(message_of([](const Tensors& x) { return softmax(x[0], 0); }, x), "softmax: is not implemented for i64");
}

TEST(Norm, LogSoftmaxIsExactFarFromTheMaximum) {
  Tensor result = result_of([](const Tensors& x) { return log_softmax(x[0], 0); }, {tensor_of({0, -1000}, {2})});
  expect_near(result, {0, -1000}, 0);
}

TEST(Norm, LayerNormOfKnownRows) {
  auto plain = [](const Tensors& x) { return layer_norm(x[0], {2}, {}, {}, 0); };
  expect_elements(plain, {tensor_of({1, 3, -5, 5}, {2, 2})}, f32, {-1, 1, -1, 1});
  auto scaled = [](const Tensors& x) { return layer_norm(x[0], {2}, x[1], x[2], 0); };
  expect_elements(scaled, {tensor_of({1, 3}, {1, 2}), tensor_of({2, 4}, {2}), tensor_of({10, 20}, {2})}, f32, {8, 24});
}

TEST(Norm, NativeLayerNormAlsoGivesItsStatistics) {
  Values results =
      ops("aten::native_layer_norm")(tensor_of({1, 3, 2, 6}, {2, 2}, bf16), Dims{2}, Value(), Value(), 0.0);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(elements_of(results[0].tensor()), (std::vector<double>{-1, 1, -1, 1}));
  EXPECT_EQ(elements_of(results[1].tensor()), (std::vector<double>{2, 4}));
  EXPECT_EQ(elements_of(results[2].tensor()), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(layout_of(results[1].tensor()), "[2, 1] [1, 1]");
  EXPECT_EQ(results[1].tensor().dtype(), bf16);
}

TEST(Norm, ErrorsNameTheSizes) {
  Tensors x = {tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({1, 2, 3}, {3}), tensor_of({1, 2}, {2}, i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return layer_norm(x[0], {3}); }, x),
            "layer_norm: sizes [2, 2] do not end in normalized_shape [3]");
  EXPECT_EQ(message_of([](const Tensors& x) { return layer_norm(x[0], {2}, x[1]); }, x),
            "layer_norm: weight has sizes [3], normalized_shape is [2]");
  EXPECT_EQ(message_of([](const Tensors& x) { return layer_norm(x[2], {2}); }, x),
            "layer_norm: is not implemented for i32");
  EXPECT_EQ(message_of([](const Tensors& x) { return softmax(x[0], 2); }, x),
            "softmax: dim 2 is out of range for a tensor of rank 2");
}

}  // namespace
}  // namespace sinter::test
