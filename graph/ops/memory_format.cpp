// Recognising and making channels-last strides.

#include <sinter/graph/ops/memory_format.h>

#include <sinter/graph/error.h>
#include <sinter/graph/known_layout.h>

namespace sinter {

namespace {

// Outermost dim first.
Dims channels_last_order(int64_t rank) {
  Dims order = {0};
  for (int64_t dim = 2; dim < rank; ++dim) order.push_back(dim);
  order.push_back(1);
  return order;
}

}  // namespace

bool is_channels_last(const Layout& layout) {
  int64_t rank = layout.rank();
  if (rank != 4 && rank != 5) return false;
  // Strides of both orders count as row-major.
  if ((is_symbolic(layout) && is_row_major(layout)) || layout.strides[1] == 0) return false;
  SymInt least = 0;
  Dims order = channels_last_order(rank);
  for (size_t i = order.size(); i-- > 0;) {
    int64_t dim = order[i];
    SymInt size = layout.sizes[dim], stride = layout.strides[dim];
    if (size == 0 || stride < least) return false;
    // Where nothing tells the orders apart (N111, or strides all alike) it is row-major.
    if (dim == 0 && least == layout.strides[1]) return false;
    least = size > 1 ? stride * size : stride;
  }
  return true;
}

SymDims channels_last_strides(const SymDims& sizes) {
  int64_t rank = static_cast<int64_t>(sizes.size());
  SINTER_CHECK(rank == 4 || rank == 5, "channels_last of rank {}", rank);
  return strides_in_order(sizes, channels_last_order(rank));
}

SymDims suggested_strides(const SymDims& sizes, const Layout& like) {
  return is_channels_last(like) ? channels_last_strides(sizes) : contiguous_strides(sizes);
}

}  // namespace sinter
