// Orders axes so that neighbouring iterations touch neighbouring memory.
//
// After:  localize_buffers.  Before: merge_axes.
// In:     axes in the order of the graph's dims.
// Out:    the axis of the smallest stride stands last among those that may be ordered.
// Keeps:  the sequence of reduction axes, and which axes are shared.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

bool reorder_axes(Schedule& schedule);

}  // namespace sinter::fusion
