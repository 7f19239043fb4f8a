// Ops on whole buffers in device memory: by libraries, by kernels of our own, or by way of the host.

#pragma once

#include <sinter/graph/op.h>

#include <span>
#include <vector>

namespace sinter::runtime {

// Writes the op's results into `outputs`, of which one, or one of the arguments, is on a CUDA device.
void call_cuda_library(const OpArgs& args, std::span<const Tensor> outputs);

// Makes the results of an op whose sizes only data tell: on the device, or where it has no form there by way of the
// host, which the log then says once for each op.
std::vector<Tensor> call_sizing_on_cuda(const OpArgs& args);

}  // namespace sinter::runtime
