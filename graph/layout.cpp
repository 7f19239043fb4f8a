// Arithmetic on sizes and strides, as ATen does it.

#include <sinter/graph/layout.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace sinter {

SymInt numel(const SymDims& sizes) {
  SymInt count = 1;
  for (SymInt size : sizes) count *= size;
  return count;
}

SymDims contiguous_strides(const SymDims& sizes) {
  SymDims strides(sizes.size());
  SymInt stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= max(sizes[i], 1);
  }
  return strides;
}

Layout contiguous_layout(const SymDims& sizes) { return {sizes, contiguous_strides(sizes), 0}; }

SymDims strides_in_order(const SymDims& sizes, const Dims& order) {
  SymDims strides(sizes.size());
  SymInt stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= max(sizes[order[i]], 1);
  }
  return strides;
}

bool is_contiguous(const Layout& layout) {
  for (SymInt size : layout.sizes)
    if (size == 0) return true;
  SymInt expected = 1;
  for (size_t i = layout.sizes.size(); i-- > 0;) {
    if (layout.sizes[i] == 1) continue;
    if (!(layout.strides[i] == expected)) return false;
    expected *= layout.sizes[i];
  }
  return true;
}

bool is_dense(const Layout& layout) {
  for (SymInt size : layout.sizes)
    if (size == 0) return true;
  Dims order = stride_order(layout);
  SymInt expected = 1;
  for (size_t i = order.size(); i-- > 0;) {
    if (layout.sizes[order[i]] == 1) continue;
    if (!(layout.strides[order[i]] == expected)) return false;
    expected *= layout.sizes[order[i]];
  }
  return true;
}

bool overlaps_itself(const Layout& layout) {
  for (SymInt size : layout.sizes)
    if (size == 0) return false;
  // Sorted by stride, each dim must step over all that lies inside it.
  Dims order = stride_order(layout);
  SymInt reach = 0;
  for (size_t i = order.size(); i-- > 0;) {
    if (layout.sizes[order[i]] == 1) continue;
    if (layout.strides[order[i]] <= reach) return true;
    reach += (layout.sizes[order[i]] - 1) * layout.strides[order[i]];
  }
  return false;
}

bool is_expanded(const Layout& layout) {
  bool expanded = false;
  for (size_t i = 0; i < layout.sizes.size(); ++i) {
    if (layout.sizes[i] == 0) return false;
    expanded |= layout.strides[i] == 0 && layout.sizes[i] > 1;
  }
  return expanded;
}

bool is_addressable(const Layout& layout, int64_t element_bytes) {
  int64_t count = 1, last = layout.offset.hint(), bytes = 0;
  bool overflows = false;
  for (SymInt size : layout.sizes)
    if (size.hint() == 0) return !__builtin_mul_overflow(last, element_bytes, &bytes);
  for (size_t i = 0; i < layout.sizes.size(); ++i) {
    int64_t size = layout.sizes[i].hint(), reach = 0;
    overflows |= __builtin_mul_overflow(count, size, &count);
    overflows |= __builtin_mul_overflow(size - 1, layout.strides[i].hint(), &reach);
    overflows |= __builtin_add_overflow(last, reach, &last);
  }
  overflows |= __builtin_add_overflow(last, int64_t{1}, &last);
  return !overflows && !__builtin_mul_overflow(last, element_bytes, &bytes);
}

bool same_layout(const Layout& a, const Layout& b) {
  if (a.sizes.size() != b.sizes.size() || !(a.offset == b.offset)) return false;
  bool is_empty = false;
  for (size_t i = 0; i < a.sizes.size(); ++i) {
    if (!(a.sizes[i] == b.sizes[i])) return false;
    is_empty |= a.sizes[i] == 0;
  }
  for (size_t i = 0; i < a.sizes.size(); ++i)
    if (!is_empty && a.sizes[i] > 1 && !(a.strides[i] == b.strides[i])) return false;
  return true;
}

SymInt extent_end(const Layout& layout) {
  SymInt last = layout.offset;
  for (size_t i = 0; i < layout.sizes.size(); ++i) {
    if (layout.sizes[i] == 0) return layout.offset;
    last += (layout.sizes[i] - 1) * layout.strides[i];
  }
  return last + 1;
}

Dims stride_order(const Layout& layout) {
  Dims order(layout.sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return layout.strides[a].hint() != layout.strides[b].hint() ? layout.strides[a].hint() > layout.strides[b].hint()
                                                                : a < b;
  });
  return order;
}

std::optional<SymDims> broadcast_sizes(const SymDims& a, const SymDims& b) {
  const SymDims& longer = a.size() >= b.size() ? a : b;
  const SymDims& shorter = a.size() >= b.size() ? b : a;
  SymDims sizes = longer;
  size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    SymInt& size = sizes[lead + i];
    if (shorter[i].same(size) || shorter[i] == 1) continue;
    if (size == 1)
      size = shorter[i];
    else if (!(shorter[i] == size))
      return std::nullopt;
  }
  return sizes;
}

