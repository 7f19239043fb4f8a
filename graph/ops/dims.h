// Dim arguments: counted from the end if negative, checked against the rank.

#pragma once

#include <sinter/graph/op.h>

namespace sinter {

// 0 <= dim < rank; a zero-dim tensor takes 0 and -1 and gives 0. Throws if the dim is out of range.
int64_t wrap_dim(const OpArgs& args, int64_t dim, int64_t rank);
// The same for several, which must differ.
Dims wrap_dims(const OpArgs& args, const Dims& dims, int64_t rank);
// What a reduction reduces: the dims of parameter `dim` (a list or one number), or all if it is absent or empty.
// A zero-dim tensor has none.
Dims reduced_dims(const OpArgs& args);
// The number of elements that each result of a reduction over the dims is made of.
SymInt reduced_count(const SymDims& sizes, const Dims& dims);
// A count as a divisor of floats.
Scalar floating_count(SymInt count);

// The first `count` sizes.
SymDims leading(const SymDims& sizes, int64_t count);
SymDims joined(SymDims sizes, const SymDims& more);

}  // namespace sinter
