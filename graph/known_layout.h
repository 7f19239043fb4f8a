// What holds of a symbolic layout whatever its sizes are: nothing is asked, so no guard comes of it.

#pragma once

#include <sinter/graph/layout.h>

namespace sinter {

// A size or stride is an expression.
bool is_symbolic(const Layout& layout);
// Strides of row-major order, as expressions: contiguous, and in no other order where that makes a difference.
bool is_row_major(const Layout& layout);
// Strides that make the dims one run, in some order.
bool is_one_run(const Layout& layout);

}  // namespace sinter
