// DLPack's structs from tensors, and tensors from them.

#include <sinter/runtime/dlpack.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/device.h>

#include <array>
#include <memory>
#include <vector>

namespace sinter {

using namespace dlpack;

namespace {

struct TypeRow {
  DType dtype;
  uint8_t code;
  uint8_t bits;
};
constexpr std::array<TypeRow, 10> types = {{{DType::boolean, kDLBool, 8},
                                            {DType::u8, kDLUInt, 8},
                                            {DType::i8, kDLInt, 8},
                                            {DType::i16, kDLInt, 16},
                                            {DType::i32, kDLInt, 32},
                                            {DType::i64, kDLInt, 64},
                                            {DType::f16, kDLFloat, 16},
                                            {DType::bf16, kDLBfloat, 16},
                                            {DType::f32, kDLFloat, 32},
                                            {DType::f64, kDLFloat, 64}}};

constexpr DLPackVersion own_version = {1, 0};

// --- To ---------------------------------------------------------------------------------------------------------

// What the other library holds: the struct, the sizes it points to, and the tensor, whose memory lives as long.
template <class Managed>
struct Export {
  Managed managed{};
  Tensor tensor;
  std::vector<int64_t> shape, strides;

  static void release(Managed* managed) { delete static_cast<Export*>(managed->manager_ctx); }
};

DLDataType type_for(DType dtype, Here here) {
  for (const TypeRow& row : types)
    if (row.dtype == dtype) return {row.code, row.bits, 1};
  throw Error(ErrorKind::dtype, here, fmt::format("to_dlpack: DLPack has no type for {}", name(dtype)));
}

DLDevice device_for(Device device) {
  if (device.is_cpu()) return {kDLCPU, 0};
  return {kDLCUDA, device.index};
}

template <class Managed>
Managed* exported(const Tensor& tensor, Here here) {
  if (!tensor.defined()) throw Error(ErrorKind::argument, here, "to_dlpack: an undefined tensor");
  void* data = tensor.data_ptr(here);
  auto holder = std::make_unique<Export<Managed>>();
  holder->tensor = tensor;
  for (SymInt size : tensor.sizes()) holder->shape.push_back(size.constant());
  for (SymInt stride : tensor.strides()) holder->strides.push_back(stride.constant());
  holder->managed.dl_tensor = {data,
                               device_for(tensor.device()),
                               static_cast<int32_t>(tensor.dim()),
                               type_for(tensor.dtype(), here),
                               holder->shape.data(),
                               holder->strides.data(),
                               0};
  holder->managed.manager_ctx = holder.get();
  holder->managed.deleter = Export<Managed>::release;
  return &holder.release()->managed;
}

// --- From -------------------------------------------------------------------------------------------------------

DType type_of(const DLDataType& type, Here here) {
  for (const TypeRow& row : types)
    if (row.code == type.code && row.bits == type.bits && type.lanes == 1) return row.dtype;
  throw Error(ErrorKind::dtype, here,
              fmt::format("from_dlpack: elements of type code {}, {} bits, {} lanes", type.code, type.bits, type.lanes),
              {}, "need bool, signed integers, u8, f16, bf16, f32 or f64, one lane");
}

Device device_of(const DLDevice& device, Here here) {
  switch (device.device_type) {
    case kDLCPU:
    case kDLCUDAHost: return cpu;
    case kDLCUDA:
    case kDLCUDAManaged: {
      Device cuda{DeviceType::cuda, static_cast<int8_t>(device.device_id)};
      runtime::cuda_device(cuda, here);
      return cuda;
    }
  }
  throw Error(ErrorKind::argument, here, fmt::format("from_dlpack: memory of device type {}", device.device_type), {},
              "need the CPU's or a CUDA device's");
}

Layout layout_of(const DLTensor& from, Here here) {
  SymDims sizes(from.shape, from.shape + from.ndim);
  if (!from.strides) return contiguous_layout(sizes);
  for (int32_t dim = 0; dim < from.ndim; ++dim)
    if (from.strides[dim] < 0)
      throw Error(ErrorKind::argument, here,
                  fmt::format("from_dlpack: the stride of dim {} is {}", dim, from.strides[dim]), {},
                  "need strides of at least 0");
  return {std::move(sizes), SymDims(from.strides, from.strides + from.ndim), 0};
}

template <class Managed>
void give_back(StorageImpl& storage) noexcept {
  auto* managed = static_cast<Managed*>(storage.owner);
  if (managed->deleter) managed->deleter(managed);
}

template <class Managed>
Tensor imported(Managed* managed, Here here) {
  const DLTensor& from = managed->dl_tensor;
  TensorMeta meta{type_of(from.dtype, here), device_of(from.device, here), layout_of(from, here)};
  auto* storage = new StorageImpl;
  storage->data = static_cast<char*>(from.data) + from.byte_offset;
  storage->bytes = extent_end(meta.layout).constant() * byte_size(meta.dtype);
  storage->device = meta.device;
  storage->owner = managed;
  storage->release = give_back<Managed>;
  return Tensor(std::move(meta), Storage(storage));
}

}  // namespace

DLManagedTensor* to_dlpack(const Tensor& tensor, Here here) { return exported<DLManagedTensor>(tensor, here); }

DLManagedTensorVersioned* to_dlpack_versioned(const Tensor& tensor, Here here) {
  auto* managed = exported<DLManagedTensorVersioned>(tensor, here);
  managed->version = own_version;
  return managed;
}

Tensor from_dlpack(DLManagedTensor* managed, Here here) { return imported(managed, here); }

Tensor from_dlpack(DLManagedTensorVersioned* managed, Here here) {
  if (managed->version.major != own_version.major)
    throw Error(ErrorKind::argument, here,
                fmt::format("from_dlpack: version {}.{}", managed->version.major, managed->version.minor), {},
                fmt::format("need version {}", own_version.major));
  if (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY)
    throw Error(ErrorKind::argument, here, "from_dlpack: the memory may not be written", {}, "need a copy of it");
  return imported(managed, here);
}

}  // namespace sinter
