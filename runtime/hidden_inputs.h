// Inputs that only the passes found: tensors that the functions of kernel ops capture or make.

#pragma once

#include <sinter/runtime/backend.h>
#include <sinter/runtime/input_order.h>

namespace sinter::runtime {

// Appends to `order` what the graph reads besides; those tensors.
std::vector<Tensor> hidden_inputs(const graph::Graph& graph, InputOrder& order);

// Runs the executable on the inputs it is given and then these, whose data is read at each call.
std::unique_ptr<Executable> with_hidden_inputs(std::unique_ptr<Executable> executable, std::vector<Tensor> hidden);

}  // namespace sinter::runtime
