// Arithmetic on sizes and strides, as ATen does it.

#include <sinter/graph/layout.h>

#include <sinter/graph/known_layout.h>
#include <sinter/graph/shape_facts.h>

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

bool is_symbolic(const Layout& layout) {
  auto is_symbolic = [](SymInt value) { return !value.is_constant(); };
  return std::ranges::any_of(layout.sizes, is_symbolic) || std::ranges::any_of(layout.strides, is_symbolic);
}

namespace {

bool is_unbacked(const Layout& layout) {
  auto is_data = [](SymInt value) { return sinter::is_unbacked(value); };
  return std::ranges::any_of(layout.sizes, is_data) || std::ranges::any_of(layout.strides, is_data) ||
         is_data(layout.offset);
}

}  // namespace

bool is_row_major(const Layout& layout) {
  SymDims strides = contiguous_strides(layout.sizes);
  for (size_t i = 0; i < strides.size(); ++i)
    if (!strides[i].same(layout.strides[i]) && !layout.sizes[i].same(1)) return false;
  return true;
}

bool is_one_run(const Layout& layout) {
  SymInt expected = 1;
  std::vector<bool> taken(layout.sizes.size());
  for (size_t found = 0; found < taken.size(); ++found) {
    size_t dim = 0;
    while (dim < taken.size() && (taken[dim] || !layout.strides[dim].same(expected))) ++dim;
    if (dim == taken.size()) return false;
    taken[dim] = true;
    expected *= max(layout.sizes[dim], 1);
  }
  return true;
}

bool is_contiguous(const Layout& layout) {
  graph::AnswerGenerally asks_nothing;
  if (is_symbolic(layout) && is_row_major(layout)) return true;
  for (SymInt size : layout.sizes)
    if (size == 0) return true;
  SymInt expected = 1;
  // The stride is looked at first: where it fits, it does not matter whether the size is 1.
  for (size_t i = layout.sizes.size(); i-- > 0;) {
    if (!layout.strides[i].same(expected)) {
      if (layout.sizes[i] == 1) continue;
      if (!(layout.strides[i] == expected)) return false;
    }
    expected *= layout.sizes[i];
  }
  return true;
}

bool is_dense(const Layout& layout) {
  graph::AnswerGenerally asks_nothing;
  if (is_symbolic(layout) && is_one_run(layout)) return true;
  for (SymInt size : layout.sizes)
    if (size == 0) return true;
  Dims order = stride_order(layout);
  SymInt expected = 1;
  for (size_t i = order.size(); i-- > 0;) {
    if (!layout.strides[order[i]].same(expected)) {
      if (layout.sizes[order[i]] == 1) continue;
      if (!(layout.strides[order[i]] == expected)) return false;
    }
    expected *= layout.sizes[order[i]];
  }
  return true;
}

bool overlaps_itself(const Layout& layout) {
  graph::AnswerGenerally asks_nothing;
  if (is_symbolic(layout) && is_one_run(layout)) return false;
  for (SymInt size : layout.sizes)
    if (size == 0) return false;
  // Sorted by stride, each dim must step over all that lies inside it.
  Dims order = stride_order(layout);
  SymInt reach = 0;
  for (size_t i = order.size(); i-- > 0;) {
    if (layout.sizes[order[i]].same(1)) continue;
    if (!is_surely_at_least(layout.strides[order[i]], reach + 1)) {
      if (layout.sizes[order[i]] == 1) continue;
      if (sinter::is_unbacked(layout.strides[order[i]] - reach) || layout.strides[order[i]] <= reach) return true;
    }
    reach += (layout.sizes[order[i]] - 1) * layout.strides[order[i]];
  }
  return false;
}

