// Images read at given places.

#include <sinter/graph/ops/functions/grid_sampler.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(GridSampler, ReadsBetweenElementsAndOutside) {
  // The centre, the right edge, and far outside.
  Tensors x = {tensor_of({1, 2, 3, 4}, {1, 1, 2, 2}), tensor_of({0, 0, 1, 0, 9, 9}, {1, 1, 3, 2})};
  expect_elements([](const Tensors& x) { return grid_sampler(x[0], x[1]); }, x, f32, {2.5, 1.5, 0});
  auto border = [](const Tensors& x) {
    return grid_sampler(x[0], x[1], Interpolation::bilinear, Outside::border, true);
  };
  expect_elements(border, x, f32, {2.5, 3, 4});
  auto nearest = [](const Tensors& x) {
    return grid_sampler(x[0], x[1], Interpolation::nearest, Outside::reflection, true);
  };
  expect_elements(nearest, x, f32, {1, 2, 4});
}

TEST(GridSampler, GradientsOfOnePlace) {
  Tensor image = tensor_of({1, 2, 3, 4}, {1, 1, 2, 2}), grid = tensor_of({0, 0}, {1, 1, 1, 2});
  Values results = ops("aten::grid_sampler_2d_backward")(tensor_of({1}, {1, 1, 1, 1}), image, grid, 0, 0, false,
                                                         Value::List{true, true});
  EXPECT_EQ(elements_of(results[0].tensor()), (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(elements_of(results[1].tensor()), (std::vector<double>{1, 2}));
}

TEST(GridSampler, ErrorsNameTheSizes) {
  Tensors x = {ones({1, 1, 2, 2}), ones({2, 1, 1, 2})};
  EXPECT_EQ(message_of([](const Tensors& x) { return grid_sampler(x[0], x[1]); }, x),
            "grid_sampler: a grid of sizes [2, 1, 1, 2] for an input of [1, 1, 2, 2]");
}

}  // namespace
}  // namespace sinter::test
