// sort: stable, NaN after all numbers.

#include <sinter/graph/ops/dims.h>
#include <sinter/runtime/routines/routine.h>
#include <sinter/runtime/routines/rows.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinter::runtime::routines {

namespace {

// ATen's order of values: NaN is the greatest.
template <class T>
bool is_less(T a, T b) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return is_less(static_cast<float>(a), static_cast<float>(b));
  else if constexpr (std::is_floating_point_v<T>)
    return a < b || (std::isnan(b) && !std::isnan(a));
  else
    return a < b;
}

template <class T>
void sort_rows(const Tensor& self, int64_t dim, bool descending, const Tensor& values, const Tensor& indices) {
  int64_t size = size_along(self, dim);
  const T* in = self.data_ptr<T>();
  T* out = values.data_ptr<T>();
  int64_t* order_out = indices.data_ptr<int64_t>();
  std::vector<int64_t> order(size);
  for_each_row<3>({&self, &values, &indices}, dim, [&](const std::array<int64_t, 3>& offsets) {
    Row<const T> from{in + offsets[0], stride_along(self, dim)};
    Row<T> to{out + offsets[1], stride_along(values, dim)};
    Row<int64_t> positions{order_out + offsets[2], stride_along(indices, dim)};
    std::iota(order.begin(), order.end(), 0);
    if (descending)
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return is_less(from[b], from[a]); });
    else
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return is_less(from[a], from[b]); });
    for (int64_t k = 0; k < size; ++k) {
      to[k] = from[order[k]];
      positions[k] = order[k];
    }
  });
}

}  // namespace

SINTER_ROUTINE(sort_stable) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  visit(self.dtype(),
        [&](auto zero) { sort_rows<decltype(zero)>(self, dim, args.flag("descending"), results[0], results[1]); });
}

}  // namespace sinter::runtime::routines
