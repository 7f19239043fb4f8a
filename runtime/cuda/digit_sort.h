// Long rows of a device tensor in their order, by the digits of their elements' ranks.

#pragma once

#include <sinter/graph/tensor.h>

#include <vector>

namespace sinter::runtime {

// The ranked elements (ranked_elements.h) of a contiguous [rows, length] tensor, each row sorted. `digits` are where
// the digits begin that may differ, from the least on.
Tensor sort_by_digits(const Tensor& rows, bool descending, const std::vector<int>& digits);

}  // namespace sinter::runtime
