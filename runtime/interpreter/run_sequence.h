// Runs a prepared nest that reduces sequences longer than a tile, or along another axis than the fastest.

#pragma once

#include <sinter/runtime/interpreter/prepared_nest.h>

namespace sinter::runtime {

void run_sequence(const PreparedNest& nest, void* const* buffers);

}  // namespace sinter::runtime
