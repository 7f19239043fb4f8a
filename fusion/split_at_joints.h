// Gives each part of a joined row a loop of its own: where conditions on the inner axis (of cat, pad, roll, tril ...)
// change at known places, the nest becomes one for each stretch between them, without the conditions.
//
// After:  merge_axes.  Before: vectorize_axis.
// In:     kernels of one pointwise nest.
// Out:    several nests that store to the same buffers at places apart; loads without masks.
// Keeps:  every stored value bit for bit; which memory is read.

#pragma once

#include <sinter/fusion/schedule_graph.h>

namespace sinter::fusion {

bool split_at_joints(Schedule& schedule, const FusionLimits& limits);

// For the interpreter, which would evaluate every part of a join for every element: wherever there is a joint.
void split_at_all_joints(Schedule& schedule);

}  // namespace sinter::fusion
