// Comparisons, extrema of two tensors, tests for NaN and infinity, comparisons of whole tensors.

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Compare, NothingComparesWithNan) {
  Tensors x = {tensor_of({1, 2, nan, -0.0}, {4}), tensor_of({1, 3, nan, 0.0}, {4})};
  expect_elements([](const Tensors& x) { return x[0] == x[1]; }, x, boolean, {1, 0, 0, 1});
  expect_elements([](const Tensors& x) { return x[0] != x[1]; }, x, boolean, {0, 1, 1, 0});
  expect_elements([](const Tensors& x) { return x[0] < x[1]; }, x, boolean, {0, 1, 0, 0});
  expect_elements([](const Tensors& x) { return x[0] <= x[1]; }, x, boolean, {1, 1, 0, 1});
  expect_elements([](const Tensors& x) { return x[0] > x[1]; }, x, boolean, {0, 0, 0, 0});
  expect_elements([](const Tensors& x) { return x[0] >= x[1]; }, x, boolean, {1, 0, 0, 1});
}

TEST(Compare, NumbersComeToTheCommonType) {
  Tensors x = {tensor_of({0.0999755859375, 1}, {2}, f16), tensor_of({1, 2}, {2}, i32), tensor_of({255, 1}, {2}, u8)};
  expect_elements([](const Tensors& x) { return x[0] == 0.1; }, x, boolean, {1, 0});
  expect_elements([](const Tensors& x) { return x[1] < 1.5; }, x, boolean, {1, 0});
  expect_elements([](const Tensors& x) { return 1.5 < x[1]; }, x, boolean, {0, 1});
  expect_elements([](const Tensors& x) { return x[2] == -1; }, x, boolean, {1, 0});
}

TEST(Compare, ExtremaPropagateNan) {
  Tensors x = {tensor_of({-3, nan, -1, infinity}, {4}, f16), tensor_of({0, 0, nan, 1}, {4}, f16)};
  expect_elements([](const Tensors& x) { return maximum(x[0], x[1]); }, x, f16, {0, nan, nan, infinity});
  expect_elements([](const Tensors& x) { return minimum(x[0], x[1]); }, x, f16, {-3, nan, nan, 1});
  Tensors bools = {tensor_of({0, 1, 1}, {3}, boolean), tensor_of({0, 0, 1}, {3}, boolean)};
  expect_elements([](const Tensors& x) { return maximum(x[0], x[1]); }, bools, boolean, {0, 1, 1});
  expect_elements([](const Tensors& x) { return minimum(x[0], x[1]); }, bools, boolean, {0, 0, 1});
}

TEST(Compare, PredicatesKnowNonfiniteValues) {
  Tensors x = {tensor_of({1, nan, infinity, -infinity}, {4}), tensor_of({1, 2}, {2}, i64)};
  expect_elements([](const Tensors& x) { return isnan(x[0]); }, x, boolean, {0, 1, 0, 0});
  expect_elements([](const Tensors& x) { return isinf(x[0]); }, x, boolean, {0, 0, 1, 1});
  expect_elements([](const Tensors& x) { return isfinite(x[0]); }, x, boolean, {1, 0, 0, 0});
  expect_elements([](const Tensors& x) { return isnan(x[1]); }, x, boolean, {0, 0});
  expect_elements([](const Tensors& x) { return isfinite(x[1]); }, x, boolean, {1, 1});
}

TEST(Compare, InPlaceFormsWriteOnesAndZeros) {
  auto run = [](const Tensors& x) { return ops("aten::lt_.Tensor")(x[0], x[1])[0].tensor(); };
  expect_elements(run, {tensor_of({1, 5}, {2}), tensor_of({3, 3}, {2})}, f32, {1, 0});
}

TEST(Compare, WholeTensors) {
  Tensor x = tensor_of({1, 2, 3, 4}, {2, 2});
  EXPECT_TRUE(equal(x, x.clone()));
  EXPECT_TRUE(equal(x.t(), tensor_of({1, 3, 2, 4}, {2, 2})));
  EXPECT_FALSE(equal(x, x.view({4})));
  EXPECT_FALSE(equal(x, x.t()));
  EXPECT_FALSE(equal(tensor_of({nan}, {1}), tensor_of({nan}, {1})));
  EXPECT_TRUE(equal(x, x.to(i64)));
  EXPECT_FALSE(equal(x + 0.5, x.to(i64)));
  EXPECT_TRUE(allclose(x, x + 1e-6));
  EXPECT_FALSE(allclose(x, x + 0.1));
  EXPECT_TRUE(allclose(x, x + 0.1, 0, 0.2));
  EXPECT_TRUE(allclose(tensor_of({infinity}, {1}), tensor_of({infinity}, {1})));
  EXPECT_FALSE(allclose(tensor_of({infinity}, {1}), tensor_of({1}, {1})));
  EXPECT_FALSE(allclose(tensor_of({nan}, {1}), tensor_of({nan}, {1})));
  EXPECT_TRUE(allclose(tensor_of({nan}, {1}), tensor_of({nan}, {1}), 1e-5, 1e-8, true));
}

}  // namespace
}  // namespace sinter::test
