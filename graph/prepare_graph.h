// Everything done to a traced graph before it becomes loops: the list of graph passes.

#pragma once

#include <sinter/graph/graph.h>
#include <sinter/graph/stages.h>

namespace sinter::graph {

void prepare_graph(Graph& graph, Stages& stages);

}  // namespace sinter::graph
