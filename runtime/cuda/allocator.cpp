// Free lists over cuMemAllocAsync.

#include <sinter/runtime/cuda/allocator.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cuda/current_stream.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace sinter::runtime {

namespace {

// Small blocks in multiples of 512 bytes; beyond 1 MiB, eight sizes to each doubling, so that sizes which differ little
// share blocks.
int64_t rounded(int64_t bytes) {
  constexpr int64_t small = int64_t{1} << 20;
  if (bytes <= small) return (bytes + 511) / 512 * 512;
  int64_t step = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(bytes - 1))) / 8;
  return (bytes + step - 1) / step * step;
}

struct BlockKind {
  CUstream stream;
  int64_t bytes;
  bool operator==(const BlockKind&) const = default;
};
struct HashBlockKind {
  size_t operator()(const BlockKind& kind) const {
    return std::hash<void*>()(kind.stream) ^ static_cast<size_t>(kind.bytes) * 0x9e3779b97f4a7c15u;
  }
};

class DeviceMemory {
 public:
  CUdeviceptr take(const CudaDevice& device, CUstream stream, int64_t bytes) {
    std::lock_guard lock(mutex_);
    CUdeviceptr address = find(stream, bytes);
    if (address == 0) address = allocate(device, stream, bytes);
    stats_.current_bytes += bytes;
    stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.current_bytes);
    ++stats_.allocations;
    return address;
  }

  void give_back(CUstream stream, int64_t bytes, CUdeviceptr address) noexcept {
    std::lock_guard lock(mutex_);
    stats_.current_bytes -= bytes;
    stats_.cached_bytes += bytes;
    free_[{stream, bytes}].push_back(address);
  }

  void release(const CudaDevice& device) {
    std::lock_guard lock(mutex_);
    release_cached(device);
  }

  cuda::MemoryStats stats() {
    std::lock_guard lock(mutex_);
    return stats_;
  }

 private:
  CUdeviceptr find(CUstream stream, int64_t bytes) {
    auto found = free_.find({stream, bytes});
    if (found == free_.end() || found->second.empty()) return 0;
    CUdeviceptr address = found->second.back();
    found->second.pop_back();
    stats_.cached_bytes -= bytes;
    return address;
  }

  CUdeviceptr allocate(const CudaDevice& device, CUstream stream, int64_t bytes) {
    make_current(device);
    CUdeviceptr address = 0;
    CUresult result = driver().cuMemAllocAsync(&address, static_cast<size_t>(bytes), stream);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
      release_cached(device);
      result = driver().cuMemAllocAsync(&address, static_cast<size_t>(bytes), stream);
    }
    if (result == CUDA_ERROR_OUT_OF_MEMORY) fail(device, bytes);
    check_cuda(result, "cuMemAllocAsync");
    return address;
  }

  void release_cached(const CudaDevice& device) {
    make_current(device);
    for (auto& [kind, blocks] : free_) {
      for (CUdeviceptr address : blocks) check_cuda(driver().cuMemFreeAsync(address, kind.stream), "cuMemFreeAsync");
      stats_.cached_bytes -= kind.bytes * static_cast<int64_t>(blocks.size());
      blocks.clear();
    }
    check_cuda(driver().cuCtxSynchronize(), "cuCtxSynchronize");
    check_cuda(driver().cuMemPoolTrimTo(device.pool, 0), "cuMemPoolTrimTo");
  }

  [[noreturn]] void fail(const CudaDevice& device, int64_t bytes) const {
    size_t free = 0, total = 0;
    driver().cuMemGetInfo(&free, &total);
    throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
                fmt::format("cuda: cuda:{} has no {} bytes left", device.index, bytes),
                {{"held by tensors", fmt::format("{} bytes", stats_.current_bytes)},
                 {"free on the device", fmt::format("{} of {} bytes", free, total)}});
  }

  std::mutex mutex_;
  std::unordered_map<BlockKind, std::vector<CUdeviceptr>, HashBlockKind> free_;
  cuda::MemoryStats stats_;
};

// Never destroyed: tensors may be freed by destructors of static objects.
DeviceMemory& memory_of(int device) {
  static auto& all = *new std::array<DeviceMemory, 128>;
  return all[static_cast<size_t>(device)];
}

void release_storage(StorageImpl& storage) noexcept {
  memory_of(storage.device.index)
      .give_back(static_cast<CUstream>(storage.owner), rounded(storage.bytes),
                 reinterpret_cast<CUdeviceptr>(storage.data));
}

}  // namespace

Storage new_cuda_storage(const CudaDevice& device, int64_t bytes) {
  auto impl = std::make_unique<StorageImpl>();
  impl->device = cuda::device(device.index);
  impl->bytes = bytes;
  if (bytes == 0 || !device.context) return Storage(impl.release());
  CUstream stream = current_cuda_stream(device);
  impl->data = reinterpret_cast<void*>(memory_of(device.index).take(device, stream, rounded(bytes)));
  impl->owner = stream;
  impl->release = release_storage;
  return Storage(impl.release());
}

Storage new_storage(Device device, int64_t bytes) {
  return device.is_cpu() ? new_host_storage(bytes) : new_cuda_storage(cuda_device(device), bytes);
}

}  // namespace sinter::runtime

namespace sinter::cuda {

MemoryStats memory_stats(std::optional<Device> device) {
  return runtime::memory_of(device.value_or(current_device()).index).stats();
}

void empty_cache() {
  for (int i = 0; i < device_count(); ++i) runtime::memory_of(i).release(runtime::cuda_device(device(i)));
}

}  // namespace sinter::cuda
