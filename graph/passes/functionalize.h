// Replaces in-place ops by functional ones: each memory block becomes a series of values, one per write.
//
// After:  tracing.  Before: decompose.
// In:     a traced graph, whose nodes name the storage that each result lies in.
// Out:    no op writes, except copy_ nodes at the end that write arguments (and captured tensors) back, in user order.
// Keeps:  every value read, the memory that results share with arguments and with each other, and their strides.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

bool functionalize(Graph& graph);

}  // namespace sinter::graph
