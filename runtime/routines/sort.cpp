// sort, topk and kthvalue: NaN after all numbers; equal elements keep their order.

#include <sinter/graph/ops/dims.h>
#include <sinter/runtime/routines/order.h>
#include <sinter/runtime/routines/routine.h>
#include <sinter/runtime/routines/rows.h>

#include <algorithm>
#include <numeric>

namespace sinter::runtime::routines {

namespace {

// An element and where it stands in its row.
template <class T>
struct Placed {
  T value;
  int64_t position;
};

// Whether a comes before b: by value, then by position.
template <class T>
struct Before {
  bool descending = false;
  bool operator()(const Placed<T>& a, const Placed<T>& b) const {
    if (is_less(a.value, b.value)) return !descending;
    if (is_less(b.value, a.value)) return descending;
    return a.position < b.position;
  }
};

template <class T>
void read_row(Row<const T> from, std::vector<Placed<T>>& row) {
  for (size_t k = 0; k < row.size(); ++k) row[k] = {from[k], static_cast<int64_t>(k)};
}

// Calls arrange(row) for each row along dim, then writes the `count` elements from `first` on.
template <class T, class Arrange>
void rearrange_rows(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices, int64_t first,
                    int64_t count, const Arrange& arrange) {
  const T* in = self.data_ptr<T>();
  T* out = values.data_ptr<T>();
  int64_t* positions_out = indices.data_ptr<int64_t>();
  std::vector<Placed<T>> row(size_along(self, dim));
  for_each_row<3>({&self, &values, &indices}, dim, [&](const std::array<int64_t, 3>& offsets) {
    read_row(Row<const T>{in + offsets[0], stride_along(self, dim)}, row);
    arrange(row);
    Row<T> to{out + offsets[1], stride_along(values, dim)};
    Row<int64_t> positions{positions_out + offsets[2], stride_along(indices, dim)};
    for (int64_t k = 0; k < count; ++k) {
      to[k] = row[first + k].value;
      positions[k] = row[first + k].position;
    }
  });
}

// The tensor with a dim of size 1 at `dim`.
Tensor with_dim(const Tensor& tensor, int64_t dim) { return tensor.unsqueeze(dim); }

}  // namespace

SINTER_ROUTINE(sort_stable) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Before<T> before{args.flag("descending")};
    rearrange_rows<T>(self, dim, results[0], results[1], 0, size_along(self, dim),
                      [&](std::vector<Placed<T>>& row) { std::sort(row.begin(), row.end(), before); });
  });
}

SINTER_ROUTINE(topk_default) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim()), k = args.integer("k");
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Before<T> before{args.flag("largest")};
    rearrange_rows<T>(self, dim, results[0], results[1], 0, k, [&](std::vector<Placed<T>>& row) {
      std::partial_sort(row.begin(), row.begin() + k, row.end(), before);
    });
  });
}

SINTER_ROUTINE(kthvalue_default) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim()), k = args.integer("k");
  bool has_dim = results[0].dim() == self.dim();
  Tensor values = has_dim ? results[0] : with_dim(results[0], dim);
  Tensor indices = has_dim ? results[1] : with_dim(results[1], dim);
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    rearrange_rows<T>(self, dim, values, indices, k - 1, 1, [&](std::vector<Placed<T>>& row) {
      std::nth_element(row.begin(), row.begin() + (k - 1), row.end(), Before<T>{});
    });
  });
}

}  // namespace sinter::runtime::routines
