// Products of tensors and dense linear algebra as functions, with ATen's names, argument order and defaults. Matrices
// are the last two dims; what is in front of them is a batch.

#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <sinter/graph/tensor.h>

namespace sinter {

// --- Products ---------------------------------------------------------------------------------------------------

// beta * self + alpha * product
Tensor baddbmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1,
               Here here = Here::current());
// The products of the batch summed.
Tensor addbmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1,
              Here here = Here::current());
Tensor addmv(const Tensor& self, const Tensor& matrix, const Tensor& vector, Scalar beta = 1, Scalar alpha = 1,
             Here here = Here::current());
Tensor addr(const Tensor& self, const Tensor& rows, const Tensor& columns, Scalar beta = 1, Scalar alpha = 1,
            Here here = Here::current());
Tensor mv(const Tensor& matrix, const Tensor& vector, Here here = Here::current());
Tensor dot(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor vdot(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor linalg_vecdot(const Tensor& a, const Tensor& b, int64_t dim = -1, Here here = Here::current());
Tensor outer(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor inner(const Tensor& a, const Tensor& b, Here here = Here::current());
Tensor kron(const Tensor& a, const Tensor& b, Here here = Here::current());
// In the cheapest order.
Tensor linalg_multi_dot(const std::vector<Tensor>& tensors, Here here = Here::current());
Tensor linalg_matrix_power(const Tensor& x, int64_t n, Here here = Here::current());

// "bij,bjk->bik"; path: which two operands are multiplied next, pair after pair.
Tensor einsum(std::string equation, const std::vector<Tensor>& tensors, std::optional<Dims> path = {},
              Here here = Here::current());
// The sum over dims of a and, in the same order, of b.
Tensor tensordot(const Tensor& a, const Tensor& b, Dims dims_a, Dims dims_b, Here here = Here::current());
// x1 @ weight[k] @ x2 + bias[k] for each k.
Tensor bilinear(const Tensor& x1, const Tensor& x2, const Tensor& weight, const Tensor& bias = {},
                Here here = Here::current());

// --- Geometry and statistics ------------------------------------------------------------------------------------

Tensor cross(const Tensor& a, const Tensor& b, std::optional<int64_t> dim = {}, Here here = Here::current());
Tensor linalg_cross(const Tensor& a, const Tensor& b, int64_t dim = -1, Here here = Here::current());
// The distances between all rows of a and all rows of b.
Tensor cdist(const Tensor& a, const Tensor& b, double p = 2, std::optional<int64_t> compute_mode = {},
             Here here = Here::current());
// The distances between all pairs of rows.
Tensor pdist(const Tensor& x, double p = 2, Here here = Here::current());
// Rows are variables, columns are observations.
Tensor cov(const Tensor& x, int64_t correction = 1, const Tensor& fweights = {}, const Tensor& aweights = {},
           Here here = Here::current());
Tensor corrcoef(const Tensor& x, Here here = Here::current());
// The powers 0 .. N - 1 of each element.
Tensor linalg_vander(const Tensor& x, std::optional<int64_t> N = {}, Here here = Here::current());

// --- Systems of equations ---------------------------------------------------------------------------------------

using TwoTensors = std::tuple<Tensor, Tensor>;
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

Tensor linalg_inv(const Tensor& x, Here here = Here::current());
Tensor linalg_solve(const Tensor& a, const Tensor& b, bool left = true, Here here = Here::current());
Tensor linalg_solve_triangular(const Tensor& a, const Tensor& b, bool upper, bool left = true,
                               bool unitriangular = false, Here here = Here::current());
Tensor linalg_det(const Tensor& x, Here here = Here::current());
// The sign, then the logarithm of the absolute value.
TwoTensors linalg_slogdet(const Tensor& x, Here here = Here::current());
Tensor logdet(const Tensor& x, Here here = Here::current());
// P, L and U.
ThreeTensors linalg_lu(const Tensor& x, bool pivot = true, Here here = Here::current());
// L and U in one matrix, then the pivots.
TwoTensors linalg_lu_factor(const Tensor& x, bool pivot = true, Here here = Here::current());
Tensor linalg_lu_solve(const Tensor& lu, const Tensor& pivots, const Tensor& b, bool left = true, bool adjoint = false,
                       Here here = Here::current());
Tensor linalg_cholesky(const Tensor& x, bool upper = false, Here here = Here::current());
Tensor cholesky_solve(const Tensor& b, const Tensor& factor, bool upper = false, Here here = Here::current());
Tensor cholesky_inverse(const Tensor& factor, bool upper = false, Here here = Here::current());
// Solution, residuals, rank, singular values. driver: gels, gelsy, gelsd or gelss.
std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& a, const Tensor& b,
                                                        std::optional<double> rcond = {},
                                                        std::optional<std::string> driver = {},
                                                        Here here = Here::current());
Tensor linalg_tensorinv(const Tensor& x, int64_t ind = 2, Here here = Here::current());
Tensor linalg_tensorsolve(const Tensor& a, const Tensor& b, std::optional<Dims> dims = {}, Here here = Here::current());

// --- Factors, spectra, functions and norms of matrices ----------------------------------------------------------

// mode: reduced, complete or r.
TwoTensors linalg_qr(const Tensor& x, std::string mode = "reduced", Here here = Here::current());
Tensor linalg_householder_product(const Tensor& x, const Tensor& tau, Here here = Here::current());
// U, S and Vh.
ThreeTensors linalg_svd(const Tensor& x, bool full_matrices = true, Here here = Here::current());
Tensor linalg_svdvals(const Tensor& x, Here here = Here::current());
// Of symmetric matrices, of which one triangle is looked at: eigenvalues, then eigenvectors.
TwoTensors linalg_eigh(const Tensor& x, std::string uplo = "L", Here here = Here::current());
Tensor linalg_eigvalsh(const Tensor& x, std::string uplo = "L", Here here = Here::current());
Tensor linalg_matrix_rank(const Tensor& x, std::optional<double> atol = {}, std::optional<double> rtol = {},
                          bool hermitian = false, Here here = Here::current());
Tensor linalg_pinv(const Tensor& x, std::optional<double> atol = {}, std::optional<double> rtol = {},
                   bool hermitian = false, Here here = Here::current());
Tensor linalg_cond(const Tensor& x, std::optional<Scalar> p = {}, Here here = Here::current());
Tensor linalg_cond(const Tensor& x, const char* p, Here here = Here::current());
Tensor linalg_matrix_norm(const Tensor& x, Scalar ord, Dims dims = {-2, -1}, bool keepdim = false,
                          Here here = Here::current());
// ord: fro or nuc.
Tensor linalg_matrix_norm(const Tensor& x, const char* ord = "fro", Dims dims = {-2, -1}, bool keepdim = false,
                          Here here = Here::current());
Tensor linalg_matrix_exp(const Tensor& x, Here here = Here::current());

}  // namespace sinter
