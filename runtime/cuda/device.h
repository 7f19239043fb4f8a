// The CUDA devices of this machine, each with its primary context.

#pragma once

#include <sinter/graph/device.h>
#include <sinter/runtime/cuda/driver.h>

#include <string>

namespace sinter::runtime {

struct CudaDevice {
  int index = 0;
  CUdevice handle = 0;
  CUcontext context = nullptr;  // null: kernels are compiled for it, and can't run here
  CUmemoryPool pool = nullptr;
  std::string name;
  int capability = 0;  // 90 for 9.0
  int multiprocessors = 0;
  int64_t l2_bytes = 0;
  int64_t shared_bytes = 0;  // that one block may have at most
  std::string architecture;  // sm_90: what kernels are compiled for
};

// 0 where there is no driver.
int cuda_device_count();

// Opened at the first use and never closed. A device that is not there is an environment error; but SINTER_CUDA_ARCH
// makes a cuda:0 on machines without one, for which programs are generated and compiled.
const CudaDevice& cuda_device(Device device, Here where = Here::current());

// The calls of this thread go to that device from now on.
void make_current(const CudaDevice& device);

}  // namespace sinter::runtime