bool is_expanded(const Layout& layout) {
  graph::AnswerGenerally asks_nothing;
  bool expanded = false;
  for (size_t i = 0; i < layout.sizes.size(); ++i)
    expanded |= !is_surely_at_least(layout.strides[i], 1) && layout.strides[i] == 0 && layout.sizes[i] > 1;
  // An empty tensor is not; asked only where it matters.
  return expanded && std::ranges::none_of(layout.sizes, [](SymInt size) { return size == 0; });
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
  graph::AnswerGenerally asks_nothing;
  if (a.sizes.size() != b.sizes.size() || !(a.offset == b.offset)) return false;
  bool is_empty = false;
  for (size_t i = 0; i < a.sizes.size(); ++i) {
    if (!(a.sizes[i] == b.sizes[i])) return false;
    is_empty |= a.sizes[i] == 0;
  }
  for (size_t i = 0; i < a.sizes.size(); ++i)
    if (!is_empty && !a.strides[i].same(b.strides[i]) && a.sizes[i] > 1 && !(a.strides[i] == b.strides[i]))
      return false;
  return true;
}

bool same_strides(const Layout& a, const Layout& b) {
  return std::equal(a.strides.begin(), a.strides.end(), b.strides.begin(), b.strides.end(),
                    [](const SymInt& x, const SymInt& y) { return x.same(y); });
}

SymInt extent_end(const Layout& layout) {
  graph::AnswerGenerally asks_nothing;
  if (is_symbolic(layout) && is_one_run(layout)) return layout.offset + numel(layout.sizes);
  SymInt last = layout.offset;
  for (size_t i = 0; i < layout.sizes.size(); ++i) {
    SymInt size = layout.sizes[i];
    // Of a size that may be 0 at some calls no less is said than there is.
    bool may_be_nothing = !size.is_constant() && !sinter::is_unbacked(size) && !is_surely_at_least(size, 1);
    if (!may_be_nothing && size == 0) return layout.offset;
    last += (may_be_nothing ? max(size - 1, 0) : size - 1) * layout.strides[i];
  }
  return last + 1;
}

namespace {

// A dim that as a whole fits into a step of another one: it is the inner one of the two, or has one element.
bool lies_inside(SymInt size, SymInt stride, SymInt step) {
  return !size.is_constant() && is_surely_at_least(step, (size - 1) * stride + 1);
}

// Of two dims, the first one in the list: it stays outside unless the other's stride is larger. Where strides are only
// equal because a size is 1 either order will do.
bool is_outside(const Layout& layout, int64_t first, int64_t second) {
  SymInt a = layout.strides[first], b = layout.strides[second];
  if (a.same(b) || is_surely_at_least(a, b) || lies_inside(layout.sizes[second], b, a)) return true;
  return !is_surely_at_least(b, a) && !lies_inside(layout.sizes[first], a, b) && !(a < b);
}

}  // namespace

// By insertion: of dims that are in order already only neighbours are compared.
Dims stride_order(const Layout& layout) {
  graph::AnswerGenerally asks_nothing;
  Dims order(layout.sizes.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t k = i; k > 0 && !is_outside(layout, order[k - 1], order[k]); --k) std::swap(order[k - 1], order[k]);
  return order;
}

namespace {

bool may_be_data(SymInt a, SymInt b) { return sinter::is_unbacked(a) || sinter::is_unbacked(b); }

// Equal, where the question makes sense: they are equal in the example, or one of them only data tell.
bool may_equal(SymInt a, SymInt b) {
  if (may_be_data(a, b)) return !a.same(1) && !b.same(1) && a == b;
  return a.hint() == b.hint() && a == b;
}

}  // namespace