std::optional<Layout> expand_layout(const Layout& layout, const SymDims& sizes) {
  if (sizes.size() < layout.sizes.size()) return std::nullopt;
  Layout result{sizes, SymDims(sizes.size(), 0), layout.offset};
  size_t lead = sizes.size() - layout.sizes.size();
  for (size_t i = 0; i < layout.sizes.size(); ++i) {
    if (layout.sizes[i].same(sizes[lead + i]) || layout.sizes[i] == sizes[lead + i])
      result.strides[lead + i] = layout.strides[i];
    else if (!(layout.sizes[i] == 1))
      return std::nullopt;
  }
  return result;
}

std::optional<SymDims> view_strides(const Layout& layout, const SymDims& sizes) {
  if (numel(layout.sizes) == 0) {
    return layout.sizes == sizes ? layout.strides : contiguous_strides(sizes);
  }
  SymDims strides(sizes.size());
  int64_t to = static_cast<int64_t>(sizes.size()) - 1;
  SymInt base = layout.sizes.empty() ? SymInt(1) : layout.strides.back();
  SymInt from_count = 1, to_count = 1;
  for (int64_t from = layout.rank() - 1; from >= 0; --from) {
    from_count *= layout.sizes[from];
    // The end of a run of dims that lie in memory as one.
    bool run_ends = from == 0 || (!(layout.sizes[from - 1] == 1) && !(layout.strides[from - 1] == from_count * base));
    if (!run_ends) continue;
    while (to >= 0 && (to_count < from_count || sizes[to] == 1)) {
      strides[to] = to_count * base;
      to_count *= sizes[to];
      --to;
    }
    if (!(to_count == from_count)) return std::nullopt;
    if (from > 0) {
      base = layout.strides[from - 1];
      from_count = to_count = 1;
    }
  }
  for (; to >= 0; --to) {  // a zero-dim tensor seen as sizes of 1
    if (!(sizes[to] == 1)) return std::nullopt;
    strides[to] = to_count * base;
  }
  return strides;
}

SymDims pointwise_strides(const SymDims& sizes, std::span<const Layout* const> inputs) {
  size_t rank = sizes.size();
  // Strides of each input over the result's dims; 0 where it is broadcast. TensorIterator does not look at inputs that
  // have fewer elements along a dim when it compares two dims.
  std::vector<SymDims> strides;
  bool all_same_contiguous = true;
  for (const Layout* input : inputs) {
    SymDims over(rank, 0);
    size_t lead = rank - input->sizes.size();
    bool same_sizes = lead == 0;
    for (size_t i = 0; i < input->sizes.size(); ++i) {
      bool broadcast = input->sizes[i] == 1 && !(sizes[lead + i] == 1);
      if (!broadcast) over[lead + i] = input->strides[i];
      same_sizes &= !broadcast;
    }
    all_same_contiguous &= same_sizes && is_contiguous(*input);
    strides.push_back(std::move(over));
  }
  if (all_same_contiguous || rank <= 1) return contiguous_strides(sizes);

  // Insertion sort from the fastest dim outwards, as ATen's reorder_dimensions: dims whose order no input decides stay.
  Dims order(rank);  // fastest first
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(rank - 1 - i);
  auto should_swap = [&](int64_t a, int64_t b) {  // 1: a is slower than b; -1: faster; 0: undecided
    for (const SymDims& s : strides) {
      int64_t sa = s[a].hint(), sb = s[b].hint();
      if (sa == 0 || sb == 0) continue;
      if (sa < sb) return -1;
      if (sa > sb) return 1;
      if (sizes[a].hint() > sizes[b].hint()) return 1;
    }
    return 0;
  };
  for (size_t i = 1; i < rank; ++i) {
    size_t slot = i;
    for (size_t j = i; j-- > 0;) {
      int comparison = should_swap(order[j], order[slot]);
      if (comparison > 0) {
        std::swap(order[j], order[slot]);
        slot = j;
      } else if (comparison < 0) {
        break;
      }
    }
  }
  SymDims result(rank);
  SymInt stride = 1;
  for (int64_t dim : order) {
    result[dim] = stride;
    stride *= max(sizes[dim], 1);
  }
  return result;
}

SymDims preserved_strides(const Layout& layout) {
  if (is_contiguous(layout)) return contiguous_strides(layout.sizes);
  if (is_dense(layout) && !overlaps_itself(layout)) return layout.strides;
  const Layout* inputs[] = {&layout};
  return pointwise_strides(layout.sizes, inputs);
}

}  // namespace sinter
