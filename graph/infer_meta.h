// Sizes, strides and dtypes of an op's results, with the argument checks: by the op's own rule, or derived from how it
// computes.

#pragma once

#include <sinter/graph/op.h>

namespace sinter {

// Derived metas that ops with a special case of their own build on.
TensorMeta pointwise_meta(const OpArgs& args, DType dtype);
// Slot 0 with the dims removed or kept as 1.
TensorMeta reduction_meta(const OpArgs& args, const Dims& dims, bool keepdim, DType dtype);

// The results of the op's decomposition, after the op's own argument checks. Where strides mean nothing (in an empty
// result, and in dims of size 1 of a real one) they are those that the op's meta promises; the ops inside need not keep
// them.
Values run_decomposition(const OpArgs& args);

// Throws if counts of elements or bytes overflow 63 bits.
void check_addressable(const OpArgs& args, const TensorMeta& meta);

// Checks that the op's result can be written into slot 0: it fits in size and type, slot 0 does not overlap itself, nor
// another argument in part. Ops that write into an argument by other means than inplace_of call it too.
void check_writable(const OpArgs& args, const TensorMeta& result);

}  // namespace sinter
