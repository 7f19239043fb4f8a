// Ops of device tensors whose results' sizes only data tell - nonzero, masked_select, unique, bincount,
// repeat_interleave - and those that count true elements on their way.

#pragma once

#include <sinter/graph/op.h>

#include <span>
#include <vector>

namespace sinter::runtime {

// Nothing for other ops. The number of elements comes to the host, which waits for it.
std::optional<std::vector<Tensor>> make_on_cuda(const OpArgs& args);

// nonzero_static, masked_scatter and its gradient; false for other ops.
bool place_true_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
