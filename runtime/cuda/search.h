// searchsorted, bucketize and isin on a device.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// False for other ops.
bool search_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
