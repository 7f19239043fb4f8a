// The first elements of a device tensor's long rows, without sorting the rest.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter::runtime {

// The most that first_of_rows keeps of a row.
inline constexpr int64_t most_of_first = 2048;

// Ranked elements (ranked_elements.h) of a contiguous [rows, length] tensor, `*reach` of each row, at most
// most_of_first: the first `kept` of the row are among them, in the order of their positions.
Tensor first_of_rows(const Tensor& rows, bool descending, int64_t kept, int64_t* reach);

}  // namespace sinter::runtime