std::optional<SymDims> broadcast_sizes(const SymDims& a, const SymDims& b) {
  const SymDims& longer = a.size() >= b.size() ? a : b;
  const SymDims& shorter = a.size() >= b.size() ? b : a;
  SymDims sizes = longer;
  size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    SymInt& size = sizes[lead + i];
    // Of two equal sizes only that is asked: it covers sizes of 1.
    if (shorter[i].same(size) || shorter[i].same(1)) continue;
    if (size.same(1)) {
      size = shorter[i];
      continue;
    }
    if (may_be_data(shorter[i], size)) {
      if (!(shorter[i] == size)) return std::nullopt;
      if (sinter::is_unbacked(size)) size = shorter[i];
      continue;
    }
    if (shorter[i].hint() == size.hint() ? shorter[i] == size : shorter[i] == 1) continue;
    if (!(size == 1)) return std::nullopt;
    size = shorter[i];
  }
  return sizes;
}

std::optional<Layout> expand_layout(const Layout& layout, const SymDims& sizes) {
  if (sizes.size() < layout.sizes.size()) return std::nullopt;
  Layout result{sizes, SymDims(sizes.size(), 0), layout.offset};
  size_t lead = sizes.size() - layout.sizes.size();
  for (size_t i = 0; i < layout.sizes.size(); ++i) {
    SymInt from = layout.sizes[i], to = sizes[lead + i];
    bool is_kept = from.same(to) || may_equal(from, to);
    if (is_kept)
      result.strides[lead + i] = layout.strides[i];
    else if (!(from == 1))
      return std::nullopt;
  }
  return result;
}

namespace {

// A view whatever the sizes are: dims that are known to lie in memory as one run become dims that are known to hold as
// much.
std::optional<SymDims> strides_of_known_runs(const Layout& layout, const SymDims& sizes) {
  SymDims strides(sizes.size(), 1);
  int64_t to = static_cast<int64_t>(sizes.size()) - 1;
  SymInt run = 1, taken = 1, base = 1;
  for (int64_t from = layout.rank() - 1; from >= 0; --from) {
    if (layout.sizes[from].same(1)) continue;
    if (run.same(1)) base = layout.strides[from];
    run *= layout.sizes[from];
    int64_t next = from - 1;
    while (next >= 0 && layout.sizes[next].same(1)) --next;
    if (next >= 0 && layout.strides[next].same(run * base)) continue;
    while (to >= 0 && (!taken.same(run) || sizes[to].same(1))) {
      strides[to] = taken * base;
      taken *= sizes[to--];
    }
    if (!taken.same(run)) return std::nullopt;
    run = taken = 1;
  }
  for (; to >= 0; --to)
    if (!sizes[to].same(1)) return std::nullopt;
  return strides;
}

// The strides of view_strides for sizes that only data tell: such as are right whatever these turn out to be. A size
// that turns out 0 or 1 may allow views that others do not.
std::optional<SymDims> view_strides_of_data(const Layout& layout, const SymDims& sizes) {
  if (std::ranges::equal(layout.sizes, sizes, &SymInt::same)) return layout.strides;
  SymDims strides(sizes.size());
  int64_t to = static_cast<int64_t>(sizes.size()) - 1;
  SymInt base = layout.sizes.empty() ? SymInt(1) : layout.strides.back();
  // How many elements the dims of a run have, and how far apart those are that follow it: an empty dim counts as one.
  SymInt from_count = 1, from_step = 1, to_count = 1, to_step = 1;
  auto take = [&] {
    strides[to] = to_step * base;
    to_count *= sizes[to];
    to_step *= max(sizes[to], 1);
    --to;
  };
  for (int64_t from = layout.rank() - 1; from >= 0; --from) {
    from_count *= layout.sizes[from];
    from_step *= max(layout.sizes[from], 1);
    bool goes_on =
        from > 0 && (layout.sizes[from - 1].same(1) || is_proven_equal(layout.strides[from - 1], from_step * base));
    if (goes_on) continue;
    while (to >= 0 && (sizes[to].same(1) || !is_proven_equal(to_count, from_count))) take();
    if (!is_proven_equal(to_count, from_count)) return std::nullopt;
    if (from == 0) break;
    base = layout.strides[from - 1];
    from_count = from_step = to_count = to_step = 1;
  }
  while (to >= 0 && sizes[to].same(1)) take();
  return to < 0 ? std::optional(strides) : std::nullopt;
}

}  // namespace

