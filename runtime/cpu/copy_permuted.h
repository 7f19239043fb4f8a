// Copies a tensor into memory of another order of its dims.

#pragma once

#include <cstdint>
#include <span>

namespace sinter::runtime {

// Strides in elements of 1, 2, 4 or 8 bytes; no two elements of `to` lie at one place, and nothing of `to` in `from`.
// Where the two orders have different dims contiguous, square blocks are transposed in registers.
void copy_permuted(const void* from, std::span<const int64_t> from_strides, void* to,
                   std::span<const int64_t> to_strides, std::span<const int64_t> sizes, int element_bytes);

}  // namespace sinter::runtime
