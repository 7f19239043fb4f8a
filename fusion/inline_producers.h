// Computes pointwise values where they are used instead of storing them.
//
// After:  lower_to_loops.  Before: fuse_kernels.
// In:     one nest per node.
// Out:    a value used by one nest, or cheap to compute again, has no buffer.
// Keeps:  every stored value bit for bit; reads of arguments stay before the writes that follow them.

#pragma once

#include <sinter/fusion/schedule.h>
#include <sinter/fusion/schedule_graph.h>

namespace sinter::fusion {

bool inline_producers(Schedule& schedule, const FusionLimits& limits);

}  // namespace sinter::fusion
