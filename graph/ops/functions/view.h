// Views, splits, joins and copies with the elements in another order, with ATen's names and defaults.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// --- Views (share memory) ---------------------------------------------------------------------------------------

Tensor diagonal(const Tensor& x, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1, Here here = Here::current());
Tensor swapaxes(const Tensor& x, int64_t axis0, int64_t axis1, Here here = Here::current());
Tensor swapdims(const Tensor& x, int64_t dim0, int64_t dim1, Here here = Here::current());
Tensor movedim(const Tensor& x, int64_t source, int64_t destination, Here here = Here::current());
Tensor movedim(const Tensor& x, Dims source, Dims destination, Here here = Here::current());
// The last two dims swapped.
Tensor adjoint(const Tensor& x, Here here = Here::current());
Tensor unflatten(const Tensor& x, int64_t dim, SymDims sizes, Here here = Here::current());
// Windows of `size` along a dim, one every `step`; the window's elements become a new last dim.
Tensor unfold(const Tensor& x, int64_t dimension, int64_t size, int64_t step, Here here = Here::current());
Tensor broadcast_to(const Tensor& x, SymDims sizes, Here here = Here::current());
std::vector<Tensor> broadcast_tensors(const std::vector<Tensor>& tensors, Here here = Here::current());
Tensor atleast_1d(const Tensor& x, Here here = Here::current());
Tensor atleast_2d(const Tensor& x, Here here = Here::current());
Tensor atleast_3d(const Tensor& x, Here here = Here::current());
// Copies where no view has the elements in order.
Tensor ravel(const Tensor& x, Here here = Here::current());

// --- Splits (views) ---------------------------------------------------------------------------------------------

// Pieces of this size; the last one may be shorter.
std::vector<Tensor> split(const Tensor& x, int64_t split_size, int64_t dim = 0, Here here = Here::current());
std::vector<Tensor> split_with_sizes(const Tensor& x, SymDims split_sizes, int64_t dim = 0,
                                     Here here = Here::current());
std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim = 0, Here here = Here::current());
std::vector<Tensor> tensor_split(const Tensor& x, int64_t sections, int64_t dim = 0, Here here = Here::current());
std::vector<Tensor> tensor_split(const Tensor& x, Dims indices, int64_t dim = 0, Here here = Here::current());
std::vector<Tensor> unbind(const Tensor& x, int64_t dim = 0, Here here = Here::current());

// --- Joins ------------------------------------------------------------------------------------------------------

Tensor hstack(const std::vector<Tensor>& tensors, Here here = Here::current());
Tensor vstack(const std::vector<Tensor>& tensors, Here here = Here::current());
Tensor dstack(const std::vector<Tensor>& tensors, Here here = Here::current());
Tensor column_stack(const std::vector<Tensor>& tensors, Here here = Here::current());
Tensor block_diag(const std::vector<Tensor>& tensors, Here here = Here::current());
// indexing: "ij" (matrices) or "xy" (pictures)
std::vector<Tensor> meshgrid(const std::vector<Tensor>& tensors, std::string indexing = "ij",
                             Here here = Here::current());
Tensor cartesian_prod(const std::vector<Tensor>& tensors, Here here = Here::current());
Tensor combinations(const Tensor& x, int64_t r = 2, bool with_replacement = false, Here here = Here::current());

// --- Copies -----------------------------------------------------------------------------------------------------

Tensor flip(const Tensor& x, Dims dims, Here here = Here::current());
Tensor fliplr(const Tensor& x, Here here = Here::current());
Tensor flipud(const Tensor& x, Here here = Here::current());
Tensor rot90(const Tensor& x, int64_t k = 1, Dims dims = {0, 1}, Here here = Here::current());
// No dims: as if the tensor were one row.
Tensor roll(const Tensor& x, Dims shifts, Dims dims = {}, Here here = Here::current());
Tensor repeat(const Tensor& x, SymDims repeats, Here here = Here::current());
Tensor tile(const Tensor& x, SymDims dims, Here here = Here::current());
// Two numbers for each padded dim, the last dim first; mode: "constant", "reflect", "replicate" or "circular".
Tensor pad(const Tensor& x, SymDims pad, std::string mode = "constant", std::optional<double> value = {},
           Here here = Here::current());
Tensor constant_pad_nd(const Tensor& x, SymDims pad, Scalar value = 0, Here here = Here::current());
Tensor tril(const Tensor& x, int64_t diagonal = 0, Here here = Here::current());
Tensor triu(const Tensor& x, int64_t diagonal = 0, Here here = Here::current());
// Of a matrix its diagonal, of a row the matrix with that diagonal.
Tensor diag(const Tensor& x, int64_t diagonal = 0, Here here = Here::current());
Tensor diag_embed(const Tensor& x, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1,
                  Here here = Here::current());
Tensor diagflat(const Tensor& x, int64_t offset = 0, Here here = Here::current());
// x with `src` in place of what the view of that name shows.
Tensor select_scatter(const Tensor& x, const Tensor& src, int64_t dim, SymInt index, Here here = Here::current());
Tensor slice_scatter(const Tensor& x, const Tensor& src, int64_t dim = 0, std::optional<SymInt> start = {},
                     std::optional<SymInt> end = {}, SymInt step = 1, Here here = Here::current());
Tensor diagonal_scatter(const Tensor& x, const Tensor& src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1,
                        Here here = Here::current());

// --- From nothing -----------------------------------------------------------------------------------------------

Tensor eye(SymInt n, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor eye(SymInt n, SymInt m, std::optional<DType> dtype = {}, Here here = Here::current());
Tensor logspace(Scalar start, Scalar end, int64_t steps, double base = 10, std::optional<DType> dtype = {},
                Here here = Here::current());
Tensor tril_indices(int64_t rows, int64_t columns, int64_t offset = 0, Here here = Here::current());
Tensor triu_indices(int64_t rows, int64_t columns, int64_t offset = 0, Here here = Here::current());

}  // namespace sinter
