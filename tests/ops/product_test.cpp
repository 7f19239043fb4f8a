// Products of vectors, batches and chains, contractions, distances: values, types, errors, roundings.

#include <sinter/graph/ops/functions/linear_algebra.h>

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

const Tensors two_matrices = {tensor_of({1, 2, 3, 4}, {2, 2}), tensor_of({5, 6, 7, 8}, {2, 2})};

TEST(Product, OfVectors) {
  for (DType dtype : {u8, i16, i64, f16, bf16, f32, f64}) {
    Tensors x = {tensor_of({1, 2, 3}, {3}, dtype), tensor_of({4, 5, 6}, {3}, dtype),
                 tensor_of({1, 0, 0, 0, 1, 1}, {2, 3}, dtype)};
    expect_elements([](const Tensors& x) { return dot(x[0], x[1]); }, x, dtype, {32});
    expect_elements([](const Tensors& x) { return vdot(x[0], x[1]); }, x, dtype, {32});
    expect_elements([](const Tensors& x) { return inner(x[0], x[1]); }, x, dtype, {32});
    expect_elements([](const Tensors& x) { return mv(x[2], x[0]); }, x, dtype, {1, 5});
    expect_elements([](const Tensors& x) { return outer(x[0], x[2].select(0, 1)); }, x, dtype,
                    {0, 1, 1, 0, 2, 2, 0, 3, 3});
    expect_elements([](const Tensors& x) { return linalg_cross(x[0], x[1]); },
                    {x[0], tensor_of({3, 7, 11}, {3}, dtype)}, dtype,
                    dtype == u8 ? std::vector<double>{1, 254, 1} : std::vector<double>{1, -2, 1});
  }
}

TEST(Product, SumsScaleBothParts) {
  Tensors x = {tensor_of({1}, {1}), tensor_of({1, 2, 3, 4, 1, 0, 0, 1}, {2, 2, 2}), tensor_of({1, 1}, {2}),
               tensor_of({std::nan("")}, {1})};
  expect_elements([](const Tensors& x) { return baddbmm(x[0], x[1], x[1]); }, x, f32, {8, 11, 16, 23, 2, 1, 1, 2});
  expect_elements([](const Tensors& x) { return addbmm(x[0], x[1], x[1], 10, 2); }, x, f32, {26, 30, 40, 56});
  expect_elements([](const Tensors& x) { return addmv(x[0], x[1].select(0, 0), x[2], 2, 3); }, x, f32, {11, 23});
  expect_elements([](const Tensors& x) { return addr(x[0], x[2], x[2], 2, 3); }, x, f32, {5, 5, 5, 5});
  expect_elements([](const Tensors& x) { return addmv(x[3], x[1].select(0, 0), x[2], 0); }, x, f32, {3, 7});
}

// 256 + 1 is no bf16, 257 + 1 is: a product that was rounded before the sum would lose both.
TEST(Product, SumsInHalvesAreRoundedOnce) {
  Tensors x = {tensor_of({1}, {1}, bf16), tensor_of({16, 1}, {1, 2}, bf16), tensor_of({16, 1}, {2, 1}, bf16)};
  expect_elements([](const Tensors& x) { return addmm(x[0], x[1], x[2]); }, x, bf16, {258});
  expect_elements([](const Tensors& x) { return linear(x[1], x[2].t(), x[0]); }, x, bf16, {258});
  expect_elements([](const Tensors& x) { return addmv(x[0], x[1], x[2].squeeze(1)); }, x, bf16, {258});
  auto batched = [](const Tensors& x) { return baddbmm(x[0], x[1].unsqueeze(0), x[2].unsqueeze(0)); };
  expect_elements(batched, x, bf16, {258});
}

TEST(Product, ChainsAndPowers) {
  Tensors x = two_matrices;
  expect_elements([](const Tensors& x) { return linalg_multi_dot({x[0], x[1], x[0]}); }, x, f32, {85, 126, 193, 286});
  expect_elements([](const Tensors& x) { return linalg_multi_dot({x[0].select(0, 0), x[1], x[0].select(0, 1)}); }, x,
                  f32, {145});
  expect_elements([](const Tensors& x) { return linalg_matrix_power(x[0], 3); }, x, f32, {37, 54, 81, 118});
  expect_elements([](const Tensors& x) { return linalg_matrix_power(x[0], 0); }, x, f32, {1, 0, 0, 1});
  expect_elements([](const Tensors& x) { return kron(x[0], x[1].select(0, 0)); }, x, f32,
                  {5, 6, 10, 12, 15, 18, 20, 24});
}

