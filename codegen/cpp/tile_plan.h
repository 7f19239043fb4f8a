// Which operands of a pointwise kernel run across its vectors, and the tiles through which they are transposed.

#pragma once

#include <sinter/codegen/cpp/kernel_context.h>

#include <optional>

namespace sinter::codegen {

struct TilePlan {
  int row_axis = -1;       // along which the transposed operands are contiguous
  int column_axis = -1;    // the vector axis
  int size = 64;           // rows and columns of a tile
  std::vector<int> loads;  // rows of the body's table of loads
};

// Nothing unless the kernel is one pointwise nest with an operand that is contiguous along another axis than its
// vectors.
std::optional<TilePlan> plan_tiles(const KernelContext& context);

// Tiles of the kernel: its range.
SymInt tile_count(const TilePlan& plan, const fusion::Nest& nest);

}  // namespace sinter::codegen
