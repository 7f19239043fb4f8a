// Gives a nest's axes another order.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

// Axis order[k] becomes axis k.
void permute_axes(Nest& nest, std::span<const int> order);

}  // namespace sinter::fusion
