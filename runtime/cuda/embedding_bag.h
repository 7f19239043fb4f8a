// embedding_bag on a device.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// False for other ops. The host reads where the bags begin, and so waits for it.
bool embed_bags_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
