// CUDA kernels by content: equal text for an equal device is compiled and loaded once in a process. Beyond 2,000 of
// them, those that no program holds are given up.
//
// Safe to use from any number of threads; threads that want the same text wait for the one that compiles it.

#pragma once

#include <sinter/codegen/program.h>
#include <sinter/runtime/cuda/device.h>

#include <memory>
#include <span>
#include <vector>

namespace sinter::runtime {

// The launches of one kernel, ready to be made. Its code stays loaded as long as this lives.
struct LoadedCudaKernel {
  LoadedCudaKernel() = default;
  LoadedCudaKernel(const LoadedCudaKernel&) = delete;
  ~LoadedCudaKernel();

  struct Launch {
    CUfunction function = nullptr;
    const char* name = nullptr;    // lives as long as the process
    unsigned grid[3] = {1, 1, 1};  // where it depends on sizes, those of the call come with the launch
    unsigned block = 1;
    unsigned shared_bytes = 0;
  };
  std::vector<Launch> launches;
  CUmodule module = nullptr;
  CUcontext context = nullptr;  // of the module
};

std::shared_ptr<const LoadedCudaKernel> load_cuda_kernel(const codegen::KernelSource& source, const CudaDevice& device);

// All of them, in their order; several are compiled at once on the cores there are.
std::vector<std::shared_ptr<const LoadedCudaKernel>> load_cuda_kernels(std::span<const codegen::KernelSource> sources,
                                                                       const CudaDevice& device);

// What a launch is given besides addresses.
struct LaunchSizes {
  std::span<int64_t> symbols;              // parameters behind the addresses
  std::span<const int64_t> blocks;         // of each launch
  std::span<const uint8_t> by_value = {};  // of each address, if there are any: 1, if what lies there is the parameter
};

// Puts the kernel's launches on the stream, in order. `addresses`: of its buffers, then that of partial results.
// Nothing is allocated or locked here.
void launch(const LoadedCudaKernel& kernel, std::span<void*> addresses, CUstream stream, LaunchSizes sizes = {});

struct CudaKernelStats {
  int64_t compiles = 0;
  int64_t hits = 0;
  int64_t launches = 0;
};
CudaKernelStats cuda_kernel_stats();

}  // namespace sinter::runtime
