// Reductions and scans that tell of a tensor's values: spread, extrema and their places, norms, order, running sums.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sinter/graph/tensor.h>
#include <sinter/graph/value.h>

namespace sinter {

using TensorPair = std::pair<Tensor, Tensor>;

// Spread about the mean; unbiased divides by the number of elements less 1.
Tensor var(const Tensor& x, bool unbiased = true, Here here = Here::current());
Tensor var(const Tensor& x, Dims dims, bool unbiased = true, bool keepdim = false, Here here = Here::current());
Tensor std(const Tensor& x, bool unbiased = true, Here here = Here::current());
Tensor std(const Tensor& x, Dims dims, bool unbiased = true, bool keepdim = false, Here here = Here::current());
// The spread, then the mean.
TensorPair var_mean(const Tensor& x, bool unbiased = true, Here here = Here::current());
TensorPair var_mean(const Tensor& x, Dims dims, bool unbiased = true, bool keepdim = false,
                    Here here = Here::current());
TensorPair std_mean(const Tensor& x, bool unbiased = true, Here here = Here::current());
TensorPair std_mean(const Tensor& x, Dims dims, bool unbiased = true, bool keepdim = false,
                    Here here = Here::current());

Tensor max(const Tensor& x, Here here = Here::current());
Tensor min(const Tensor& x, Here here = Here::current());
// Values, and the first index of each.
TensorPair max(const Tensor& x, int64_t dim, bool keepdim = false, Here here = Here::current());
TensorPair min(const Tensor& x, int64_t dim, bool keepdim = false, Here here = Here::current());
// Without a dim: the index in row-major order.
Tensor argmax(const Tensor& x, std::optional<int64_t> dim = {}, bool keepdim = false, Here here = Here::current());
Tensor argmin(const Tensor& x, std::optional<int64_t> dim = {}, bool keepdim = false, Here here = Here::current());
// The minimum, then the maximum.
TensorPair aminmax(const Tensor& x, std::optional<int64_t> dim = {}, bool keepdim = false, Here here = Here::current());

Tensor nansum(const Tensor& x, Dims dims = {}, bool keepdim = false, Here here = Here::current());
Tensor nanmean(const Tensor& x, Dims dims = {}, bool keepdim = false, Here here = Here::current());
Tensor count_nonzero(const Tensor& x, Dims dims = {}, Here here = Here::current());
Tensor logsumexp(const Tensor& x, Dims dims, bool keepdim = false, Here here = Here::current());
Tensor trace(const Tensor& x, Here here = Here::current());
// No dims: all of them.
Tensor norm(const Tensor& x, Scalar p = 2, Dims dims = {}, bool keepdim = false, Here here = Here::current());
Tensor linalg_vector_norm(const Tensor& x, Scalar ord = 2, Dims dims = {}, bool keepdim = false,
                          Here here = Here::current());
Tensor dist(const Tensor& a, const Tensor& b, Scalar p = 2, Here here = Here::current());
Tensor renorm(const Tensor& x, Scalar p, int64_t dim, Scalar maxnorm, Here here = Here::current());

Tensor cumsum(const Tensor& x, int64_t dim, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor cumprod(const Tensor& x, int64_t dim, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor logcumsumexp(const Tensor& x, int64_t dim, Here here = Here::current());
// Values, and the last index of each.
TensorPair cummax(const Tensor& x, int64_t dim, Here here = Here::current());
TensorPair cummin(const Tensor& x, int64_t dim, Here here = Here::current());
Tensor diff(const Tensor& x, int64_t n = 1, int64_t dim = -1, const Tensor& prepend = {}, const Tensor& append = {},
            Here here = Here::current());
Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1, Here here = Here::current());
Tensor trapezoid(const Tensor& y, Scalar dx = 1, int64_t dim = -1, Here here = Here::current());
Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1, Here here = Here::current());
Tensor cumulative_trapezoid(const Tensor& y, Scalar dx = 1, int64_t dim = -1, Here here = Here::current());
// One derivative for each dim, or for the one dim.
std::vector<Tensor> gradient(const Tensor& x, Scalar spacing = 1, std::optional<int64_t> dim = {},
                             int64_t edge_order = 1, Here here = Here::current());

// The lower one of two middle values.
Tensor median(const Tensor& x, Here here = Here::current());
TensorPair median(const Tensor& x, int64_t dim, bool keepdim = false, Here here = Here::current());
Tensor nanmedian(const Tensor& x, Here here = Here::current());
TensorPair nanmedian(const Tensor& x, int64_t dim, bool keepdim = false, Here here = Here::current());
// The smallest of the most frequent values, and the index of one of them.
TensorPair mode(const Tensor& x, int64_t dim = -1, bool keepdim = false, Here here = Here::current());
// interpolation: linear, lower, higher, midpoint or nearest.
Tensor quantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim = {}, bool keepdim = false,
                std::string interpolation = "linear", Here here = Here::current());
Tensor quantile(const Tensor& x, double q, std::optional<int64_t> dim = {}, bool keepdim = false,
                std::string interpolation = "linear", Here here = Here::current());
Tensor nanquantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim = {}, bool keepdim = false,
                   std::string interpolation = "linear", Here here = Here::current());
Tensor nanquantile(const Tensor& x, double q, std::optional<int64_t> dim = {}, bool keepdim = false,
                   std::string interpolation = "linear", Here here = Here::current());

}  // namespace sinter
