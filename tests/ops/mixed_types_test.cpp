// Operands of several types where ATen does not simply promote them.

#include <sinter/graph/ops/functions/indexing.h>
#include <sinter/graph/ops/functions/loss.h>
#include <sinter/graph/ops/functions/normalization.h>
#include <sinter/graph/ops/functions/statistics.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor one_of(const char* op, const Values& arguments) { return ops(op).call(arguments)[0].tensor(); }

// What is written into a tensor of the input's, or the target's, type.
TEST(MixedTypes, LossesAreOfTheTensorThatTheyAreWrittenTo) {
  Tensors x = {tensor_of({1, -2, 0.5}, {3}, bf16), tensor_of({1, -1, 1}, {3}, f64), ones({3}, i32)};
  expect_elements([](const Tensors& x) { return soft_margin_loss(x[0], x[1], Reduction::none); }, x, bf16,
                  {0.3125, 0.126953125, 0.47265625});
  expect_elements([](const Tensors& x) { return huber_loss(x[0], x[1], Reduction::none); }, x, bf16, {0, 0.5, 0.125});
  EXPECT_EQ(name(binary_cross_entropy_with_logits(x[1], x[0]).dtype()), "bf16");
  EXPECT_EQ(name(binary_cross_entropy_with_logits(x[0], x[1]).dtype()), "f64");
  EXPECT_EQ(message_of([](const Tensors& x) { return huber_loss(x[2], x[0]); }, x),
            "huber_loss: `self` is i32, the losses can't be");
  EXPECT_EQ(message_of([](const Tensors& x) { return binary_cross_entropy_with_logits(x[0], x[2]); }, x),
            "binary_cross_entropy_with_logits: `target` is i32, the losses can't be");
}

TEST(MixedTypes, LossesAreOfTheSizesOfWhatTheyAreWrittenTo) {
  Tensors x = {ones({1}), ones({5}), ones({2, 5})};
  EXPECT_EQ(message_of([](const Tensors& x) { return soft_margin_loss(x[0], x[1]); }, x),
            "soft_margin_loss: the targets do not broadcast to the input's sizes [1]");
  EXPECT_EQ(message_of([](const Tensors& x) { return binary_cross_entropy_with_logits(x[1], x[0]); }, x),
            "binary_cross_entropy_with_logits: the losses have sizes [5], the target [1]");
  EXPECT_EQ(layout_of(result_of(
                [](const Tensors& x) {
                  return binary_cross_entropy_with_logits(x[2], x[2].t().contiguous().t(), {}, {}, Reduction::none);
                },
                x)),
            "[2, 5] [1, 2]");
}

TEST(MixedTypes, ParametersOfNormsAreOfTheInputsTypeOrF32BesideHalves) {
  Tensors x = {randn({2, 4, 3}), ones({4}, f64), ones({4}), randn({2, 4, 3}).to(bf16), ones({4}, bf16), ones({3}, f64)};
  EXPECT_EQ(message_of([](const Tensors& x) { return group_norm(x[0], 2, x[1]); }, x),
            "group_norm: weight is f64, the input f32");
  EXPECT_EQ(message_of([](const Tensors& x) { return group_norm(x[3], 2, x[2], x[4]); }, x),
            "group_norm: bias is bf16, the input bf16");
  EXPECT_EQ(message_of([](const Tensors& x) { return layer_norm(x[0], {3}, x[5]); }, x),
            "layer_norm: weight is f64, the input f32");
  EXPECT_EQ(message_of([](const Tensors& x) { return batch_norm(x[0], x[2], x[1], {}, {}, true); }, x),
            "batch_norm: bias is f64, the input f32");
  EXPECT_EQ(name(group_norm(x[3], 2, x[2], x[2]).dtype()), "bf16");
}

TEST(MixedTypes, DerivativesAndDistances) {
  Tensors x = {ones({3, 3}, bf16), arange(3).to(bf16), arange(3).to(f32), ones({1, 2}, f16), ones({1, 2}, i16)};
  Values derivatives =
      ops("aten::gradient.tensorarray").call({x[0]}, {{"spacing", Values{x[1], x[2]}}, {"dim", Dims{0, 1}}});
  EXPECT_EQ(name(derivatives[0].tensor().dtype()), "bf16");
  EXPECT_EQ(name(derivatives[1].tensor().dtype()), "f32");
  expect_elements(
      [](const Tensors& x) {
        return one_of("aten::triplet_margin_loss", {x[3], x[4], x[4] * 3, 1.0, 2.0, 1e-6, true});
      },
      x, f32, {0});
  EXPECT_EQ(message_of([](const Tensors& x) { return one_of("aten::addcdiv", {x[3], x[4], x[4]}); }, x),
            "addcdiv: is not implemented for f16");
}

TEST(MixedTypes, Indices) {
  Tensors x = {tensor_of({1, 2}, {2}), tensor_of({1, 3}, {2}, i8), zeros({2}, i32), zeros({}), zeros({1}, i64)};
  EXPECT_EQ(elements_of(one_of("aten::repeat_interleave.self_Tensor", {x[0], x[1], 0})),
            (std::vector<double>{1, 2, 2, 2}));
  EXPECT_EQ(message_of([](const Tensors& x) { return one_of("aten::index_fill.int_Scalar", {x[0], 0, x[2], 1}); }, x),
            "index_fill: `index` is i32");
  EXPECT_EQ(message_of([](const Tensors& x) { return one_of("aten::index_add", {ones({1}), 0, x[4], x[3]}); }, x),
            "index_add: source has sizes [], self [1], and there are 1 indices into dim 0");
}

TEST(MixedTypes, AZeroDimTensorHasNoSlices) {
  for (const char* op : {"aten::unique_dim", "aten::unique_dim_consecutive"})
    EXPECT_EQ(message_of([&](const Tensors& x) { return one_of(op, {x[0], 0}); }, {zeros({})}),
              std::string(op).substr(6) + ": a zero-dim tensor has no slices");
}

// Nothing has no spread, and its integral is of its own type.
TEST(MixedTypes, OfNothing) {
  Tensors x = {zeros({0}), zeros({2, 0}, i32), zeros({})};
  Tensor spread = result_of(
      [](const Tensors& x) { return ops("aten::var.correction").call({x[0]}, {{"correction", -1}})[0].tensor(); }, x);
  EXPECT_TRUE(std::isnan(spread.item<float>()));
  expect_elements([](const Tensors& x) { return trapezoid(x[1]); }, x, i32, {0, 0});
  EXPECT_EQ(message_of([](const Tensors& x) { return trapezoid(x[2]); }, x),
            "trapezoid: a zero-dim tensor has no samples");
}

}  // namespace
}  // namespace sinter::test
