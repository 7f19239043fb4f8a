// Diagonals and triangles: masks, views, embedding, what is filled in place.

#include <sinter/graph/ops/functions/view.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor nine() { return tensor_of({1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3}); }

TEST(Diagonal, TrianglesKeepWhatLiesOnOneSide) {
  expect_elements([](const Tensors& x) { return tril(x[0]); }, {nine()}, f32, {1, 0, 0, 4, 5, 0, 7, 8, 9});
  expect_elements([](const Tensors& x) { return triu(x[0], 1); }, {nine()}, f32, {0, 2, 3, 0, 0, 6, 0, 0, 0});
  expect_elements([](const Tensors& x) { return tril(x[0].slice(0, 0, 2).t(), -1); }, {nine()}, f32,
                  {0, 0, 2, 0, 3, 6});
  EXPECT_EQ(layout_of(tril(zeros({2, 3}).t())), "[3, 2] [2, 1]");
  // NaN outside of the triangle does not come through.
  expect_elements([](const Tensors& x) { return triu(x[0]); }, {tensor_of({1, 2, NAN, 4}, {2, 2})}, f32, {1, 2, 0, 4});
}

TEST(Diagonal, ViewsOfDiagonals) {
  Tensor x = nine();
  EXPECT_EQ(layout_of(diagonal(x)), "[3] [4]");
  EXPECT_EQ(layout_of(diagonal(zeros({2, 3, 4}), -1, 2, 0)), "[3, 2] [4, 13]");
  EXPECT_EQ(layout_of(diagonal(x, 5)), "[0] [4]");
  diagonal(x, 1).fill_(0);
  EXPECT_EQ(elements_of(x), (std::vector<double>{1, 0, 3, 4, 5, 0, 7, 8, 9}));
  expect_elements([](const Tensors& x) { return diagonal(exp(x[0] * 0.0), -1) + diag(x[0], -1); }, {nine()}, f32,
                  {5, 9});
}

TEST(Diagonal, EmbeddingPutsARowOnADiagonal) {
  Tensor x = tensor_of({1, 2}, {2});
  expect_elements([](const Tensors& x) { return diag(x[0], 1); }, {x}, f32, {0, 1, 0, 0, 0, 2, 0, 0, 0});
  expect_elements([](const Tensors& x) { return diag(x[0], -1); }, {x}, f32, {0, 0, 0, 1, 0, 0, 0, 2, 0});
  expect_elements([](const Tensors& x) { return diag_embed(x[0], 0, 0, 1); }, {tensor_of({1, 2, 3, 4}, {2, 2})}, f32,
                  {1, 3, 0, 0, 0, 0, 2, 4});
  expect_elements([](const Tensors& x) { return diagflat(x[0]); }, {tensor_of({1, 2}, {1, 2})}, f32, {1, 0, 0, 2});
}

TEST(Diagonal, FillDiagonalWrapsInTallMatrices) {
  Tensor x = zeros({5, 2}), y = zeros({5, 2});
  ops("aten::fill_diagonal_")(x, 1, true);
  EXPECT_EQ(elements_of(x), (std::vector<double>{1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
  ops("aten::fill_diagonal_")(y, 1);
  EXPECT_EQ(elements_of(y), (std::vector<double>{1, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(Diagonal, FromNothing) {
  expect_elements([](const Tensors&) { return eye(2, 3); }, {}, f32, {1, 0, 0, 0, 1, 0});
  expect_elements([](const Tensors&) { return tril_indices(2, 3); }, {}, i64, {0, 1, 1, 0, 0, 1});
  expect_elements([](const Tensors&) { return triu_indices(2, 3, 1); }, {}, i64, {0, 0, 1, 1, 2, 2});
  expect_elements([](const Tensors&) { return logspace(0, 3, 4); }, {}, f32, {1, 10, 100, 1000});
}

TEST(Diagonal, FusesWithWhatComesBeforeAndAfter) {
  Tensor x = randn({33, 33});
  auto masked = [](const Tensor& x) { return tril(exp(x)) + triu(x, 1) * 2.0 + eye(33) + diag_embed(x[0], 0); };
  EXPECT_EQ(kernel_count(masked, x), 1);
  eager_and_compiled(masked, x);
}

TEST(Diagonal, Errors) {
  EXPECT_EQ(message_of([](const Tensors& x) { return tril(x[0]); }, {tensor_of({1}, {1})}), "tril: a tensor of rank 1");
  EXPECT_EQ(message_of([](const Tensors& x) { return diagonal(x[0], 0, 1, -1); }, {nine()}),
            "diagonal: dim 1 is given twice");
}

}  // namespace
}  // namespace sinter::test
