// Systems of equations, factors and spectra: known answers, products of factors, layouts, and data that has no answer.

#include <sinter/graph/ops/functions/linear_algebra.h>

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

const Tensors matrix = {tensor_of({4, 2, 7, 6}, {2, 2}, f64)};

void expect_near(const Tensor& got, const std::vector<double>& wanted) {
  Tensor flat = contiguous(got).reshape({got.numel()}).to(f64);
  ASSERT_EQ(flat.numel().constant(), static_cast<int64_t>(wanted.size()));
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(flat[static_cast<int64_t>(i)].item<double>(), wanted[i], 1e-12) << i;
}

template <class F>
void expect_near(F function, const Tensors& inputs, const std::vector<double>& wanted) {
  expect_near(result_of(function, inputs), wanted);
}

TEST(LinearSystem, InverseDeterminantAndSolution) {
  expect_near([](const Tensors& x) { return linalg_inv(x[0]); }, matrix, {0.6, -0.2, -0.7, 0.4});
  expect_near([](const Tensors& x) { return linalg_det(x[0]); }, matrix, {10});
  expect_near([](const Tensors& x) { return logdet(x[0]); }, matrix, {std::log(10)});
  expect_near([](const Tensors& x) { return std::get<0>(linalg_slogdet(x[0].t() * -1.0)); }, matrix, {1});
  Tensors x = {matrix[0], tensor_of({8, 20}, {2}, f64), tensor_of({1, 0, 0, 1, 2, 2}, {3, 2}, f64)};
  expect_near([](const Tensors& x) { return linalg_solve(x[0], x[1]); }, x, {0.8, 2.4});
  expect_near([](const Tensors& x) { return linalg_solve(x[0], x[2].t()); }, x, {0.6, -0.2, 0.8, -0.7, 0.4, -0.6});
  expect_near([](const Tensors& x) { return linalg_solve(x[0], x[2], false); }, x, {0.6, -0.2, -0.7, 0.4, -0.2, 0.4});
  expect_near([](const Tensors& x) { return linalg_solve_triangular(x[0], x[1].unsqueeze(1), false); }, x, {2, 1});
}

TEST(LinearSystem, ResultsAreColumnMajor) {
  Tensors x = {tensor_of({2, 0, 0, 0, 2, 0, 0, 0, 2}, {3, 3}), tensor_of({1, 2, 3, 4, 5, 6}, {3, 2})};
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return linalg_inv(x[0]); }, x)), "[3, 3] [1, 3]");
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return linalg_solve(x[0], x[1]); }, x)), "[3, 2] [1, 3]");
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return linalg_cholesky(x[0]); }, x)), "[3, 3] [1, 3]");
}

TEST(LinearSystem, SingularMatricesAreNamed) {
  Tensors x = {tensor_of({1, 0, 0, 1, 1, 2, 2, 4}, {2, 2, 2}), tensor_of({1, 1, 1, 1}, {2, 2})};
  EXPECT_EQ(message_of([](const Tensors& x) { return linalg_inv(x[0]); }, x),
            "linalg_inv: matrix 1 of the batch is singular: pivot 2 is zero");
  EXPECT_EQ(message_of([](const Tensors& x) { return linalg_inv(x[1]); }, x),
            "linalg_inv: the matrix is singular: pivot 2 is zero");
  EXPECT_EQ(message_of([](const Tensors& x) { return linalg_solve(x[0], x[1]); }, x),
            "linalg_solve: matrix 1 of the batch is singular: pivot 2 is zero");
  EXPECT_EQ(message_of([](const Tensors& x) { return linalg_cholesky(x[1] * -1.0); }, x),
            "linalg_cholesky: the matrix is not positive definite: the leading minor of order 1 is not");
  expect_elements([](const Tensors& x) { return abs(linalg_det(x[0])); }, x, f32, {1, 0});
}

TEST(LinearSystem, ArgumentErrors) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}), tensor_of({1, 2, 3, 4}, {2, 2}, i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return linalg_inv(x[0]); }, x), "linalg_inv: matrices of 2 by 3");
  EXPECT_NE(message_of([](const Tensors& x) { return linalg_inv(x[1]); }, x), "no error");
}

