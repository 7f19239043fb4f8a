// Drops buffers that nobody reads any more, and keeps values that only pass between nests of one kernel in small memory
// that each iteration of the shared axes uses anew.
//
// After:  merge_nests.  Before: merge_axes.
// In:     buffers as large as their graph values.
// Out:    fewer stores; local buffers without the dims of the shared axes.
// Keeps:  every value that is read.

#pragma once

#include <sinter/fusion/schedule.h>
#include <sinter/fusion/schedule_graph.h>

namespace sinter::fusion {

bool localize_buffers(Schedule& schedule, const FusionLimits& limits);

}  // namespace sinter::fusion
