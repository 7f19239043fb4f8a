// sort, topk and kthvalue: NaN after all numbers. Equal elements keep their order in a sort; which of them topk and
// kthvalue name follows from the steps of their searches, which are ATen's.

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

namespace {

// By value alone.
template <class T>
struct Outranks {
  bool largest = true;
  bool operator()(const Placed<T>& a, const Placed<T>& b) const {
    return largest ? is_less(b.value, a.value) : is_less(a.value, b.value);
  }
};

// Few of many: a partial sort. Else the k are split off, and sorted among themselves.
template <class T>
void bring_to_front(std::vector<Placed<T>>& row, int64_t k, bool sorted, Outranks<T> outranks) {
  constexpr int64_t many = 64;
  if (k == 0) return;
  if (k * many <= static_cast<int64_t>(row.size()))
    return std::partial_sort(row.begin(), row.begin() + k, row.end(), outranks);
  std::nth_element(row.begin(), row.begin() + (k - 1), row.end(), outranks);
  if (sorted) std::sort(row.begin(), row.begin() + (k - 1), outranks);
}

// Hoare's selection with the median of three as pivot (Numerical Recipes, section 8.5): afterwards row[k] is in its
// sorted place.
template <class T>
void select_kth(std::vector<Placed<T>>& row, int64_t k) {
  auto exceeds = [&](int64_t a, int64_t b) { return is_less(row[b].value, row[a].value); };
  auto order = [&](int64_t a, int64_t b) {
    if (exceeds(a, b)) std::swap(row[a], row[b]);
  };
  int64_t left = 0, right = static_cast<int64_t>(row.size()) - 1;
  while (right > left + 1) {
    std::swap(row[left + (right - left) / 2], row[left + 1]);
    order(left + 1, right);
    order(left, right);
    order(left + 1, left);
    int64_t low = left + 1, high = right;
    while (true) {
      do ++low;
      while (exceeds(left, low));
      do --high;
      while (exceeds(high, left));
      if (high < low) break;
      std::swap(row[low], row[high]);
    }
    std::swap(row[left], row[high]);
    if (high <= k) left = low;
    if (high >= k) right = high - 1;
  }
  if (right == left + 1) order(left, right);
}

}  // namespace

SINTER_ROUTINE(topk_default) {
  const Tensor& self = args[0].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim()), k = args.integer("k");
  if (self.dim() == 0) k = 1;  // the result is zero-dim too, and holds the one element, as in ATen
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    rearrange_rows<T>(self, dim, results[0], results[1], 0, k, [&](std::vector<Placed<T>>& row) {
      bring_to_front(row, k, args.flag("sorted"), Outranks<T>{args.flag("largest")});
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
    rearrange_rows<T>(self, dim, values, indices, k - 1, 1,
                      [&](std::vector<Placed<T>>& row) { select_kth(row, k - 1); });
  });
}

}  // namespace sinter::runtime::routines
