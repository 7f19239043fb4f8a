// Sizes, strides and offset of a tensor, and the arithmetic on them: broadcasting, contiguity, memory order, overlap.

#pragma once

#include <optional>

#include <sinter/graph/sym_int.h>

namespace sinter {

struct Layout {
  SymDims sizes;
  SymDims strides;  // in elements
  SymInt offset = 0;

  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
};

SymInt numel(const SymDims& sizes);

// Row-major strides; a dim of size 0 counts as 1, as in ATen.
SymDims contiguous_strides(const SymDims& sizes);
Layout contiguous_layout(const SymDims& sizes);
// Dense strides for these sizes whose memory order is `order` (outermost dim first).
SymDims strides_in_order(const SymDims& sizes, const Dims& order);

// Row-major without gaps; dims of size 1 may have any stride; an empty tensor is contiguous.
bool is_contiguous(const Layout& layout);
// Each element has its own place and the places have no gap, in some order of the dims.
bool is_dense(const Layout& layout);
// Two indices may name one element (an expanded dim, for one). Says so of some layouts where none do.
bool overlaps_itself(const Layout& layout);
// Two indices do name one element, as far as ATen looks: only an expanded dim counts.
bool is_expanded(const Layout& layout);
// Equal sizes, and equal strides where they mean something (size > 1), and equal offset.
bool same_layout(const Layout& a, const Layout& b);
// Every stride is known to be equal, those that mean nothing too: a user can ask for them.
bool same_strides(const Layout& a, const Layout& b);

// Counts of elements and of bytes from the storage's start fit 63 bits. Of a symbolic layout: in the example.
bool is_addressable(const Layout& layout, int64_t element_bytes);
// One past the last element reached, counted from the storage's start, in elements; offset for an empty tensor.
SymInt extent_end(const Layout& layout);

// The dims sorted from the largest stride to the smallest (outermost first); equal strides keep their order.
Dims stride_order(const Layout& layout);

// The broadcast sizes, or nothing if some pair of sizes does not fit.
std::optional<SymDims> broadcast_sizes(const SymDims& a, const SymDims& b);
// The layout of `layout` expanded to `sizes`; nothing if it does not expand.
std::optional<Layout> expand_layout(const Layout& layout, const SymDims& sizes);
// The strides of a view with these sizes on the same memory, or nothing if a copy would be needed (ATen's
// computeStride).
std::optional<SymDims> view_strides(const Layout& layout, const SymDims& sizes);

// The strides that TensorIterator gives a fresh pointwise result of these (already broadcast) sizes.
SymDims pointwise_strides(const SymDims& sizes, std::span<const Layout* const> inputs);
// The strides of empty_like/clone with preserve_format.
SymDims preserved_strides(const Layout& layout);

}  // namespace sinter
