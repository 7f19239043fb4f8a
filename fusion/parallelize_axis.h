// Chooses what threads share: the leading outer axes, or runs of the sequence of a full reduction.
//
// After:  vectorize_axis.  Before: plan_memory.
// In:     kernels with vector axes.
// Out:    parallel_axes and splits_reduction of each kernel.
// Keeps:  everything else.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

bool parallelize_axis(Schedule& schedule);

}  // namespace sinter::fusion
