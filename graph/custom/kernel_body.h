// What a kernel op's function does, as a graph of its own: traced on fake tensors and made functional, whatever it
// writes on the way.

#pragma once

#include <sinter/graph/graph.h>

namespace sinter::graph {

class Trace;

// The op's results, of an op that writes arguments first what those hold afterwards. Placeholders are the tensors among
// the arguments, in order. Throws Error(argument) if the function writes what its schema does not say.
Graph kernel_body(const OpArgs& args);

// The same nodes in the active trace, on these arguments; the results.
std::vector<Tensor> insert_body(Graph body, const OpArgs& args, Trace& trace);

// Tensors that kernel ops of a traced function read besides their arguments become inputs of its graph, so that guards
// ask where they lie. Such as a function makes at each call are nobody else's.
void lift_hidden_inputs(Trace& trace);

}  // namespace sinter::graph
