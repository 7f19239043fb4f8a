// The stream to which this thread's work on a device goes, for the files of this folder.

#pragma once

#include <sinter/runtime/cuda/device.h>

namespace sinter::runtime {

CUstream current_cuda_stream(const CudaDevice& device);

}  // namespace sinter::runtime
