// Lets a result take over the memory of an operand that dies where the result is made, element by element.
//
// After:  parallelize_axis.  Before: plan_memory.
// In:     one buffer per value.
// Out:    a bias or activation behind a matrix product writes where the product lies: no second large buffer.
// Keeps:  every value that is read: the operand is read at the very element that is then written, nowhere later.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

bool reuse_in_place(Schedule& schedule);

}  // namespace sinter::fusion
