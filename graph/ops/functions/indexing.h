// Indexing, scattering, sorting and searching as functions, with ATen's names, argument order and defaults.

#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <sinter/graph/tensor.h>

namespace sinter {

// Values and their positions.
using ValuesAndIndices = std::tuple<Tensor, Tensor>;

// --- Reading ----------------------------------------------------------------------------------------------------

// One index tensor (or mask) for each dim; an undefined tensor keeps the whole dim.
Tensor index(const Tensor& x, const std::vector<Tensor>& indices, Here here = Here::current());
Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index, Here here = Here::current());
Tensor gather(const Tensor& x, int64_t dim, const Tensor& index, Here here = Here::current());
Tensor take(const Tensor& x, const Tensor& index, Here here = Here::current());
Tensor take_along_dim(const Tensor& x, const Tensor& indices, std::optional<int64_t> dim = {},
                      Here here = Here::current());
// Rows of a table.
Tensor embedding(const Tensor& weight, const Tensor& indices, Here here = Here::current());
Tensor masked_select(const Tensor& x, const Tensor& mask, Here here = Here::current());
// The positions of elements that are not 0, one row each.
Tensor nonzero(const Tensor& x, Here here = Here::current());
Tensor repeat_interleave(const Tensor& x, int64_t repeats, std::optional<int64_t> dim = {},
                         Here here = Here::current());
Tensor repeat_interleave(const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim = {},
                         std::optional<SymInt> output_size = {}, Here here = Here::current());
Tensor one_hot(const Tensor& x, int64_t num_classes = -1, Here here = Here::current());

// --- Writing, into a copy -----------------------------------------------------------------------------------------

Tensor index_put(const Tensor& x, const std::vector<Tensor>& indices, const Tensor& values, bool accumulate = false,
                 Here here = Here::current());
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src, Here here = Here::current());
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, Scalar value, Here here = Here::current());
Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src, Here here = Here::current());
// reduce: sum, prod, mean, amax or amin
Tensor scatter_reduce(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src, std::string reduce,
                      bool include_self = true, Here here = Here::current());
Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Scalar alpha = 1,
                 Here here = Here::current());
Tensor index_copy(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Here here = Here::current());
Tensor index_fill(const Tensor& x, int64_t dim, const Tensor& index, Scalar value, Here here = Here::current());
Tensor put(const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate = false,
           Here here = Here::current());
Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value, Here here = Here::current());
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value, Here here = Here::current());
Tensor masked_scatter(const Tensor& x, const Tensor& mask, const Tensor& source, Here here = Here::current());

// --- Sorting and searching ----------------------------------------------------------------------------------------

ValuesAndIndices sort(const Tensor& x, int64_t dim = -1, bool descending = false, Here here = Here::current());
Tensor argsort(const Tensor& x, int64_t dim = -1, bool descending = false, Here here = Here::current());
ValuesAndIndices topk(const Tensor& x, SymInt k, int64_t dim = -1, bool largest = true, bool sorted = true,
                      Here here = Here::current());
ValuesAndIndices kthvalue(const Tensor& x, SymInt k, int64_t dim = -1, bool keepdim = false,
                          Here here = Here::current());
// Sorted elements without duplicates; for each element of x its position among them; how often each occurs.
std::tuple<Tensor, Tensor, Tensor> unique(const Tensor& x, Here here = Here::current());
Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values, bool right = false,
                    Here here = Here::current());
Tensor bucketize(const Tensor& x, const Tensor& boundaries, bool right = false, Here here = Here::current());
Tensor isin(const Tensor& elements, const Tensor& test_elements, bool invert = false, Here here = Here::current());
Tensor bincount(const Tensor& x, const Tensor& weights = {}, int64_t minlength = 0, Here here = Here::current());
Tensor histc(const Tensor& x, int64_t bins = 100, Scalar min = 0, Scalar max = 0, Here here = Here::current());

}  // namespace sinter
