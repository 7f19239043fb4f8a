// May a nest join a kernel, at which outer axes, and why not: pure questions on the loop IR.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

// How a nest fits under a kernel's outer axes.
struct Fit {
  std::string refusal;           // why not; empty: it fits
  std::vector<int> kernel_axes;  // which of the kernel's outer axes stay shared
  std::vector<int> nest_axes;    // the nest's axis for each of them
};

// The nest's values that come from the kernel must come from the same iteration of the shared axes.
Fit fit_nest(const Schedule& schedule, const Kernel& kernel, const Nest& nest);

}  // namespace sinter::fusion
