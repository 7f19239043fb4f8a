// Losses that compare element with element, margins and distances.

#include <cmath>
#include <limits>

#include <sinter/graph/ops/functions/loss.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

const double nan = std::nan("");
constexpr double infinity = std::numeric_limits<double>::infinity();

Tensors pair() { return {tensor_of({1, 2, 4, -3}, {4}), tensor_of({1, 4, 1, -3.5}, {4})}; }

TEST(Loss, EachReduction) {
  auto each = [](const Tensors& x) { return mse_loss(x[0], x[1], Reduction::none); };
  expect_elements(each, pair(), f32, {0, 4, 9, 0.25});
  expect_elements([](const Tensors& x) { return mse_loss(x[0], x[1]) * 4; }, pair(), f32, {13.25});
  expect_elements([](const Tensors& x) { return mse_loss(x[0], x[1], Reduction::sum); }, pair(), f32, {13.25});
  expect_elements([](const Tensors& x) { return l1_loss(x[0], x[1], Reduction::none); }, pair(), f32, {0, 2, 3, 0.5});
  expect_elements([](const Tensors& x) { return smooth_l1_loss(x[0], x[1], Reduction::none, 2); }, pair(), f32,
                  {0, 1, 2, 0.0625});
  expect_elements([](const Tensors& x) { return huber_loss(x[0], x[1], Reduction::none, 2); }, pair(), f32,
                  {0, 2, 4, 0.125});
  EXPECT_EQ(message_of([](const Tensors& x) { return huber_loss(x[0], x[1], Reduction::mean, 0); }, pair()),
            "huber_loss: delta is 0");
  EXPECT_EQ(message_of([](const Tensors& x) { return ops("aten::mse_loss")(x[0], x[1], 3)[0].tensor(); }, pair()),
            "mse_loss: there is no reduction 3");
}

TEST(Loss, HalfTypesAreRoundedOnce) {
  // 300 squares of 1: a sum in bf16 would stop at 256.
  Tensors x = {ones({300}, bf16), zeros({300}, bf16)};
  expect_elements([](const Tensors& x) { return mse_loss(x[0], x[1]); }, x, bf16, {1});
  expect_elements([](const Tensors& x) { return mse_loss(x[0], x[1], Reduction::sum); }, x, bf16, {300});
}

TEST(Loss, OfNothing) {
  Tensors x = {zeros({0, 3}), zeros({0, 3})};
  expect_elements([](const Tensors& x) { return mse_loss(x[0], x[1]); }, x, f32, {nan});
  expect_elements([](const Tensors& x) { return l1_loss(x[0], x[1], Reduction::sum); }, x, f32, {0});
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return huber_loss(x[0], x[1], Reduction::none); }, x)),
            "[0, 3] [3, 1]");
}

TEST(Loss, CrossEntropyOfBinaryProbabilitiesIsBounded) {
  Tensors x = {tensor_of({0, 1, 0.5, 1}, {4}, f64), tensor_of({1, 1, 0, 0}, {4}, f64)};
  Tensor losses = result_of([](const Tensors& x) { return binary_cross_entropy(x[0], x[1], {}, Reduction::none); }, x);
  std::vector<double> want = {100, 0, std::log(2.0), 100};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(elements_of(losses)[i], want[i], 1e-14);
  Tensors far = {tensor_of({1000, -1000}, {2}, f64), tensor_of({0, 1}, {2}, f64)};
  expect_elements(
      [](const Tensors& x) { return binary_cross_entropy_with_logits(x[0], x[1], {}, {}, Reduction::none); }, far, f64,
      {1000, 1000});
}

TEST(Loss, CrossEntropyOfBinaryProbabilitiesChecksThem) {
  for (double bad : {1.5, -0.25, nan}) {
    Tensors x = {tensor_of({0.5, bad}, {2}), tensor_of({1, 0}, {2})};
    EXPECT_EQ(message_of([](const Tensors& x) { return binary_cross_entropy(x[0], x[1]); }, x),
              fmt::format("binary_cross_entropy: the input {} is not in [0, 1]", to_string(Scalar(bad))));
  }
}

TEST(Loss, DivergenceOfZeroProbabilityIsZero) {
  Tensors x = {tensor_of({-1, -2}, {2}), tensor_of({0, 1}, {2})};
  expect_elements([](const Tensors& x) { return kl_div(x[0], x[1], Reduction::none); }, x, f32, {0, 2});
}

