// Loops over the rows of several tensors at once: all positions but those along one dim.

#pragma once

#include <sinter/graph/tensor.h>

#include <array>

namespace sinter::runtime {

// A row: element k is data[k * stride].
template <class T>
struct Row {
  T* data = nullptr;
  int64_t stride = 1;
  T& operator[](int64_t k) const { return data[k * stride]; }
};

// One tensor's strides for a loop over `sizes`.
struct RowWalk {
  Dims sizes;    // of the dims looped over
  Dims strides;  // in elements
};

// Rows of no element all begin at the start: an empty tensor may have no memory to step through.
inline RowWalk walk_beside(const Tensor& tensor, int64_t dim) {
  RowWalk walk;
  const Layout& layout = tensor.layout();
  bool is_empty = numel(layout.sizes).constant() == 0;
  for (int64_t i = 0; i < layout.rank(); ++i) {
    if (i == dim) continue;
    walk.sizes.push_back(layout.sizes[i].constant());
    walk.strides.push_back(is_empty ? 0 : layout.strides[i].constant());
  }
  return walk;
}

inline int64_t stride_along(const Tensor& tensor, int64_t dim) {
  return tensor.dim() == 0 ? 1 : tensor.layout().strides[dim].constant();
}
inline int64_t size_along(const Tensor& tensor, int64_t dim) {
  return tensor.dim() == 0 ? 1 : tensor.layout().sizes[dim].constant();
}

// Calls body(offsets) for each position beside `dim` of tensors[0], where offsets[t] is that of tensors[t] in elements
// from its data_ptr(). All tensors have tensors[0]'s sizes beside `dim`; a zero-dim tensor is one row of one element.
template <size_t count, class Body>
void for_each_row(const std::array<const Tensor*, count>& tensors, int64_t dim, Body&& body) {
  std::array<RowWalk, count> walks;
  for (size_t t = 0; t < count; ++t) walks[t] = walk_beside(*tensors[t], dim);
  const Dims& sizes = walks[0].sizes;
  for (int64_t size : sizes)
    if (size == 0) return;
  Dims index(sizes.size(), 0);
  std::array<int64_t, count> offsets = {};
  while (true) {
    body(offsets);
    int64_t i = static_cast<int64_t>(sizes.size()) - 1;
    for (; i >= 0; --i) {
      for (size_t t = 0; t < count; ++t) offsets[t] += walks[t].strides[i];
      if (++index[i] < sizes[i]) break;
      for (size_t t = 0; t < count; ++t) offsets[t] -= walks[t].strides[i] * sizes[i];
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

}  // namespace sinter::runtime
