// Sorts by strides, summed over the accesses of the kernel.

#include <sinter/fusion/reorder_axes.h>

#include <sinter/fusion/access.h>
#include <sinter/fusion/permute_axes.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinter::fusion {

namespace {

// How far apart in memory neighbours along the axis lie: the larger, the further out the axis belongs. Stores count
// twice, for they may go past the cache; what is the same along the axis counts nothing; a stride of 1 pulls inwards.
double distance(const Schedule& schedule, const Nest& nest, int axis) {
  double sum = 0;
  auto add = [&](int buffer, const Index& index, double weight) {
    if (schedule.buffers[buffer].kind == BufferKind::local) weight *= 0.1;
    double volume = static_cast<double>(numel(schedule.buffers[buffer].layout.sizes).hint());
    int64_t stride = std::abs(linear_of(schedule, buffer, index).coef_of(axis).hint());
    if (stride > 0) sum += weight * volume * std::log2(static_cast<double>(stride) + 1);
  };
  for (const Load& load : nest.body.loads) add(load.buffer, load.index, 1);
  for (const Store& store : nest.stores) add(store.buffer, store.index, 2);
  return sum;
}

// Sorts axes [first, last) of an order by the distances, furthest first.
bool sort_range(std::vector<int>& order, int first, int last, const std::vector<double>& distances) {
  auto further = [&](int a, int b) { return distances[a] != distances[b] ? distances[a] > distances[b] : a < b; };
  if (std::is_sorted(order.begin() + first, order.begin() + last, further)) return false;
  std::sort(order.begin() + first, order.begin() + last, further);
  return true;
}

bool reorder_outer(const Schedule& schedule, Kernel& kernel) {
  std::vector<double> distances(kernel.outer_axes, 0);
  for (const Nest& nest : kernel.nests)
    for (int axis = 0; axis < kernel.outer_axes; ++axis) distances[axis] += distance(schedule, nest, axis);
  std::vector<int> outer(kernel.outer_axes);
  std::iota(outer.begin(), outer.end(), 0);
  if (!sort_range(outer, 0, kernel.outer_axes, distances)) return false;
  for (Nest& nest : kernel.nests) {
    std::vector<int> order = outer;
    for (int axis = kernel.outer_axes; axis < static_cast<int>(nest.axes.size()); ++axis) order.push_back(axis);
    permute_axes(nest, order);
  }
  return true;
}

bool reorder_inner(const Schedule& schedule, Nest& nest, int outer_axes) {
  std::vector<double> distances;
  for (int axis = 0; axis < static_cast<int>(nest.axes.size()); ++axis)
    distances.push_back(distance(schedule, nest, axis));
  std::vector<int> order(nest.axes.size());
  std::iota(order.begin(), order.end(), 0);
  // Parallel axes come before the reduction axes, whose order is that of the sequence.
  if (!sort_range(order, outer_axes, std::max(outer_axes, parallel_rank(nest)), distances)) return false;
  permute_axes(nest, order);
  return true;
}

}  // namespace

bool reorder_axes(Schedule& schedule) {
  bool changed = false;
  for (Kernel& kernel : schedule.kernels) {
    if (kernel.call) continue;
    changed |= reorder_outer(schedule, kernel);
    for (Nest& nest : kernel.nests) changed |= reorder_inner(schedule, nest, kernel.outer_axes);
  }
  return changed;
}

}  // namespace sinter::fusion
