// A storage that frees nothing.

#include <sinter/runtime/cuda/from_blob.h>

#include <sinter/runtime/cuda/device.h>

namespace sinter::cuda {

Tensor from_blob(void* data, SymDims sizes, SymDims strides, Device device, DType dtype) {
  runtime::cuda_device(device);
  TensorMeta meta{dtype, device, {std::move(sizes), std::move(strides), 0}};
  auto* borrowed = new StorageImpl;
  borrowed->data = data;
  borrowed->bytes = extent_end(meta.layout).constant() * byte_size(dtype);
  borrowed->device = device;
  return Tensor(std::move(meta), Storage(borrowed));
}

Tensor from_blob(void* data, SymDims sizes, Device device, DType dtype) {
  SymDims strides = contiguous_strides(sizes);
  return from_blob(data, std::move(sizes), std::move(strides), device, dtype);
}

}  // namespace sinter::cuda
