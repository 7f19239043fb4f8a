// What the order in which a reduction takes its elements depends on.

#pragma once

#include <sinter/graph/layout.h>

namespace sinter::graph {

// Whether the fastest dim is reduced, where dims of size 1 do not count. A symbolic size is only compared with 1 where
// that makes a difference: the one element of a sequence has one order.
bool fastest_is_reduced(const Layout& input, const Dims& reduced);

}  // namespace sinter::graph
