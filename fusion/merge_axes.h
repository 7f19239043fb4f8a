// Makes one axis of two neighbours that lie in memory as one.
//
// After:  reorder_axes.  Before: split_at_joints.
// In:     one axis per dim.
// Out:    as few axes as the accesses allow; axes of extent 1 are gone.
// Keeps:  the elements visited and the sequence of reductions.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

bool merge_axes(Schedule& schedule);

}  // namespace sinter::fusion
