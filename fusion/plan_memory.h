// Gives each temporary a place in one arena; places are used again once their value is dead.
//
// After:  parallelize_axis.  Before: code generation.
// In:     kernels in their final order.
// Out:    arena_offset of each temporary, arena_bytes.
// Keeps:  temporaries that live at the same time apart.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

bool plan_memory(Schedule& schedule);

}  // namespace sinter::fusion
