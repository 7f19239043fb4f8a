// Pools over sliding, adaptive and random windows, and their gradients.

#include <sinter/graph/ops/functions/pool.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

const double nan = std::nan("");

TEST(Pool, MaximumOfKnownRows) {
  Tensors x = {tensor_of({1, 5, 2, 4, 3}, {1, 5})};
  expect_elements([](const Tensors& x) { return max_pool1d(x[0], {2}); }, x, f32, {5, 4});
  expect_elements([](const Tensors& x) { return max_pool1d(x[0], {2}, {2}, {0}, {1}, true); }, x, f32, {5, 4, 3});
  expect_elements([](const Tensors& x) { return max_pool1d(x[0], {2}, {2}, {1}); }, x, f32, {1, 5, 4});
  expect_elements([](const Tensors& x) { return max_pool1d(x[0], {2}, {1}, {0}, {3}); }, x, f32, {4, 5});
}

TEST(Pool, MaximumKeepsNanAndPadsWithTheLeast) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto pool = [](const Tensors& x) { return max_pool1d(x[0], {3}, {2}, {1}); };
  expect_elements(pool, {tensor_of({-infinity, nan, 1, 2}, {1, 4})}, f32, {nan, nan});
  expect_elements(pool, {tensor_of({-128, -7, -9, -128}, {1, 4}, i8)}, i8, {-7, -7});
}

TEST(Pool, MaximumFusesWithItsNeighbours) {
  auto block = [](const Tensor& x) { return max_pool2d(relu(x + 1.0), {2}) * 2.0; };
  EXPECT_EQ(kernel_count(block, ones({2, 3, 8, 8})), 1);
}

TEST(Pool, PlacesAreThoseOfTheFirstGreatestElement) {
  Values results =
      ops("aten::max_pool2d_with_indices")(tensor_of({1, 3, 3, 0, 2, 2, 2, 2, nan, 0, nan, 1}, {1, 3, 4}), Dims{3, 2});
  EXPECT_EQ(elements_of(results[1].tensor()), (std::vector<double>{8, 10}));
  results = ops("aten::max_pool1d_with_indices")(tensor_of({3, 3, 1, 7}, {1, 4}), Dims{2});
  EXPECT_EQ(elements_of(results[1].tensor()), (std::vector<double>{0, 3}));
}

TEST(Pool, AverageCountsItsPaddingOrNot) {
  Tensors x = {tensor_of({2, 4, 6, 8, 10}, {1, 5})};
  expect_elements([](const Tensors& x) { return avg_pool1d(x[0], {2}); }, x, f32, {3, 7});
  expect_elements([](const Tensors& x) { return avg_pool1d(x[0], {2}, {2}, {1}); }, x, f32, {1, 5, 9});
  expect_elements([](const Tensors& x) { return avg_pool1d(x[0], {2}, {2}, {1}, false, false); }, x, f32, {2, 5, 9});
  // The last window is cut off at the end of the padding.
  expect_elements([](const Tensors& x) { return avg_pool1d(x[0], {4}, {3}, {0}, true); }, x, f32, {5, 9});
}

TEST(Pool, ChannelsStayLast) {
  auto pool = [](const Tensors& x) { return avg_pool2d(x[0].permute({0, 3, 1, 2}), {2}); };
  EXPECT_EQ(layout_of(result_of(pool, {ones({1, 4, 4, 3})})), "[1, 3, 2, 2] [12, 1, 6, 3]");
}

TEST(Pool, AdaptiveWindowsShareTheInputOut) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5}, {1, 5}), tensor_of({1, 2, 3, 4, 5, 6}, {1, 6}, f16)};
  expect_elements([](const Tensors& x) { return adaptive_avg_pool1d(x[0], {2}); }, x, f32, {2, 4});
  expect_elements([](const Tensors& x) { return adaptive_avg_pool1d(x[1], {3}); }, x, f16, {1.5, 3.5, 5.5});
  expect_elements([](const Tensors& x) { return adaptive_max_pool1d(x[0], {2}).first; }, x, f32, {3, 5});
  expect_elements([](const Tensors& x) { return adaptive_max_pool1d(x[0], {2}).second; }, x, i64, {2, 4});
}

