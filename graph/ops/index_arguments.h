// What ops with index tensors ask of their arguments, and what an index list names.

#pragma once

#include <sinter/graph/op.h>

namespace sinter {

// The tensor argument of that name; undefined if it is absent.
Tensor tensor_argument(const OpArgs& args, std::string_view parameter);
// The meta of a fresh row-major tensor.
TensorMeta fresh_meta(const OpArgs& args, DType dtype, SymDims sizes);
// Fresh, with self's type and sizes, row-major.
Metas contiguous_like_self(const OpArgs& args);
// Fresh, with self's type, sizes and memory order.
Metas preserved_like_self(const OpArgs& args);

// An i32 or i64 tensor.
void check_index_type(const OpArgs& args, std::string_view parameter);
// An i64 tensor.
void check_long(const OpArgs& args, std::string_view parameter);
void check_bool_mask(const OpArgs& args, std::string_view parameter);
// The broadcast sizes of slots 0 and 1, self and its mask.
SymDims broadcast_with_mask(const OpArgs& args);
// Of self's type.
void check_same_type(const OpArgs& args, std::string_view parameter);
// `sizes` but that along dim.
SymDims with_size(SymDims sizes, int64_t dim, SymInt size);
// The tensor's sizes; those of a zero-dim tensor count as [1].
SymDims at_least_1d(const SymDims& sizes);

// `dim 1 of size 5`; `5 elements` for ops on whole tensors.
std::string place_of_index(const OpArgs& args, int64_t dim, std::string_view size);
// The error of an index that names no element.
[[noreturn]] void fail_out_of_range(const OpArgs& args, int64_t index, int64_t dim, int64_t size);

// An index list (index, index_put) with each mask replaced by the positions of its true elements: entry d indexes dim d
// of self, undefined where the whole dim is kept. A mask's data must be there.
std::vector<Tensor> index_of_each_dim(const OpArgs& args, const std::vector<Tensor>& list);
// True if some entry of the list is a mask.
bool has_mask(const std::vector<Tensor>& list);
// True if some tensor of the list has no data.
bool has_fake(const std::vector<Tensor>& list);

// The shape of self[indices]: dims kept before, then the indices' broadcast sizes, then dims kept after. Indices that
// do not stand side by side come first.
struct IndexedShape {
  Dims before, indexed, after;  // dims of self
  SymDims index_sizes;
  SymDims sizes;
};
IndexedShape indexed_shape(const OpArgs& args, const Layout& self, const std::vector<Tensor>& index_of_dim);

}  // namespace sinter
