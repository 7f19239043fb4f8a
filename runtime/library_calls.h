// Ops that are calls on whole buffers: matrix products and the random generator. Eager and compiled code call them
// alike.

#pragma once

#include <sinter/graph/graph.h>

#include <span>
#include <vector>

namespace sinter::runtime {

// Writes the op's results into `outputs`. `args`: the op's arguments, of which those that are tensors are not looked
// at; `inputs`: its tensors, in their order.
void call_library(const OpDef& op, const std::vector<graph::Argument>& args, std::span<const Tensor> inputs,
                  std::span<const Tensor> outputs, Here where);

}  // namespace sinter::runtime
