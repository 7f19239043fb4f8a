// Ops on whole buffers in device memory: matrix products by cuBLASLt; what has no CUDA form yet by way of the host.

#pragma once

#include <sinter/graph/op.h>

#include <span>
#include <vector>

namespace sinter::runtime {

// Writes the op's results into `outputs`, of which one, or one of the arguments, is on a CUDA device.
void call_cuda_library(const OpArgs& args, std::span<const Tensor> outputs);

// Copies the op's tensors to the host, runs it there, and copies its results back to its device. The log says so once
// for each op.
std::vector<Tensor> call_on_host(const OpArgs& args);

}  // namespace sinter::runtime
