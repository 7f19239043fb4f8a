// Checks every invariant of a schedule; run between fusion passes in debug builds.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

// Throws an internal error that names the kernel and shows the nest.
void verify(const Schedule& schedule);

}  // namespace sinter::fusion
