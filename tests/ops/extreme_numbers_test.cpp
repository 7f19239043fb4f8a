// Numbers at the ends of their range: an error that names them, or what the op means by them.

#include <cstdint>
#include <limits>

#include <sinter/graph/ops/functions/convolution.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr int64_t greatest = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
constexpr int64_t many = int64_t{1} << 62, most_steps = std::numeric_limits<int32_t>::max();

std::string message(const char* op, const Values& arguments) {
  return message_of([&](const Tensors&) { return ops(op).call(arguments)[0].tensor(); });
}

TEST(ExtremeNumbers, NoSizeIsNegative) {
  Tensor grad = ones({2, 5}), indices = zeros({2}, i64), mask = ones({2, 5}, boolean);
  EXPECT_EQ(message("aten::embedding_dense_backward", {grad, indices, -1, -1, false}),
            "embedding_dense_backward: a result of sizes [-1, 5]");
  EXPECT_EQ(message("aten::masked_scatter_backward", {grad, mask, Dims{-1, 5}}),
            "masked_scatter_backward: a result of sizes [-1, 5]");
  EXPECT_EQ(message("aten::diagflat", {ones({2}), greatest}),
            "diagflat: a diagonal 9223372036854775807 off the middle one");
  EXPECT_EQ(message("aten::diag_embed", {ones({2}), least}),
            "diag_embed: a diagonal -9223372036854775808 off the middle one");
}

TEST(ExtremeNumbers, FactorsWhoseSquaresAreNoNumbers) {
  EXPECT_EQ(message("aten::pixel_shuffle", {zeros({1, 1, 0, 1}), many}),
            "pixel_shuffle: upscale_factor is 4611686018427387904");
  EXPECT_EQ(message("aten::mvlgamma", {ones({2}), many}), "mvlgamma: p is 4611686018427387904");
  EXPECT_EQ(message("aten::mvlgamma_", {ones({2}), greatest}), "mvlgamma_: p is 9223372036854775807");
  EXPECT_EQ(message("aten::tensor_split.sections", {ones({4}), many, 0}), "tensor_split: 4611686018427387904 sections");
}

TEST(ExtremeNumbers, StepsOfWindows) {
  Tensor image = ones({1, 1, 4, 4}), volume = ones({1, 1, 4, 4, 4});
  EXPECT_EQ(message("aten::max_pool3d_with_indices", {volume, Dims{3}, Dims{}, Dims{0, greatest, 0}, Dims{1}, true}),
            "max_pool3d_with_indices: padding has 9223372036854775807");
  EXPECT_EQ(message("aten::fractional_max_pool2d", {image, Dims{greatest, 2}, Dims{2}, ones({1, 1, 2})}),
            "fractional_max_pool2d: kernel_size has 9223372036854775807");
  EXPECT_EQ(message("aten::conv2d.padding", {image, ones({1, 1, 2, 2}), Value(), Dims{1}, "same", Dims{many, 1}}),
            "conv2d: dilation has 4611686018427387904");
}

// One window takes no step, and a kernel of one element no other.
TEST(ExtremeNumbers, StepsThatAreNotMade) {
  Tensors x = {tensor_of({1, 2, 3, 4}, {1, 1, 4}), ones({1, 1, 3}), full({1, 1, 1}, 2.0)};
  expect_elements([](const Tensors& x) { return conv1d(x[0], x[1], {}, Dims{most_steps}); }, x, f32, {6});
  expect_elements([](const Tensors& x) { return conv1d(x[0], x[2], {}, Dims{1}, Dims{0}, Dims{most_steps}); }, x, f32,
                  {2, 4, 6, 8});
}

TEST(ExtremeNumbers, PlacesAreCountedWithoutWalkingThroughRows) {
  int64_t rows = int64_t{1} << 40;
  expect_elements([=](const Tensors&) { return triu_indices(rows, 2); }, {}, i64, {0, 0, 1, 0, 1, 1});
  expect_elements([](const Tensors&) { return triu_indices(greatest, 0); }, {}, i64, {});
  expect_elements([](const Tensors&) { return tril_indices(2, 2, greatest); }, {}, i64, {0, 0, 1, 1, 0, 1, 0, 1});
  expect_elements([](const Tensors&) { return triu_indices(2, 2, least); }, {}, i64, {0, 0, 1, 1, 0, 1, 0, 1});
  expect_elements([=](const Tensors&) { return tril_indices(rows, 2, 2 - rows); }, {}, i64,
                  {double(rows - 2), double(rows - 1), double(rows - 1), 0, 0, 1});
  EXPECT_EQ(message("aten::tril_indices", {many, 21, 7}),
            "tril_indices: a matrix of 4611686018427387904 by 21 has too many places");
}

TEST(ExtremeNumbers, CombinationsAreCountedFromTheShorterSide) {
  Tensors x = {tensor_of({1, 2}, {2})};
  Tensor none = result_of([](const Tensors& x) { return combinations(x[0], many); }, x);
  EXPECT_EQ(to_string(none.sizes()), "[0, 4611686018427387904]");
  expect_elements([](const Tensors& x) { return combinations(x[0], 3, true); }, x, f32,
                  {1, 1, 1, 1, 1, 2, 1, 2, 2, 2, 2, 2});
  EXPECT_EQ(message("aten::combinations", {ones({64}), 32}),
            "combinations: a result of sizes "
            "[1832624140942590534, 32] in f32 reaches past 2^63 bytes");
  EXPECT_EQ(message("aten::combinations", {ones({128}), 64}),
            "combinations: too many combinations of 64 of 128 elements");
}

TEST(ExtremeNumbers, FactorsFitIntoTheType) {
  Tensor x = ones({2}, i8), m = ones({2, 2}, i8);
  auto with = [](const char* op, const Values& arguments, const char* parameter, Scalar number) {
    return message_of([&](const Tensors&) { return ops(op).call(arguments, {{parameter, number}})[0].tensor(); });
  };
  EXPECT_EQ(with("aten::add.Tensor", {x, x}, "alpha", 300), "add: the number 300 does not fit into i8");
  EXPECT_EQ(with("aten::sub_.Tensor", {x.clone(), x}, "alpha", -300), "sub_: the number -300 does not fit into i8");
  EXPECT_EQ(with("aten::addcmul", {x, x, x}, "value", 128), "addcmul: the number 128 does not fit into i8");
  EXPECT_EQ(with("aten::addmm", {m, m, m}, "beta", 128), "addmm: the number 128 does not fit into i8");
  expect_elements([](const Tensors& x) { return add(x[0].to(u8), x[0].to(u8), -1); }, {x}, u8, {0, 0});
}

}  // namespace
}  // namespace sinter::test