TEST(Pool, GradientsGoBackToTheirPlaces) {
  Tensor x = tensor_of({1, 5, 2, 4}, {1, 2, 2}), gradient = tensor_of({3}, {1, 1, 1});
  Tensor back = ops("aten::max_pool2d_with_indices_backward")(gradient, x, Dims{2, 2}, Dims{}, Dims{0, 0}, Dims{1, 1},
                                                              false, tensor_of({1}, {1, 1, 1}, i64))[0]
                    .tensor();
  EXPECT_EQ(elements_of(back), (std::vector<double>{0, 3, 0, 0}));
  back =
      ops("aten::avg_pool2d_backward")(gradient, x, Dims{2, 2}, Dims{}, Dims{0, 0}, false, true, Value())[0].tensor();
  EXPECT_EQ(elements_of(back), (std::vector<double>{0.75, 0.75, 0.75, 0.75}));
}

TEST(Pool, UnpoolingRefusesPlacesOutside) {
  Tensor x = tensor_of({7}, {1, 1, 1});
  Tensor back = ops("aten::max_unpool2d")(x, tensor_of({3}, {1, 1, 1}, i64), Dims{2, 2})[0].tensor();
  EXPECT_EQ(elements_of(back), (std::vector<double>{0, 0, 0, 7}));
  auto outside = [](const Tensors& x) { return ops("aten::max_unpool2d")(x[0], x[1], Dims{2, 2})[0].tensor(); };
  EXPECT_THROW(outside({x, tensor_of({4}, {1, 1, 1}, i64)}), Error);
}

TEST(Pool, ErrorsNameTheNumbers) {
  Tensors x = {ones({1, 5}), ones({1, 0})};
  EXPECT_EQ(message_of([](const Tensors& x) { return max_pool1d(x[0], {6}); }, x),
            "max_pool1d: a window of 6 over 5 elements, padding included");
  EXPECT_EQ(message_of([](const Tensors& x) { return max_pool1d(x[0], {2}, {2}, {2}); }, x),
            "max_pool1d: padding 2 for a window of 2");
  EXPECT_EQ(message_of([](const Tensors& x) { return max_pool1d(x[1], {1}); }, x),
            "max_pool1d: the input has sizes [1, 0]");
}

// ATen makes them of pools over images of one row.
TEST(Pool, RowsKeepTheirChannelsInnermost) {
  Tensors x = {arange(40).to(f32).view({2, 5, 4}).transpose(1, 2)};
  auto layout = [&](const char* name, const Value& size, size_t which) {
    return layout_of(result_of([&](const Tensors& x) { return ops(name)(x[0], size)[which].tensor(); }, x));
  };
  EXPECT_EQ(layout("aten::adaptive_max_pool1d", Dims{2}, 0), "[2, 4, 2] [8, 1, 4]");
  EXPECT_EQ(layout("aten::adaptive_max_pool1d", Dims{2}, 1), "[2, 4, 2] [8, 1, 4]");
  EXPECT_EQ(layout("aten::adaptive_avg_pool1d", Dims{2}, 0), "[2, 4, 2] [8, 1, 4]");
  EXPECT_EQ(layout("aten::adaptive_avg_pool1d", Dims{5}, 0), "[2, 4, 5] [20, 1, 4]");
  EXPECT_EQ(layout("aten::max_pool1d_with_indices", Dims{2}, 0), "[2, 4, 2] [8, 1, 4]");
  EXPECT_EQ(layout("aten::avg_pool1d", Dims{2}, 0), "[2, 4, 2] [8, 1, 4]");
  EXPECT_EQ(layout("aten::max_pool1d", Dims{2}, 0), "[2, 4, 2] [8, 2, 1]");
}

TEST(FractionalPool, StaysInsideWhateverItsSamplesAre) {
  Tensor image = arange(36).to(f32).view({1, 1, 6, 6});
  for (double sample : {-1e30, 1e18, 1e30, std::numeric_limits<double>::quiet_NaN()}) {
    Tensors x = {image, tensor_of({sample, sample}, {1, 1, 2})};
    Tensor indices = result_of(
        [](const Tensors& x) {
          return ops("aten::fractional_max_pool2d")(x[0], Dims{2, 2}, Dims{3, 3}, x[1])[1].tensor();
        },
        x);
    for (double index : elements_of(indices)) EXPECT_TRUE(index >= 0 && index < 36) << index;
  }
}

}  // namespace
}  // namespace sinter::test
