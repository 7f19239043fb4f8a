// Images in another size.

#include <sinter/graph/ops/functions/upsample.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Upsample, NearestRepeatsElements) {
  Tensors x = {tensor_of({1, 2, 3}, {1, 1, 3})};
  expect_elements([](const Tensors& x) { return upsample_nearest1d(x[0], {6}); }, x, f32, {1, 1, 2, 2, 3, 3});
  expect_elements([](const Tensors& x) { return upsample_nearest1d(x[0], {2}); }, x, f32, {1, 2});
  expect_elements([](const Tensors& x) { return upsample_nearest1d(x[0], {4}); }, x, f32, {1, 1, 2, 3});
}

TEST(Upsample, NearestByWholeFactorsFuses) {
  auto block = [](const Tensor& x) { return relu(upsample_nearest2d(x, {8, 12}) + 1.0); };
  EXPECT_EQ(kernel_count(block, ones({1, 2, 4, 6})), 1);
}

TEST(Upsample, LinearKeepsEdgesOrCorners) {
  Tensors x = {tensor_of({0, 4}, {1, 1, 2})};
  expect_elements([](const Tensors& x) { return upsample_linear1d(x[0], {4}); }, x, f32, {0, 1, 3, 4});
  expect_elements([](const Tensors& x) { return upsample_linear1d(x[0], {5}, true); }, x, f32, {0, 1, 2, 3, 4});
}

TEST(Upsample, GradientIsTheTranspose) {
  Tensor gradient = tensor_of({1, 2, 3, 4}, {1, 1, 4});
  Tensor back = ops("aten::upsample_linear1d_backward")(gradient, Dims{4}, Dims{1, 1, 2}, false)[0].tensor();
  EXPECT_EQ(elements_of(back), (std::vector<double>{1 + 1.5 + 0.75, 0.5 + 2.25 + 4}));
}

TEST(Upsample, BytesStayWithinTheirRange) {
  Tensors x = {tensor_of({0, 255, 255, 0}, {1, 1, 2, 2}, u8)};
  Tensor result = result_of([](const Tensors& x) { return upsample_bicubic2d(x[0], {4, 4}); }, x);
  for (double value : elements_of(result)) EXPECT_TRUE(value >= 0 && value <= 255);
  EXPECT_EQ(elements_of(result)[0], 0);
}

TEST(Upsample, TakesSizesOrFactors) {
  Tensor x = tensor_of({1, 2}, {1, 1, 2});
  Tensor by_factor = ops("aten::upsample_nearest1d.vec")(x, Value(), Value::List{2.0})[0].tensor();
  EXPECT_EQ(elements_of(by_factor), (std::vector<double>{1, 1, 2, 2}));
  auto neither = [](const Tensors& x) {
    return ops("aten::upsample_nearest1d.vec")(x[0], Value(), Value())[0].tensor();
  };
  EXPECT_EQ(message_of(neither, {x}), "upsample_nearest1d: output_size and scale_factors");
}

}  // namespace
}  // namespace sinter::test
