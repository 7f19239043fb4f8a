// Running sums and products on a CUDA device: cumsum and cumprod.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// Whether the op is one of them; if so, it is done: `outputs` are written on the current stream.
bool scan_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
