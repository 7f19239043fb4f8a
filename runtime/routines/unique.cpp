// What is left without duplicates: of elements or of slices, sorted or as they stand side by side.

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/indices.h>
#include <sinter/runtime/routines/order.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <numeric>

namespace sinter::runtime::routines {

namespace {

// Equal elements: which is the first of each group, in what order the groups come, and whose group each element is in.
struct Groups {
  std::vector<int64_t> first;     // of each group, a position
  std::vector<int64_t> count;     // of each group
  std::vector<int64_t> group_of;  // of each position
};

// Groups of neighbours in `order` that are_equal.
template <class Equal>
Groups group(const std::vector<int64_t>& order, const Equal& are_equal) {
  Groups groups;
  groups.group_of.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !are_equal(order[i - 1], order[i])) {
      groups.first.push_back(order[i]);
      groups.count.push_back(0);
    }
    ++groups.count.back();
    groups.group_of[order[i]] = static_cast<int64_t>(groups.first.size()) - 1;
  }
  return groups;
}

std::vector<int64_t> in_place(int64_t count) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Rows of `width` elements each, as they are or sorted.
template <class T>
Groups group_rows(const T* data, int64_t rows, int64_t width, bool sorts) {
  std::vector<int64_t> order = in_place(rows);
  auto is_before = [&](int64_t a, int64_t b) {
    for (int64_t i = 0; i < width; ++i) {
      if (is_less(data[a * width + i], data[b * width + i])) return true;
      if (is_less(data[b * width + i], data[a * width + i])) return false;
    }
    return a < b;
  };
  if (sorts) std::sort(order.begin(), order.end(), is_before);
  return group(order, [&](int64_t a, int64_t b) {
    for (int64_t i = 0; i < width; ++i)
      if (differs(data[a * width + i], data[b * width + i])) return false;
    return true;
  });
}

Groups group_tensor(const Tensor& rows, bool sorts) {
  int64_t count = rows.sizes()[0].constant(), width = rows.sizes()[1].constant();
  return visit(rows.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return group_rows(rows.data_ptr<T>(), count, width, sorts);
  });
}

Tensor tensor_of(const std::vector<int64_t>& values, Dims sizes) {
  Tensor result = new_tensor(DType::i64, std::move(sizes));
  std::copy(values.begin(), values.end(), result.data_ptr<int64_t>());
  return result;
}

// The first row of each group.
Tensor first_rows(const Tensor& rows, const Groups& groups) {
  int64_t width = rows.sizes()[1].constant();
  Tensor result = new_tensor(rows.dtype(), {static_cast<int64_t>(groups.first.size()), width});
  visit_bytes(rows.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(rows.data_ptr());
    T* to = static_cast<T*>(result.data_ptr());
    for (int64_t row : groups.first) to = std::copy_n(from + row * width, width, to);
  });
  return result;
}

std::vector<Tensor> finished(const Tensor& values, const Groups& groups, const Dims& inverse_sizes, bool wants_inverse,
                             bool wants_counts) {
  Tensor nothing = new_tensor(DType::i64, {0});
  return {values, wants_inverse ? tensor_of(groups.group_of, inverse_sizes) : nothing,
          wants_counts ? tensor_of(groups.count, {static_cast<int64_t>(groups.count.size())}) : nothing};
}

std::vector<Tensor> unique_elements(const OpArgs& args, bool sorts) {
  const Tensor& self = args[0].tensor();
  Tensor rows = dense(self, self.dtype());
  rows = seen_as(rows, {{self.numel(), 1}, {1, 1}, rows.layout().offset});
  Groups groups = group_tensor(rows, sorts);
  return finished(flat(first_rows(rows, groups)), groups, sizes_of(self), args.flag("return_inverse"),
                  args.flag("return_counts"));
}

// Dim `dim` moved to the front (`back`: the front one moved to `dim`).
Tensor with_dim_first(const Tensor& tensor, int64_t dim, bool back = false) {
  Dims order;
  for (int64_t i = 0; i < tensor.dim(); ++i) order.push_back(i);
  int64_t from = back ? 0 : dim, to = back ? dim : 0;
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return tensor.permute(order);
}

std::vector<Tensor> unique_slices(const OpArgs& args, int64_t asked_dim, bool sorts) {
  const Tensor& self = args[0].tensor();
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no slices", "need at least one dim");
  int64_t dim = wrap_dim(args, asked_dim, self.dim());
  int64_t count = self.sizes()[dim].constant();
  if (count_of(self) == 0 && count > 0)
    args.fail(ErrorKind::argument,
              fmt::format("slices of sizes {} along dim {} hold nothing", to_string(self.sizes()), dim));
  Tensor moved = contiguous(with_dim_first(self, dim));
  int64_t width = count == 0 ? 0 : count_of(self) / count;
  Groups groups = group_tensor(seen_as(moved, {{count, width}, {width, 1}, moved.layout().offset}), sorts);
  SymDims sizes = moved.sizes();
  sizes[0] = static_cast<int64_t>(groups.first.size());
  Tensor values = first_rows(seen_as(moved, {{count, width}, {width, 1}, moved.layout().offset}), groups);
  values = with_dim_first(seen_as(values, contiguous_layout(sizes)), dim, /*back=*/true);
  return finished(values, groups, {count}, true, true);
}

}  // namespace

SINTER_SIZING_ROUTINE(unique2_default) { return unique_elements(args, /*sorts=*/true); }

SINTER_SIZING_ROUTINE(unique_dim_default) { return unique_slices(args, args.integer("dim"), /*sorts=*/true); }

SINTER_SIZING_ROUTINE(unique_dim_consecutive_default) {
  return unique_slices(args, args.integer("dim"), /*sorts=*/false);
}

SINTER_SIZING_ROUTINE(unique_consecutive_default) {
  bool is_flat = args["dim"].is_none() || (args.integer("dim") == 0 && args[0].tensor().dim() == 1);
  if (is_flat) return unique_elements(args, /*sorts=*/false);
  return unique_slices(args, args.integer("dim"), /*sorts=*/false);
}

}  // namespace sinter::runtime::routines
