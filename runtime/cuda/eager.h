// Runs each op at once on CUDA tensors: one kernel, from the generator that compiled functions use, for each op.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

// `device`: that of the op's tensors, or the one asked for. Not for views.
Values run_on_cuda(const OpArgs& args, Device device);

}  // namespace sinter::runtime
