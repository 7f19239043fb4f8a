// Moves elements between memory with any strides and contiguous blocks.

#pragma once

#include <cstdint>
#include <span>

namespace sinter::runtime {

// block[i, j, ...] = memory[i * strides[0] + j * strides[1] + ...] for elements of 1, 2, 4 or 8 bytes.
void gather_elements(void* block, const void* memory, std::span<const int64_t> extents,
                     std::span<const int64_t> strides, int element_bytes);
// The other way.
void scatter_elements(void* memory, const void* block, std::span<const int64_t> extents,
                      std::span<const int64_t> strides, int element_bytes);

// block[i] = memory[positions[i]]; with a mask of bytes, 0 where it is 0, and no memory is touched there.
void gather_positions(void* block, const void* memory, const int64_t* positions, const uint8_t* mask, int64_t n,
                      int element_bytes);
void scatter_positions(void* memory, const void* block, const int64_t* positions, int64_t n, int element_bytes);

}  // namespace sinter::runtime
