// The list of graph passes: no logic, only order.

#include <sinter/graph/prepare_graph.h>

#include <sinter/graph/passes/decompose.h>
#include <sinter/graph/passes/functionalize.h>
#include <sinter/graph/passes/insert_size_checks.h>
#include <sinter/graph/passes/merge_duplicates.h>
#include <sinter/graph/passes/remove_dead_nodes.h>
#include <sinter/graph/passes/simplify_sizes.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/verify_graph.h>

namespace sinter::graph {

void prepare_graph(Graph& graph, Stages& stages) {
  stages.run("functionalize", graph, functionalize);
  stages.run("decompose", graph, decompose);
  stages.run("insert_assumed_sizes", graph, insert_assumed_sizes);
  stages.run("simplify_sizes", graph, simplify_sizes);
  stages.run("merge_duplicates", graph, merge_duplicates);
  stages.run("remove_dead_nodes", graph, remove_dead_nodes);
}

}  // namespace sinter::graph
