// From the fastest dim outwards, as long as sizes are 1.

#include <sinter/graph/reduction_order.h>

#include <algorithm>

namespace sinter::graph {

namespace {

bool contains(const Dims& dims, int64_t dim) { return std::find(dims.begin(), dims.end(), dim) != dims.end(); }

// Of the first `count` dims, outermost first.
bool is_reduced_within(const Layout& input, const Dims& reduced, const Dims& dims, size_t count) {
  while (count > 0 && input.sizes[dims[count - 1]].same(1)) --count;
  if (count == 0) return false;
  int64_t dim = dims[count - 1];
  bool is_reduced = contains(reduced, dim);
  bool is_last = std::all_of(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(count) - 1,
                             [&](int64_t other) { return input.sizes[other].same(1); });
  if (is_last || input.sizes[dim].is_constant() || is_reduced_within(input, reduced, dims, count - 1) == is_reduced)
    return is_reduced;
  bool is_only_one = is_reduced && std::none_of(dims.begin(), dims.end(), [&](int64_t other) {
                       return other != dim && contains(reduced, other) && !input.sizes[other].same(1);
                     });
  if (is_only_one || !(input.sizes[dim] == 1)) return is_reduced;
  return is_reduced_within(input, reduced, dims, count - 1);
}

}  // namespace

bool fastest_is_reduced(const Layout& input, const Dims& reduced) {
  return is_reduced_within(input, reduced, stride_order(input), input.sizes.size());
}

}  // namespace sinter::graph
