// Runs a prepared nest tile by tile: pointwise nests, and reductions whose sequences lie whole in tiles.

#pragma once

#include <sinter/runtime/interpreter/prepared_nest.h>

namespace sinter::runtime {

void run_tiles(const PreparedNest& nest, void* const* buffers);

}  // namespace sinter::runtime
