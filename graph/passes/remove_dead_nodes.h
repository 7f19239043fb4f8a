// Drops nodes whose results nobody uses.
//
// After:  merge_duplicates.  Before: lowering.
// In:     a functional graph.
// Out:    placeholders and captured tensors stay; so do writes, and ops that may fail for their data.
// Keeps:  every result, write and error.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

bool remove_dead_nodes(Graph& graph);

}  // namespace sinter::graph
