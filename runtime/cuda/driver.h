// The CUDA driver's interface, opened at the first use of a CUDA device. The few types and functions of it that sinter
// uses are declared here: a build needs nothing of CUDA.
//
// Names are the driver's own, so that its manual applies.

#pragma once

#include <sinter/graph/error.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sinter::runtime {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUmemoryPool = struct CUmemPoolHandle_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;

inline constexpr CUresult CUDA_SUCCESS = 0;
inline constexpr CUresult CUDA_ERROR_OUT_OF_MEMORY = 2;
inline constexpr CUresult CUDA_ERROR_NO_DEVICE = 100;
inline constexpr CUresult CUDA_ERROR_NOT_READY = 600;
inline constexpr int CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16;
inline constexpr int CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38;
inline constexpr int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75;
inline constexpr int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;
inline constexpr int CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115;
inline constexpr int CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4;
inline constexpr int CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
inline constexpr unsigned CU_EVENT_DEFAULT = 0;
inline constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;
inline constexpr int CU_STREAM_CAPTURE_MODE_RELAXED = 2;

// SYMBOL(name, the symbol's name in the library, parameters): functions that return a CUresult.
// clang-format off
#define SINTER_DRIVER_FUNCTIONS(SYMBOL) \
  SYMBOL(cuInit, "cuInit", (unsigned flags)) \
  SYMBOL(cuDriverGetVersion, "cuDriverGetVersion", (int* version)) \
  SYMBOL(cuGetErrorName, "cuGetErrorName", (CUresult error, const char** name)) \
  SYMBOL(cuGetErrorString, "cuGetErrorString", (CUresult error, const char** text)) \
  SYMBOL(cuDeviceGetCount, "cuDeviceGetCount", (int* count)) \
  SYMBOL(cuDeviceGet, "cuDeviceGet", (CUdevice* device, int ordinal)) \
  SYMBOL(cuDeviceGetName, "cuDeviceGetName", (char* name, int length, CUdevice device)) \
  SYMBOL(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int* value, int attribute, CUdevice device)) \
  SYMBOL(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext* context, CUdevice device)) \
  SYMBOL(cuCtxSetCurrent, "cuCtxSetCurrent", (CUcontext context)) \
  SYMBOL(cuCtxSynchronize, "cuCtxSynchronize", ()) \
  SYMBOL(cuDeviceGetDefaultMemPool, "cuDeviceGetDefaultMemPool", (CUmemoryPool* pool, CUdevice device)) \
  SYMBOL(cuMemPoolSetAttribute, "cuMemPoolSetAttribute", (CUmemoryPool pool, int attribute, void* value)) \
  SYMBOL(cuMemPoolTrimTo, "cuMemPoolTrimTo", (CUmemoryPool pool, size_t bytes_to_keep)) \
  SYMBOL(cuMemGetInfo, "cuMemGetInfo_v2", (size_t* free, size_t* total)) \
  SYMBOL(cuMemAllocAsync, "cuMemAllocAsync", (CUdeviceptr* address, size_t bytes, CUstream stream)) \
  SYMBOL(cuMemFreeAsync, "cuMemFreeAsync", (CUdeviceptr address, CUstream stream)) \
  SYMBOL(cuMemAllocHost, "cuMemAllocHost_v2", (void** address, size_t bytes)) \
  SYMBOL(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (CUdeviceptr to, const void* from, size_t bytes, CUstream stream)) \
  SYMBOL(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void* to, CUdeviceptr from, size_t bytes, CUstream stream)) \
  SYMBOL(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
  SYMBOL(cuMemcpyPeerAsync, "cuMemcpyPeerAsync", (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, \
                                                  CUcontext from_context, size_t bytes, CUstream stream)) \
  SYMBOL(cuMemsetD8Async, "cuMemsetD8Async", (CUdeviceptr to, unsigned char value, size_t count, CUstream stream)) \
  SYMBOL(cuMemsetD16Async, "cuMemsetD16Async", (CUdeviceptr to, unsigned short value, size_t count, CUstream stream)) \
  SYMBOL(cuMemsetD32Async, "cuMemsetD32Async", (CUdeviceptr to, unsigned value, size_t count, CUstream stream)) \
  SYMBOL(cuStreamCreate, "cuStreamCreate", (CUstream* stream, unsigned flags)) \
  SYMBOL(cuStreamSynchronize, "cuStreamSynchronize", (CUstream stream)) \
  SYMBOL(cuStreamQuery, "cuStreamQuery", (CUstream stream)) \
  SYMBOL(cuStreamWaitEvent, "cuStreamWaitEvent", (CUstream stream, CUevent event, unsigned flags)) \
  SYMBOL(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (CUstream stream, int mode)) \
  SYMBOL(cuStreamEndCapture, "cuStreamEndCapture", (CUstream stream, CUgraph* graph)) \
  SYMBOL(cuGraphInstantiate, "cuGraphInstantiateWithFlags", (CUgraphExec* made, CUgraph graph, \
                                                             unsigned long long flags)) \
  SYMBOL(cuGraphLaunch, "cuGraphLaunch", (CUgraphExec graph, CUstream stream)) \
  SYMBOL(cuGraphDestroy, "cuGraphDestroy", (CUgraph graph)) \
  SYMBOL(cuGraphExecDestroy, "cuGraphExecDestroy", (CUgraphExec graph)) \
  SYMBOL(cuEventCreate, "cuEventCreate", (CUevent* event, unsigned flags)) \
  SYMBOL(cuEventDestroy, "cuEventDestroy_v2", (CUevent event)) \
  SYMBOL(cuEventRecord, "cuEventRecord", (CUevent event, CUstream stream)) \
  SYMBOL(cuEventQuery, "cuEventQuery", (CUevent event)) \
  SYMBOL(cuEventSynchronize, "cuEventSynchronize", (CUevent event)) \
  SYMBOL(cuEventElapsedTime, "cuEventElapsedTime", (float* milliseconds, CUevent start, CUevent end)) \
  SYMBOL(cuModuleLoadData, "cuModuleLoadData", (CUmodule* module, const void* image)) \
  SYMBOL(cuModuleUnload, "cuModuleUnload", (CUmodule module)) \
  SYMBOL(cuModuleGetFunction, "cuModuleGetFunction", (CUfunction* function, CUmodule module, const char* name)) \
  SYMBOL(cuFuncSetAttribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value)) \
  SYMBOL(cuLaunchKernel, "cuLaunchKernel", (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
                                            unsigned block_x, unsigned block_y, unsigned block_z, \
                                            unsigned shared_bytes, CUstream stream, void** parameters, void** extra))
// clang-format on

struct Driver {
#define SINTER_POINTER(name, symbol, parameters) CUresult(*name) parameters = nullptr;
  SINTER_DRIVER_FUNCTIONS(SINTER_POINTER)
#undef SINTER_POINTER
  int version = 0;  // 13000 for CUDA 13.0
};

// Opened and initialised. Where that can't be: an environment error that says what was looked for.
const Driver& driver(Here where = Here::current());
// Null where there is none.
const Driver* find_driver();

// Throws for a result that is not success: `call` is what was tried. An error that an earlier kernel left behind names
// the kernels that were launched last.
void check_cuda(CUresult result, std::string_view call);
// The driver's own words for a result.
std::string describe_cuda(CUresult result);

// Notes a launch for messages. The name must live as long as the process.
void note_launch(const char* kernel);

}  // namespace sinter::runtime
