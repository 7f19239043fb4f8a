// Adds to the graph the checks of sizes that only data tell.
//
// After:  decompose.  Before: simplify_sizes.
// In:     a graph, and the relations that its trace and the passes so far relied on (ShapeFacts).
// Out:    a sinter::check_sizes node for each, behind the nodes that give the sizes in it.
// Keeps:  all other nodes and their order.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

// Returns true if there were any.
bool insert_size_checks(Graph& graph);

// The same of what the passes relied on, and of what the order of reductions will depend on: marked by this text, since
// the traced graph itself runs without.
inline constexpr std::string_view taken_for_granted = "what the program takes for granted";
bool insert_assumed_sizes(Graph& graph);

// Calls visit(symbol, dim) for each symbol that a call's result sizes give: output `output`, dim `dim`. A sinter::item
// gives one as its value: dim -1.
struct GivenSize {
  int symbol = -1;
  int output = 0;
  int dim = -1;
};
std::vector<GivenSize> sizes_given_by(const Node& node);

}  // namespace sinter::graph
