// A graph as a picture, in Graphviz' language: `dot -Tsvg`.

#pragma once

#include <span>

#include <sinter/graph/graph.h>
#include <sinter/graph/text/fused_kernel.h>

namespace sinter::graph {

// A box a node, with its op and types; the nodes of one kernel lie in a frame with the kernel's name. A node that
// several kernels compute lies in the first.
std::string to_dot(const Graph& graph, std::span<const FusedKernel> kernels = {});

}  // namespace sinter::graph
