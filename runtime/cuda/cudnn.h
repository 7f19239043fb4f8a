// cuDNN's interface for convolutions, opened at the first one on a CUDA device. Declared here as far as sinter uses it.

#pragma once

#include <cstddef>

namespace sinter::runtime {

using CudnnStatus = int;
using CudnnHandle = struct cudnnContext*;
using CudnnTensor = struct cudnnTensorStruct*;
using CudnnFilter = struct cudnnFilterStruct*;
using CudnnConvolution = struct cudnnConvolutionStruct*;

// What cuDNN says of one way to do a convolution; the same struct for all three kinds.
struct CudnnChoice {
  int algorithm;
  CudnnStatus status;
  float milliseconds;
  size_t workspace_bytes;
  int determinism;
  int math_type;
  int reserved[3];
};

inline constexpr int CUDNN_DATA_FLOAT = 0;
inline constexpr int CUDNN_DATA_DOUBLE = 1;
inline constexpr int CUDNN_DATA_HALF = 2;
inline constexpr int CUDNN_DATA_BFLOAT16 = 9;
inline constexpr int CUDNN_TENSOR_NCHW = 0;
inline constexpr int CUDNN_TENSOR_NHWC = 1;
inline constexpr int CUDNN_CROSS_CORRELATION = 1;
inline constexpr int CUDNN_DETERMINISTIC = 1;
inline constexpr int CUDNN_TENSOR_OP_MATH = 1;
inline constexpr int CUDNN_FMA_MATH = 3;  // of f32: no tf32

struct Cudnn {
  CudnnStatus (*create)(CudnnHandle*) = nullptr;
  CudnnStatus (*set_stream)(CudnnHandle, struct CUstream_st*) = nullptr;
  const char* (*error_string)(CudnnStatus) = nullptr;

  CudnnStatus (*create_tensor)(CudnnTensor*) = nullptr;
  CudnnStatus (*set_tensor)(CudnnTensor, int type, int rank, const int* sizes, const int* strides) = nullptr;
  CudnnStatus (*destroy_tensor)(CudnnTensor) = nullptr;
  CudnnStatus (*create_filter)(CudnnFilter*) = nullptr;
  CudnnStatus (*set_filter)(CudnnFilter, int type, int format, int rank, const int* sizes) = nullptr;
  CudnnStatus (*destroy_filter)(CudnnFilter) = nullptr;
  CudnnStatus (*create_convolution)(CudnnConvolution*) = nullptr;
  CudnnStatus (*set_convolution)(CudnnConvolution, int dims, const int* padding, const int* stride, const int* dilation,
                                 int mode, int compute_type) = nullptr;
  CudnnStatus (*set_groups)(CudnnConvolution, int groups) = nullptr;
  CudnnStatus (*set_math)(CudnnConvolution, int math_type) = nullptr;
  CudnnStatus (*destroy_convolution)(CudnnConvolution) = nullptr;

  CudnnStatus (*choose_forward)(CudnnHandle, CudnnTensor x, CudnnFilter w, CudnnConvolution, CudnnTensor y, int wanted,
                                int* found, CudnnChoice*) = nullptr;
  CudnnStatus (*choose_data)(CudnnHandle, CudnnFilter w, CudnnTensor y, CudnnConvolution, CudnnTensor x, int wanted,
                             int* found, CudnnChoice*) = nullptr;
  CudnnStatus (*choose_filter)(CudnnHandle, CudnnTensor x, CudnnTensor y, CudnnConvolution, CudnnFilter w, int wanted,
                               int* found, CudnnChoice*) = nullptr;
  CudnnStatus (*forward)(CudnnHandle, const void* alpha, CudnnTensor, const void* x, CudnnFilter, const void* w,
                         CudnnConvolution, int algorithm, void* workspace, size_t workspace_bytes, const void* beta,
                         CudnnTensor, void* y) = nullptr;
  CudnnStatus (*data_gradient)(CudnnHandle, const void* alpha, CudnnFilter, const void* w, CudnnTensor, const void* y,
                               CudnnConvolution, int algorithm, void* workspace, size_t workspace_bytes,
                               const void* beta, CudnnTensor, void* x) = nullptr;
  CudnnStatus (*filter_gradient)(CudnnHandle, const void* alpha, CudnnTensor, const void* x, CudnnTensor, const void* y,
                                 CudnnConvolution, int algorithm, void* workspace, size_t workspace_bytes,
                                 const void* beta, CudnnFilter, void* w) = nullptr;
};

// Null where it can't be opened; the log says once what was looked for.
const Cudnn* find_cudnn();

}  // namespace sinter::runtime
