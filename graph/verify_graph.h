// Checks every invariant of a graph; run between passes in debug builds and on graphs that come from outside.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

// Throws an internal error that names the node and shows the graph.
void verify(const Graph& graph);

}  // namespace sinter::graph
