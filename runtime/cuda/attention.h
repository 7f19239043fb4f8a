// Attention on a CUDA device: two batched products with a fused softmax between them.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// Whether the op is attention going forward; if so, it is done: `outputs` are written on the current stream.
bool attend_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
