// Device memory: stream-ordered blocks from the driver's pool, and in front of it free blocks by size and stream.
//
// A block that a tensor gives back is used again at once by work that comes later on the same stream: the stream's
// order is all the waiting there is. A tensor that another stream still uses must outlive that use.

#pragma once

#include <sinter/graph/storage.h>
#include <sinter/runtime/cuda/device.h>
#include <sinter/runtime/cuda/stream.h>

namespace sinter::runtime {

// Not cleared, aligned to 256 bytes, on the current stream of its device.
Storage new_cuda_storage(const CudaDevice& device, int64_t bytes);

// On the CPU or a CUDA device.
Storage new_storage(Device device, int64_t bytes);

}  // namespace sinter::runtime
