// Pools of device tensors that give places, uneven averages, and the gradients of averages.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// False for other ops. Bit for bit what the CPU gives: windows are gone through in its order.
bool pool_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
