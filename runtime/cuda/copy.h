// Moves elements between devices.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

// Bytes from one device's memory to another's, in the order of the CUDA devices' current streams. What comes from or
// goes to the CPU is done when this returns.
void copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t bytes);

// The same elements, strides and gaps in memory of their own on another device.
Tensor moved(const Tensor& tensor, Device device);

// aten::_to_copy and aten::copy_ where the devices differ.
Tensor copy_to_device(const OpArgs& args, Device device);
void copy_between_devices(const Tensor& self, const Tensor& source, Here here);

}  // namespace sinter::runtime
