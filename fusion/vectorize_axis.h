// Chooses the axis of each nest that is computed a vector at a time.
//
// After:  split_at_joints.  Before: parallelize_axis.
// In:     nests without vector axes.
// Out:    vector_axis of each nest; a vector axis among the shared ones is the last of them; strip of the kernel.
// Keeps:  everything else.

#pragma once

#include <sinter/fusion/schedule.h>
#include <sinter/fusion/schedule_graph.h>

namespace sinter::fusion {

bool vectorize_axis(Schedule& schedule, const FusionLimits& limits);

}  // namespace sinter::fusion
