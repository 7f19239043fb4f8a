// What convolutions, pools and resampling share: numbers for each spatial dim, and layouts with the channels last.
//
// Their tensors are [batch, channels, spatial...], or the same without batch.

#pragma once

#include <sinter/graph/op.h>

namespace sinter {

// A routine that no data make fail, so that it is dropped where nobody reads its results.
constexpr OpDef total_routine(std::string_view signature, Metas (*meta)(const OpArgs&)) {
  return {.signature = signature, .meta = meta, .library = Library::routine};
}

// The numbers of a list parameter, one for each of `rank` spatial dims: a single one stands for all of them.
Dims spatial_numbers(const OpArgs& args, std::string_view parameter, int64_t rank);
// The same, each at least `least`.
Dims spatial_numbers(const OpArgs& args, std::string_view parameter, int64_t rank, int64_t least);

// Fails unless the tensor in a slot has `rank` spatial dims, with or without batch, and only the batch may be empty.
void check_planes(const OpArgs& args, int slot, int64_t rank);
// Fails unless two tensors have equal dtypes.
void check_same_dtype(const OpArgs& args, int slot, int other);

// The sizes with the spatial dims (the last of them) replaced.
SymDims with_spatial(const SymDims& sizes, const SymDims& spatial);
inline SymDims with_spatial(const SymDims& sizes, const Dims& spatial) {
  return with_spatial(sizes, SymDims(spatial.begin(), spatial.end()));
}
SymDims spatial_dims(const SymDims& sizes, int64_t rank);
// The same as numbers.
Dims spatial_sizes(const SymDims& sizes, int64_t rank);

Layout channels_last_layout(const SymDims& sizes);
// A fresh result for an input of this layout: the channels stay where they are.
Layout layout_beside(const Layout& input, const SymDims& sizes);
// The same for the pools of one dim, which ATen makes of those of two: an image of one row.
Layout layout_beside_row(const Layout& input, const SymDims& sizes);

}  // namespace sinter
