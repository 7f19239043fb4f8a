// What ops on matrices ask of their arguments, and products whose result is not rounded yet.

#pragma once

#include <sinter/graph/ops/dims.h>

namespace sinter {

// The tensor argument of that name has `rank` dims.
void check_rank(const OpArgs& args, std::string_view parameter, int64_t rank);
// Both of one dtype.
void check_types(const OpArgs& args, const TensorMeta& a, const TensorMeta& b);
// Any type but bool.
void check_number_type(const OpArgs& args, DType dtype);
// Columns of the left side are as many as rows of the right side.
void check_inner(const OpArgs& args, SymInt a, SymInt b);
// A factor of integer tensors must be an integer.
void check_factor(const OpArgs& args, std::string_view parameter, DType dtype);
// self expands to `sizes`.
void check_expands(const OpArgs& args, const Layout& self, const SymDims& sizes);
// beta, alpha, and the types of self and the two factors of a product that is added to it.
void check_sum_with_product(const OpArgs& args, const TensorMeta& self, const TensorMeta& a, const TensorMeta& b);

// Matrices that LAPACK factorises: at least 2 dims, f32 or f64.
void check_factorisable(const OpArgs& args, const TensorMeta& matrices);
void check_square(const OpArgs& args, const Layout& matrices);

// Fresh, with these sizes: row-major, or with each matrix column-major, as LAPACK leaves it.
TensorMeta fresh_like(const TensorMeta& like, const SymDims& sizes);
TensorMeta fresh_columns(const TensorMeta& like, const SymDims& sizes);
// A copy whose matrices are column-major.
Tensor copy_columns(const Tensor& x, Here here);
// x with its last two dims swapped.
Tensor swapped(const Tensor& x, Here here);

// The sizes without the last two, which are a matrix's.
SymDims batch_of(const SymDims& sizes);
SymDims broadcast_batch(const OpArgs& args, const SymDims& a, const SymDims& b);

// mm and bmm of halves with an f32 result, so that what is added to it is rounded once with it.
Tensor wide_mm(const Tensor& a, const Tensor& b, Here here);
Tensor wide_bmm(const Tensor& a, const Tensor& b, Here here);
// beta * self + alpha * product, where the product is in compute type, in self's type, row-major; with beta 0, self is
// not looked at.
Tensor sum_with_product(const OpArgs& args, const Tensor& self, Tensor product);

}  // namespace sinter
