// All outer axes but the vector axis; a vector axis that is the only one is shared itself.

#include <sinter/fusion/parallelize_axis.h>

#include <sinter/fusion/access.h>

namespace sinter::fusion {

namespace {

constexpr int64_t least_split = 1 << 16;  // elements below which one thread is faster

// The first nest reduces everything to scalars, and what follows works on scalars.
bool may_split(const Kernel& kernel) {
  if (kernel.outer_axes != 0) return false;
  for (size_t n = 0; n < kernel.nests.size(); ++n) {
    const Nest& nest = kernel.nests[n];
    if (n > 0 && !nest.axes.empty()) return false;
    if (n > 0) continue;
    if (nest.axes.size() != 1 || nest.axes[0].kind != AxisKind::reduction) return false;
    if (nest.axes[0].extent.is_constant() && iterations(nest) < least_split) return false;
    for (const Store& store : nest.stores)
      if (store.reduction != ReductionKind::none && store.order.lanes == 1) return false;
  }
  return true;
}

}  // namespace

bool parallelize_axis(Schedule& schedule) {
  for (Kernel& kernel : schedule.kernels) {
    if (kernel.call) continue;
    bool outer_vector = kernel.outer_axes > 0 && kernel.nests[0].vector_axis == kernel.outer_axes - 1;
    kernel.parallel_axes = outer_vector && kernel.outer_axes > 1 ? kernel.outer_axes - 1 : kernel.outer_axes;
    kernel.splits_reduction = may_split(kernel);
  }
  return !schedule.kernels.empty();
}

}  // namespace sinter::fusion
