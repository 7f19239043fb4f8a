// Makes equal calls on equal arguments one node (common subexpression elimination).
//
// After:  decompose.  Before: remove_dead_nodes.
// In:     a functional graph.
// Out:    no two nodes compute the same, except where both leave the function: their memory must stay separate.
// Keeps:  every value; random ops draw as often as before.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

bool merge_duplicates(Graph& graph);

}  // namespace sinter::graph
