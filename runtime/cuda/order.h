// sort, topk, kthvalue, median and mode of device tensors.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// False for other ops. Values are the CPU's; where elements are equal, topk, kthvalue and mode name the first (mode the
// last) of them, which need not be the CPU's.
bool order_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