TEST(Einsum, NamesDims) {
  Tensors x = two_matrices;
  expect_elements([](const Tensors& x) { return einsum("ij,jk->ik", {x[0], x[1]}); }, x, f32, {19, 22, 43, 50});
  expect_elements([](const Tensors& x) { return einsum("ij,jk", {x[0], x[1]}); }, x, f32, {19, 22, 43, 50});
  expect_elements([](const Tensors& x) { return einsum("ii->i", {x[0]}); }, x, f32, {1, 4});
  EXPECT_EQ(layout_of(einsum("ij,jk->ki", {ones({2, 3}), ones({3, 4})})), "[4, 2] [2, 1]");
  EXPECT_EQ(layout_of(einsum("i,j->ji", {ones({3}), ones({4})})), "[4, 3] [3, 1]");
  EXPECT_EQ(layout_of(einsum("jil,lk->ijk", {ones({2, 3, 4}), ones({4, 5})})), "[3, 2, 5] [10, 5, 1]");
  Tensor nothing = result_of([](const Tensors& x) { return einsum("ij,kj->ik", {x[0], x[1].slice(0, 0, 0)}); }, x);
  EXPECT_EQ(to_string(nothing.sizes()), "[2, 0]");
  expect_elements([](const Tensors& x) { return einsum("ij,jk->ik", {x[0].slice(1, 0, 0), x[1].slice(0, 0, 0)}); }, x,
                  f32, {0, 0, 0, 0});
  expect_elements([](const Tensors& x) { return einsum("ii", {x[0]}); }, x, f32, {5});
  expect_elements([](const Tensors& x) { return einsum("...j->...", {x[0]}); }, x, f32, {3, 7});
  expect_elements([](const Tensors& x) { return einsum("ij,kl->", {x[0], x[1]}); }, x, f32, {260});
  expect_elements([](const Tensors& x) { return einsum("ij,ij,ij->j", {x[0], x[1], x[0]}); }, x, f32, {68, 152});
  expect_elements([](const Tensors& x) { return einsum("ij,jk,kl->il", {x[0], x[1], x[0]}, Dims{1, 2, 0, 1}); }, x, f32,
                  {85, 126, 193, 286});
}

TEST(Einsum, OfOneOperandMayBeAView) {
  Tensor x = tensor_of({1, 2, 3, 4, 5, 6}, {2, 3});
  Tensor transposed = einsum("ij->ji", {x});
  EXPECT_EQ(layout_of(transposed), "[3, 2] [1, 3]");
  EXPECT_EQ(transposed.data_ptr(), x.data_ptr());
}

TEST(Einsum, Errors) {
  Tensors x = two_matrices;
  EXPECT_EQ(message_of([](const Tensors& x) { return einsum("ij,jk->il", {x[0], x[1]}); }, x),
            "einsum: subscript l of the output is in no operand");
  EXPECT_EQ(message_of([](const Tensors& x) { return einsum("ij", {x[0], x[1]}); }, x),
            "einsum: \"ij\" has 1 operands, 2 are given");
  EXPECT_EQ(message_of([](const Tensors& x) { return einsum("i!->i", {x[0]}); }, x),
            "einsum: '!' in subscripts \"i!\"");
  EXPECT_EQ(
      message_of([](const Tensors& x) { return einsum("ij,jk->ik", {x[0], x[1].slice(0, 0, 1).expand({3, 2})}); }, x),
      "einsum: subscript j has sizes 2 and 3");
}

TEST(Tensordot, SumsPairsOfDims) {
  Tensors x = two_matrices;
  expect_elements([](const Tensors& x) { return tensordot(x[0], x[1], {1}, {0}); }, x, f32, {19, 22, 43, 50});
  expect_elements([](const Tensors& x) { return tensordot(x[0], x[1], {0, 1}, {1, 0}); }, x, f32, {69});
  Tensors y = {tensor_of({1, 2}, {1, 2}), tensor_of({3, 4}, {1, 2}), tensor_of({1, 0, 0, 1, 1, 1, 0, 0}, {2, 2, 2}),
               tensor_of({10, 20}, {2})};
  expect_elements([](const Tensors& x) { return bilinear(x[0], x[1], x[2], x[3]); }, y, f32, {21, 27});
}

TEST(Distance, OfAllRows) {
  Tensors x = {tensor_of({0, 0, 3, 4}, {2, 2}), tensor_of({0, 0, 6, 8}, {2, 2})};
  for (int64_t mode : {0, 1, 2})
    expect_elements([mode](const Tensors& x) { return cdist(x[0], x[1], 2, mode); }, x, f32, {0, 10, 5, 5});
  expect_elements([](const Tensors& x) { return cdist(x[0], x[1], 1); }, x, f32, {0, 14, 7, 7});
  expect_elements([](const Tensors& x) { return cdist(x[0], x[1], INFINITY); }, x, f32, {0, 8, 4, 4});
  expect_elements([](const Tensors& x) { return cdist(x[0], x[1], 0); }, x, f32, {0, 2, 2, 2});
  expect_elements([](const Tensors& x) { return pdist(x[0]); }, x, f32, {5});
  EXPECT_EQ(message_of([](const Tensors& x) { return cdist(x[0], x[1], -1); }, x), "cdist: p is -1");
}

TEST(Covariance, WeighsObservations) {
  Tensors x = {tensor_of({1, 2, 3, 6, 4, 2}, {2, 3}), tensor_of({1, 2, 1}, {3}, i64), tensor_of({1, -1, 1}, {3}, i64)};
  expect_elements([](const Tensors& x) { return cov(x[0]); }, x, f32, {1, -2, -2, 4});
  expect_elements([](const Tensors& x) { return cov(x[0], 0, x[1]); }, x, f32, {0.5, -1, -1, 2});
  expect_elements([](const Tensors& x) { return corrcoef(x[0]); }, x, f32, {1, -1, -1, 1});
  EXPECT_THROW(cov(x[0], 1, x[2]), Error);
}

}  // namespace
}  // namespace sinter::test
