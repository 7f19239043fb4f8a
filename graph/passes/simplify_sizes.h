// Sizes that turned out to be a number, or another size, are written as that everywhere.
//
// After:  insert_size_checks.  Before: merge_duplicates.
// In:     sizes, strides and arguments over symbols, some of which the decisions so far tie to others.
// Out:    the same over the symbols that are free.
// Keeps:  every value, at all sizes that pass the guards.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

bool simplify_sizes(Graph& graph);

}  // namespace sinter::graph
