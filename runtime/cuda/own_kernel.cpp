// Loading and launching.

#include <sinter/runtime/cuda/own_kernel.h>

#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/load_kernel.h>

#include <algorithm>

namespace sinter::runtime {

void run_own_kernel(Device device, std::string_view name, std::string text, std::vector<OwnLaunch> launches,
                    std::vector<void*> addresses, std::vector<int64_t> numbers, int threads) {
  codegen::KernelSource source;
  source.name = "cuda_" + std::string(name);
  source.text = std::move(text);
  std::vector<int64_t> blocks;
  for (OwnLaunch& launch : launches) {
    source.launches.push_back({.function = std::move(launch.function), .block = threads});
    blocks.push_back(launch.blocks);
  }
  if (std::all_of(blocks.begin(), blocks.end(), [](int64_t count) { return count == 0; })) return;
  const CudaDevice& opened = cuda_device(device);
  auto kernel = load_cuda_kernel(source, opened);
  make_current(opened);
  launch(*kernel, addresses, current_cuda_stream(opened), {numbers, blocks});
}

Tensor new_device_tensor(Device device, DType dtype, Dims sizes) {
  TensorMeta meta{dtype, device, contiguous_layout(SymDims(sizes.begin(), sizes.end()))};
  int64_t bytes = numel(meta.layout.sizes).constant() * byte_size(dtype);
  return Tensor(std::move(meta), new_storage(device, bytes));
}

DType type_to_move(DType dtype) {
  switch (byte_size(dtype)) {
    case 1: return DType::u8;
    case 2: return DType::i16;
    case 4: return DType::i32;
    default: return DType::i64;
  }
}

}  // namespace sinter::runtime
