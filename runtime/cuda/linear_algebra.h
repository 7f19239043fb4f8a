// Dense linear algebra on a CUDA device, through cuSOLVER.

#pragma once

#include <sinter/graph/op.h>

#include <span>

namespace sinter::runtime {

// Whether the op is a factorisation or a solution by factors that cuSOLVER does here; if so, it is done: `outputs` are
// written on the current stream. The matrices of a batch are done one after the other.
bool factorise_on_cuda(const OpArgs& args, std::span<const Tensor> outputs);

}  // namespace sinter::runtime
