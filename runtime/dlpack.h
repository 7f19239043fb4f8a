// Tensors from and for other libraries, without a copy: the DLPack interface, for the CPU's and CUDA devices' memory.
//
// The structs are those of DLPack's own header (dlpack.h, version 1), declared here in a namespace, so that a program
// may include both: their layouts are equal, and a pointer to one is cast to a pointer to the other.

#pragma once

#include <sinter/graph/tensor.h>

#include <cstdint>

namespace sinter {

namespace dlpack {

struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
};

inline constexpr int32_t kDLCPU = 1;
inline constexpr int32_t kDLCUDA = 2;
inline constexpr int32_t kDLCUDAHost = 3;
inline constexpr int32_t kDLCUDAManaged = 13;
struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

inline constexpr uint8_t kDLInt = 0;
inline constexpr uint8_t kDLUInt = 1;
inline constexpr uint8_t kDLFloat = 2;
inline constexpr uint8_t kDLBfloat = 4;
inline constexpr uint8_t kDLBool = 6;
struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null: row-major
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};

inline constexpr uint64_t DLPACK_FLAG_BITMASK_READ_ONLY = 1;
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
};

}  // namespace dlpack

// The tensor's memory for another library, whose `deleter` must be called once: until then the memory lives. On a CUDA
// device it is ready for work that comes after the current stream's.
dlpack::DLManagedTensor* to_dlpack(const Tensor& tensor, Here here = Here::current());
dlpack::DLManagedTensorVersioned* to_dlpack_versioned(const Tensor& tensor, Here here = Here::current());

// A tensor on another library's memory, which is given back by its `deleter` with the tensor's last view. What sinter
// can't hold (complex numbers, vectors, other devices, memory that may not be written) is an error, and stays the
// caller's. On a CUDA device, work on the current stream must come after the other library's.
Tensor from_dlpack(dlpack::DLManagedTensor* managed, Here here = Here::current());
Tensor from_dlpack(dlpack::DLManagedTensorVersioned* managed, Here here = Here::current());

}  // namespace sinter
