// Chooses the loop of a prepared nest.

#include <sinter/runtime/interpreter/run_sequence.h>
#include <sinter/runtime/interpreter/run_tiles.h>

namespace sinter::runtime {

void run_nest(const PreparedNest& nest, void* const* buffers) {
  if (nest.is_empty) return;
  if (nest.form == LoopForm::tiles)
    run_tiles(nest, buffers);
  else
    run_sequence(nest, buffers);
}

}  // namespace sinter::runtime
