// A wide reduction is vectorised along what it reduces, a scan of neighbours in memory along what it scans; other nests
// along their innermost parallel axis, or along the last shared axis where nothing else is left.

#include <sinter/fusion/vectorize_axis.h>

#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::fusion {

namespace {

bool is_wide(const Nest& nest) {
  return std::any_of(nest.stores.begin(), nest.stores.end(), [](const Store& store) {
    return store.reduction != ReductionKind::none && store.order.lanes > 1;
  });
}

// Elements that follow one another along the axis do so in memory.
bool stores_neighbours(const Schedule& schedule, const Nest& nest, int axis) {
  const Store& store = nest.stores[0];
  return linear_of(schedule, store.buffer, store.index).coef_of(axis).same(1);
}

// The nest's own axis to vectorise; -1 if it has none that would do.
int inner_axis(const Schedule& schedule, const Nest& nest, int outer_axes) {
  int count = static_cast<int>(nest.axes.size());
  int parallel = parallel_rank(nest);
  bool goes_along = has_scan(nest) ? stores_neighbours(schedule, nest, count - 1) : !has_reduction(nest);
  if (goes_along || is_wide(nest)) return count > outer_axes ? count - 1 : -1;
  return parallel > outer_axes ? parallel - 1 : -1;  // a narrow reduction, or a scan, goes along what it keeps
}

// Nests with axes of their own, none of which can be vectorised, leave only the shared axes.
bool needs_outer_axis(const Schedule& schedule, const Kernel& kernel) {
  bool any_inner = false;
  for (const Nest& nest : kernel.nests) {
    bool has_own = static_cast<int>(nest.axes.size()) > kernel.outer_axes;
    if (has_own && inner_axis(schedule, nest, kernel.outer_axes) < 0) return true;
    any_inner |= has_own;
  }
  return !any_inner;
}

// Of a strip: as many sums as leave room in the second cache for what is read.
constexpr int64_t most_strip = 256;
constexpr int64_t least_long_strip = 16;
constexpr int most_short_strip = 8;
constexpr int least_strips = 16;  // for the threads, where their length is fixed

// Longer runs of contiguous memory per step of a column reduction, as long as there is enough for every thread. One
// nest alone keeps nothing but its sums, so that its strips may be as long as there are columns.
int strip_of(const Kernel& kernel, int vector_bytes) {
  if (std::none_of(kernel.nests.begin(), kernel.nests.end(), is_ordered)) return 1;
  int64_t vectors = kernel.nests[0].axes[kernel.outer_axes - 1].extent.hint() / (vector_bytes / 4);
  bool is_alone = kernel.nests.size() == 1 && kernel.nests[0].stores.size() == 1;
  // Running values of a scan, which every step takes and leaves, belong in registers.
  if (is_alone && vectors >= least_long_strip && !has_scan(kernel.nests[0]))
    return static_cast<int>(std::min(vectors, most_strip));
  int strip = 1;
  while (strip < most_short_strip && vectors >= strip * least_strips) strip *= 2;
  return strip;
}

}  // namespace

bool vectorize_axis(Schedule& schedule, const FusionLimits& limits) {
  for (Kernel& kernel : schedule.kernels) {
    if (kernel.call) continue;
    bool is_outer = kernel.outer_axes > 0 && needs_outer_axis(schedule, kernel);
    for (Nest& nest : kernel.nests)
      nest.vector_axis = is_outer ? kernel.outer_axes - 1 : inner_axis(schedule, nest, kernel.outer_axes);
    kernel.strip = is_outer ? strip_of(kernel, limits.vector_bytes) : 1;
  }
  return !schedule.kernels.empty();
}

}  // namespace sinter::fusion
