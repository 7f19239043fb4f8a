// Looks for an element of each at one place: a sum of strides, each taken a bounded number of times, that is the
// distance between the first elements.

#include <sinter/graph/custom/overlap.h>

#include <algorithm>
#include <vector>

namespace sinter::graph {

namespace {

// How often a stride may be taken: a's index less b's.
struct Steps {
  int64_t stride = 0, least = 0, most = 0;
};

class Search {
 public:
  void add(const Layout& layout, bool is_subtracted) {
    for (int64_t dim = 0; dim < layout.rank(); ++dim) {
      int64_t size = layout.sizes[dim].hint(), stride = layout.strides[dim].hint();
      if (size < 2 || stride == 0) continue;
      auto found = std::ranges::find(steps_, stride, &Steps::stride);
      if (found == steps_.end()) found = steps_.insert(steps_.end(), {stride, 0, 0});
      (is_subtracted ? found->least : found->most) += is_subtracted ? 1 - size : size - 1;
    }
  }

  // Whether the strides can make up `distance`; true also if that takes too long to tell.
  bool reaches(int64_t distance) {
    std::ranges::sort(steps_, std::greater<>(), &Steps::stride);
    return reaches(distance, 0);
  }

 private:
  bool reaches(int64_t distance, size_t at) {
    if (at == steps_.size()) return distance == 0;
    if (--patience_ < 0) return true;
    int64_t low = 0, high = 0;  // what the smaller strides reach
    for (size_t i = at + 1; i < steps_.size(); ++i) {
      low += steps_[i].least * steps_[i].stride;
      high += steps_[i].most * steps_[i].stride;
    }
    const Steps& step = steps_[at];
    int64_t first = std::max(step.least, ceil_of(distance - high, step.stride));
    int64_t last = std::min(step.most, floor_of(distance - low, step.stride));
    for (int64_t times = first; times <= last; ++times)
      if (reaches(distance - times * step.stride, at + 1)) return true;
    return false;
  }

  static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }
  static int64_t ceil_of(int64_t a, int64_t b) { return a / b + (a % b > 0); }

  std::vector<Steps> steps_;
  int patience_ = 2000;
};

}  // namespace

bool may_overlap(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined() || !a.storage() || a.storage().get() != b.storage().get()) return false;
  if (numel(a.sizes()).hint() == 0 || numel(b.sizes()).hint() == 0) return false;
  const Layout &one = a.impl()->meta.layout, &other = b.impl()->meta.layout;
  auto first_byte = [](const Tensor& t) { return t.layout().offset.hint() * byte_size(t.dtype()); };
  auto end_byte = [](const Tensor& t) { return extent_end(t.layout()).hint() * byte_size(t.dtype()); };
  if (first_byte(a) >= end_byte(b) || first_byte(b) >= end_byte(a)) return false;
  if (byte_size(a.dtype()) != byte_size(b.dtype())) return true;
  Search search;
  search.add(one, /*is_subtracted=*/false);
  search.add(other, /*is_subtracted=*/true);
  return search.reaches(other.offset.hint() - one.offset.hint());
}

}  // namespace sinter::graph
