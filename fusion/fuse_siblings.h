// Joins small pointwise kernels that have nothing to do with each other but their domain: an optimiser's step over many
// parameters is a few kernels.
//
// After:  fuse_kernels.  Before: merge_nests.
// In:     kernels in execution order.
// Out:    fewer kernels; what one starts costs more than what a small one does.
// Keeps:  all values; the order of what depends on each other.

#pragma once

#include <sinter/fusion/schedule_graph.h>

namespace sinter::fusion {

// Returns true if any two kernels were joined.
bool fuse_siblings(Schedule& schedule, const FusionLimits& limits);

}  // namespace sinter::fusion
