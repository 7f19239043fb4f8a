// Tensors on device memory that the caller owns: what other libraries allocated.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter::cuda {

// `data`: an address in the device's memory, which must outlive the tensor and the work that uses it. Strides count
// elements; without them it is row-major.
Tensor from_blob(void* data, SymDims sizes, Device device, DType dtype = f32);
Tensor from_blob(void* data, SymDims sizes, SymDims strides, Device device, DType dtype = f32);

}  // namespace sinter::cuda
