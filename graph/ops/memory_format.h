// The memory order that ATen gives fresh results of ops that keep no strides: row-major, or channels last where the
// input is so.

#pragma once

#include <sinter/graph/layout.h>

namespace sinter {

// The dims of an image or a volume (rank 4 or 5) lie as N, spatial, C in memory; also if it has gaps.
bool is_channels_last(const Layout& layout);
// Dense strides: channels last for rank 4 and 5, else nothing.
SymDims channels_last_strides(const SymDims& sizes);
// Strides of a fresh tensor in the memory order that ATen suggests for results of an op on `like`.
SymDims suggested_strides(const SymDims& sizes, const Layout& like);

}  // namespace sinter
