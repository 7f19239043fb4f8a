// A tensor as lines along one dim: outer x count x inner elements in row-major order.

#pragma once

#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/rows.h>

#include <cmath>

namespace sinter::runtime {

struct Lines {
  Tensor held;  // contiguous
  int64_t outer = 1, count = 1, inner = 1;

  int64_t lines() const { return outer * inner; }
  // Where the first element of a line is; its elements are `inner` apart.
  int64_t start(int64_t line) const { return line / inner * count * inner + line % inner; }
};

// The lines along `dim`; `dim` < 0: the whole tensor is one line. Copies a tensor that is not contiguous.
inline Lines lines_along(const Tensor& x, int64_t dim) {
  Lines lines{x.contiguous()};
  if (dim < 0 || x.dim() == 0) {
    lines.count = x.numel().constant();
    return lines;
  }
  for (int64_t i = 0; i < x.dim(); ++i) {
    int64_t size = x.sizes()[i].constant();
    (i < dim ? lines.outer : i == dim ? lines.count : lines.inner) *= size;
  }
  return lines;
}

// Halves as f32, others as they are.
template <class T>
auto as_number(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return static_cast<float>(value);
  else
    return value;
}

template <class T>
bool is_nan_value(T value) {
  if constexpr (std::is_floating_point_v<decltype(as_number(value))>)
    return std::isnan(as_number(value));
  else
    return false;
}

}  // namespace sinter::runtime
