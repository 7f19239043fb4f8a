// Convolutions on a CUDA device, through cuDNN.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// Whether the op is a convolution, or the gradient of one's weight, that cuDNN does here; if so, it is done: `outputs`
// are written on the current stream. Only its deterministic algorithms are used, and for f32 no tf32.
bool convolve_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