TEST(Loss, Margins) {
  Tensors x = {tensor_of({0.5, 2, -1}, {3}), tensor_of({1, 1, 1}, {3}), tensor_of({1, -1, -1}, {3})};
  expect_elements([](const Tensors& x) { return hinge_embedding_loss(x[0], x[2], 1, Reduction::none); }, x, f32,
                  {0.5, 0, 2});
  expect_elements([](const Tensors& x) { return margin_ranking_loss(x[0], x[1], x[2], 0, Reduction::none); }, x, f32,
                  {0.5, 1, 0});
  Tensors rows = {tensor_of({1, 0, 0, 2}, {2, 2}), tensor_of({3, 0, 5, 0}, {2, 2}), tensor_of({1, -1}, {2})};
  expect_elements([](const Tensors& x) { return cosine_embedding_loss(x[0], x[1], x[2], -0.5, Reduction::none); }, rows,
                  f32, {0, 0.5});
}

TEST(Loss, MarginsBetweenClasses) {
  Tensors x = {tensor_of({0.5, 1, 0, 0, 0, 2}, {2, 3}), tensor_of({0, 2}, {2}, i64), tensor_of({0, 3}, {2}, i64),
               tensor_of({0, -1, 1, 2, 1, -1}, {2, 3}, i64)};
  auto each = [](const Tensors& x) { return multi_margin_loss(x[0], x[1], 1, 1, {}, Reduction::none) * 3; };
  expect_elements(each, x, f32, {2, 0});
  EXPECT_EQ(message_of([](const Tensors& x) { return multi_margin_loss(x[0], x[2]); }, x),
            "multi_margin_loss: the target 3 is out of range for 3 classes");
  // Row 0: class 0 against 1 and 2; row 1: classes 2 and 1 against 0.
  auto lists = [](const Tensors& x) { return multilabel_margin_loss(x[0], x[3], Reduction::none) * 3; };
  expect_elements(lists, x, f32, {2, 1});
  EXPECT_EQ(message_of([](const Tensors& x) { return multilabel_margin_loss(x[0], x[3] + 2); }, x),
            "multilabel_margin_loss_forward: the target 4 is out of range for 3 classes");
}

TEST(Loss, Distances) {
  Tensors x = {tensor_of({3, 4, 0, 0}, {2, 2}), tensor_of({0, 0, 0, 0}, {2, 2})};
  struct Case {
    double p;
    std::vector<double> want;
  };
  for (const Case& c :
       {Case{2, {5, 0}}, Case{1, {7, 0}}, Case{0, {2, 0}}, Case{infinity, {4, 0}}, Case{-infinity, {3, 0}}})
    expect_elements([p = c.p](const Tensors& x) { return pairwise_distance(x[0], x[1], p, 0); }, x, f32, c.want);
  Tensors huge = {tensor_of({1e30, 0}, {1, 2}), tensor_of({1e30, 0}, {1, 2})};
  expect_elements([](const Tensors& x) { return cosine_similarity(x[0] * 1e-15, x[1] * 1e-15); }, huge, f32, {1});
  Tensors triplet = {tensor_of({0, 0}, {1, 2}), tensor_of({3, 4}, {1, 2}), tensor_of({0, 2}, {1, 2})};
  expect_elements([](const Tensors& x) { return triplet_margin_loss(x[0], x[1], x[2], 1, 2, 0); }, triplet, f32, {4});
}

TEST(Loss, ElementsLieAsTheScoresDo) {
  Tensors x = {zeros({2, 3}).t(), zeros({3, 2})};
  auto layout = [&](auto loss) { return layout_of(result_of(loss, x)); };
  EXPECT_EQ(layout([](const Tensors& x) { return soft_margin_loss(x[0], x[1], Reduction::none); }), "[3, 2] [1, 3]");
  EXPECT_EQ(layout([](const Tensors& x) { return mse_loss(x[0], x[1], Reduction::none); }), "[3, 2] [1, 3]");
  EXPECT_EQ(layout([](const Tensors& x) { return l1_loss(x[0], x[1], Reduction::none); }), "[3, 2] [1, 3]");
}

TEST(Loss, IsOneKernel) {
  Tensor x = zeros({64, 100}), y = zeros({64, 100});
  EXPECT_EQ(kernel_count([](const Tensor& x, const Tensor& y) { return mse_loss(relu(x), y); }, x, y), 1);
  EXPECT_EQ(kernel_count([](const Tensor& x, const Tensor& y) { return binary_cross_entropy_with_logits(x, y); }, x, y),
            1);
}

}  // namespace
}  // namespace sinter::test
