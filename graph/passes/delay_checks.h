// Moves checks of index ranges, and what is computed for them alone, behind all else: on a device they stop nothing,
// and what stands around them fuses.
//
// After:  remove_dead_nodes.  Before: lowering.
// In:     a functional graph; writes into arguments last.
// Out:    the checks stand before the writes.
// Keeps:  every result, write and error; the order of random numbers.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

bool delay_checks(Graph& graph);

}  // namespace sinter::graph
