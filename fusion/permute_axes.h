// Gives a nest other axes: the same in another order, or any that the old ones can be computed from.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

// Old axis k is replacements[k] of the new axes, in every index of the nest.
void replace_axes(Nest& nest, std::vector<Axis> axes, const Index& replacements);
// Axis order[k] becomes axis k.
void permute_axes(Nest& nest, std::span<const int> order);

}  // namespace sinter::fusion
