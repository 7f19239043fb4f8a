// Makes one loop of nests of a kernel that run over the same axes: shared loads are loaded once, and values pass in
// registers.
//
// After:  fuse_siblings.  Before: localize_buffers.
// In:     kernels of several nests.
// Out:    fewer nests; a value loaded where it was just computed has no load.
// Keeps:  the order of reductions and every stored value.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

bool merge_nests(Schedule& schedule);

}  // namespace sinter::fusion
