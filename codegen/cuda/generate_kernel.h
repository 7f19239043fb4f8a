// The CUDA source of one kernel and its launches.

#pragma once

#include <sinter/codegen/cpp/generate_kernel.h>

namespace sinter::codegen {

// `name` becomes the first launch's function: cuda_fused_add_relu_0; of further launches cuda_fused_add_relu_0_2, ...
GeneratedKernel generate_kernel(const fusion::Schedule& schedule, const fusion::Kernel& kernel,
                                const CudaTarget& target, const std::string& name);

}  // namespace sinter::codegen
