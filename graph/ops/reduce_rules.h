// What reductions have in common: keepdim and dtype arguments, halves widened, dims dropped.

#pragma once

#include <sinter/graph/op.h>

#include <utility>

namespace sinter {

// The argument keepdim; false for an op without it.
bool keepdim_of(const OpArgs& args);
// The argument dtype, if the op has it and it is given.
std::optional<DType> asked_type(const OpArgs& args);
// The asked dtype or self's, which must be a floating one.
DType floating_type(const OpArgs& args);

// Throws if the dims hold no elements, for reductions that have no identity.
void check_not_empty(const OpArgs& args, const Dims& dims);

// The tensor in the type in which values of `dtype` are computed: f32 for f16 and bf16.
Tensor widened(const Tensor& x, DType dtype, Here here);
inline Tensor widened(const Tensor& x, Here here) { return widened(x, x.dtype(), here); }

// x, whose `dims` are all of size 1, without them; unchanged if they are to be kept.
Tensor with_dims_dropped(const Tensor& x, const Dims& dims, bool keepdim, Here here);

// The two results of an op.
std::pair<Tensor, Tensor> apply_two(const OpDef& op, std::initializer_list<Value> positional, Here here);
// A dim argument that may be absent.
inline Value optional_dim(std::optional<int64_t> dim) { return dim ? Value(*dim) : Value(); }

}  // namespace sinter
