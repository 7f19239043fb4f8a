// Pixels and channels in another order.

#include <sinter/graph/ops/functions/unfold.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Unfold, PixelsOfChannelsAndBack) {
  Tensors x = {tensor_of({0, 1, 2, 3, 4, 5, 6, 7}, {4, 1, 2})};
  auto shuffle = [](const Tensors& x) { return pixel_shuffle(x[0], 2); };
  expect_elements(shuffle, x, f32, {0, 2, 1, 3, 4, 6, 5, 7});
  EXPECT_EQ(layout_of(result_of(shuffle, x)), "[1, 2, 4] [8, 4, 1]");
  auto both = [](const Tensors& x) { return pixel_unshuffle(pixel_shuffle(x[0], 2), 2); };
  expect_elements(both, x, f32, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(message_of([](const Tensors& x) { return pixel_shuffle(x[0], 3); }, x),
            "pixel_shuffle: 4 channels are no multiple of 9");
}

TEST(Unfold, ChannelsOfGroupsAreMixed) {
  Tensors x = {tensor_of({0, 1, 2, 3, 4, 5}, {1, 6, 1})};
  expect_elements([](const Tensors& x) { return channel_shuffle(x[0], 2); }, x, f32, {0, 3, 1, 4, 2, 5});
}

TEST(Unfold, WindowsBecomeColumnsAndTheirSum) {
  Tensors x = {tensor_of({1, 2, 3, 4}, {1, 2, 2})};
  auto columns = [](const Tensors& x) { return im2col(x[0], {2}, {1}, {1}, {2}); };
  expect_elements(columns, x, f32, {0, 0, 0, 4, 0, 0, 3, 0, 0, 2, 0, 0, 1, 0, 0, 0});
  auto sums = [](const Tensors& x) { return col2im(im2col(x[0], {2}, {1}, {1}, {1}), {2, 2}, {2}, {1}, {1}, {1}); };
  expect_elements(sums, x, f32, {4, 8, 12, 16});
}

}  // namespace
}  // namespace sinter::test