std::optional<SymDims> view_strides(const Layout& layout, const SymDims& sizes) {
  bool is_any_symbolic =
      is_symbolic(layout) || std::ranges::any_of(sizes, [](SymInt size) { return !size.is_constant(); });
  if (is_any_symbolic && is_row_major(layout)) return contiguous_strides(sizes);
  if (is_symbolic(layout) && !is_unbacked(layout))
    if (std::optional<SymDims> strides = strides_of_known_runs(layout, sizes)) return strides;
  graph::AnswerGenerally asks_nothing;
  if (is_unbacked(layout) || std::ranges::any_of(sizes, [](SymInt size) { return sinter::is_unbacked(size); }))
    return view_strides_of_data(layout, sizes);
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
    bool run_ends = from == 0 || (!layout.strides[from - 1].same(from_count * base) && !(layout.sizes[from - 1] == 1) &&
                                  !(layout.strides[from - 1] == from_count * base));
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
  graph::AnswerGenerally asks_nothing;
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
      // A size that is 1 at some calls only is that of a broadcast dim all the same: its stride means nothing then.
      SymInt size = sizes[lead + i];
      SymInt own = input->sizes[i];
      bool is_kept = own.same(size) || may_equal(own, size);
      bool broadcast = !is_kept && own == 1 && !size.same(1);
      if (!broadcast) over[lead + i] = input->strides[i];
      same_sizes &= !broadcast;
    }
    // Row-major strides are found below as well: what is not known to be contiguous need not be asked for.
    all_same_contiguous &= same_sizes && (is_symbolic(*input) ? is_row_major(*input) : is_contiguous(*input));
    strides.push_back(std::move(over));
  }
  if (all_same_contiguous || rank <= 1) return contiguous_strides(sizes);
  if (is_symbolic(*inputs[0])) {
    bool all_one_run = std::ranges::all_of(inputs, [&](const Layout* input) {
      return std::ranges::equal(input->strides, inputs[0]->strides, &SymInt::same) &&
             std::ranges::equal(input->sizes, inputs[0]->sizes, &SymInt::same) && is_one_run(*input);
    });
    if (all_one_run && inputs[0]->sizes.size() == rank) return inputs[0]->strides;
  }

  // Insertion sort from the fastest dim outwards, as ATen's reorder_dimensions: dims whose order no input decides stay.
  Dims order(rank);  // fastest first
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(rank - 1 - i);
  auto should_swap = [&](int64_t a, int64_t b) {  // 1: a is slower than b; -1: faster; 0: undecided
    for (const SymDims& s : strides) {
      SymInt sa = s[a], sb = s[b];
      if (sa.same(0) || sb.same(0)) continue;
      if (!sa.same(sb)) {
        bool is_faster = is_surely_at_least(sb, sa) || lies_inside(sizes[a], sa, sb);
        bool is_slower = is_surely_at_least(sa, sb) || lies_inside(sizes[b], sb, sa);
        if (is_faster || (!is_slower && sa < sb)) return -1;
        if (is_slower || sa > sb) return 1;
      }
      if (!sizes[a].same(sizes[b]) && sizes[a] > sizes[b]) return 1;
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
  if (is_symbolic(layout)) {  // the order of the strides is that of the result, whether there are gaps or not
    if (is_row_major(layout)) return contiguous_strides(layout.sizes);
    if (is_one_run(layout)) return layout.strides;
    const Layout* inputs[] = {&layout};
    return pointwise_strides(layout.sizes, inputs);
  }
  if (is_contiguous(layout)) return contiguous_strides(layout.sizes);
  if (is_dense(layout) && !overlaps_itself(layout)) return layout.strides;
  const Layout* inputs[] = {&layout};
  return pointwise_strides(layout.sizes, inputs);
}

}  // namespace sinter
