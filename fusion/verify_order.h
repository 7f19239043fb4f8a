// Proves that in the fused order each read sees the write that it saw in the graph's order.
//
// After:  merge_nests.  Before: localize_buffers (which drops the dims that the proof looks at).
// In:     a schedule in which every fresh buffer has one writer, and arguments are written last.
// Out:    nothing; throws an internal error that names the read and the write that may meet in the wrong order.
// Keeps:  the schedule as it is.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

void verify_order(const Schedule& schedule);

}  // namespace sinter::fusion