TEST(Factors, MultiplyToTheMatrix) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5, 6, 7, 8, 10, 2, 0, 1}, {4, 3}, f64)};
  std::vector<double> wanted = {1, 2, 3, 4, 5, 6, 7, 8, 10, 2, 0, 1};
  auto lu = [](const Tensors& x) {
    auto [p, l, u] = linalg_lu(x[0]);
    return linalg_multi_dot({p, l, u});
  };
  auto qr = [](const Tensors& x) {
    auto [q, r] = linalg_qr(x[0]);
    return mm(q, r);
  };
  auto complete = [](const Tensors& x) {
    auto [q, r] = linalg_qr(x[0], "complete");
    return mm(q, r);
  };
  auto svd = [](const Tensors& x) {
    auto [u, s, vh] = linalg_svd(x[0], false);
    return mm(u * s, vh);
  };
  expect_near(lu, x, wanted);
  expect_near(qr, x, wanted);
  expect_near(complete, x, wanted);
  expect_near(svd, x, wanted);
  auto cholesky = [](const Tensors& x) {
    Tensor l = linalg_cholesky(x[0]);
    return mm(l, l.t());
  };
  expect_near(cholesky, {tensor_of({4, 2, 2, 3}, {2, 2}, f64)}, {4, 2, 2, 3});
}

TEST(Spectrum, ValuesOfSymmetricMatrices) {
  Tensors x = {tensor_of({2, 1, 1, 2}, {2, 2}, f64)};
  expect_near([](const Tensors& x) { return linalg_eigvalsh(x[0]); }, x, {1, 3});
  expect_near([](const Tensors& x) { return linalg_svdvals(x[0]); }, x, {3, 1});
  expect_near([](const Tensors& x) { return linalg_cond(x[0]); }, x, {3});
  expect_near([](const Tensors& x) { return linalg_matrix_norm(x[0], 2); }, x, {3});
  expect_near([](const Tensors& x) { return linalg_matrix_norm(x[0], "nuc"); }, x, {4});
  double c = (std::exp(3) + std::exp(1)) / 2, s = (std::exp(3) - std::exp(1)) / 2;
  Tensor exponential = result_of([](const Tensors& x) { return linalg_matrix_exp(x[0]); }, x);
  expect_near(exponential * (1 / c), {1, s / c, s / c, 1});
}

TEST(Spectrum, RankAndPseudoInverse) {
  Tensors x = {tensor_of({1, 2, 2, 4}, {2, 2}, f64)};
  expect_elements([](const Tensors& x) { return linalg_matrix_rank(x[0]); }, x, i64, {1});
  expect_near([](const Tensors& x) { return linalg_pinv(x[0]); }, x, {0.04, 0.08, 0.08, 0.16});
  EXPECT_EQ(message_of([](const Tensors& x) { return linalg_svdvals(x[0] * std::nan("")); }, x),
            "_linalg_svd: matrix 0 of the batch: its spectrum did not converge");
}

TEST(LeastSquares, FitsALine) {
  Tensors x = {tensor_of({1, 0, 1, 1, 1, 2}, {3, 2}, f64), tensor_of({1, 2, 4}, {3, 1}, f64)};
  for (const char* driver : {"gels", "gelsy", "gelsd", "gelss"}) {
    auto line = [driver](const Tensors& x) { return std::get<0>(linalg_lstsq(x[0], x[1], {}, driver)); };
    expect_near(line, x, {5.0 / 6, 1.5});
  }
  expect_near([](const Tensors& x) { return std::get<1>(linalg_lstsq(x[0], x[1], {}, "gels")); }, x, {1.0 / 6});
}

// LAPACK would write wherever a pivot points.
TEST(LinearSystem, PivotsAreChecked) {
  auto solve = [](const Tensors& x) { return ops("aten::linalg_lu_solve")(x[0], x[1], x[2])[0].tensor(); };
  Tensor factors = tensor_of({2, 0, 0, 4}, {2, 2}), right = tensor_of({2, 4}, {2, 1});
  expect_elements(solve, {factors, tensor_of({1, 2}, {2}, i32), right}, f32, {1, 1});
  expect_elements(solve, {factors, tensor_of({2, 2}, {2}, i32), right}, f32, {2, 0.5});
  EXPECT_EQ(message_of(solve, {factors, tensor_of({0, 2}, {2}, i32), right}), "linalg_lu_solve: pivot 0 is 0");
  EXPECT_EQ(message_of(solve, {factors, tensor_of({1, 3}, {2}, i32), right}), "linalg_lu_solve: pivot 1 is 3");
}

}  // namespace
}  // namespace sinter::test
