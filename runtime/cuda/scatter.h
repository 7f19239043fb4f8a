// Writing at indices on a device: scatters, index_add and its like, index_put, unpooling, the gradient of embeddings.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// False for other ops. Elements that meet are combined in the CPU's order, so that sums have its bits.
bool scatter_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
