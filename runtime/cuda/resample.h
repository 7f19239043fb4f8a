// Images in another size on a CUDA device, and the gradients.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// Whether the op resamples floats, or takes the nearest element of any type; if so, it is done: `outputs` are written
// on the current stream. The sums going forward are the CPU's, bit for bit.
bool resample_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
