// Puts nests that share data under common outer axes: reductions with what feeds and what follows them.
//
// After:  inline_producers.  Before: fuse_siblings.
// In:     one nest a kernel.
// Out:    kernels of several nests with outer_axes shared; in each outer iteration the nests run one after the other.
// Keeps:  each read sees the write that it saw before: values that pass from nest to nest within a kernel stay within
//         one iteration of the shared axes.

#pragma once

#include <sinter/fusion/schedule.h>
#include <sinter/fusion/schedule_graph.h>

namespace sinter::fusion {

bool fuse_kernels(Schedule& schedule, const FusionLimits& limits);

}  // namespace sinter::fusion
