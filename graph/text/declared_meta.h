// Whether what a graph file says of a call's results agrees with what its op says.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

// What is wrong with a tensor's declared sizes, strides and offset; empty if nothing is.
std::string fault_of(const TensorMeta& meta);
// The same of a call whose arguments are bound: types and sizes of its results must be those that its op gives, and
// views must lie where their op puts them, inside their memory. Throws what the op throws for its arguments.
std::string fault_of_results(const Node& node);

}  // namespace sinter::graph
