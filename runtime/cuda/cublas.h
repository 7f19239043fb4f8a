// cuBLASLt's interface, opened at the first matrix product on a CUDA device. Declared here as far as sinter uses it.

#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::runtime {

using CublasStatus = int;
using CublasLtHandle = struct cublasLtContext*;
using CublasLtMatmulDesc = struct cublasLtMatmulDescOpaque*;
using CublasLtMatrixLayout = struct cublasLtMatrixLayoutOpaque*;
using CublasLtPreference = struct cublasLtMatmulPreferenceOpaque*;

struct CublasLtAlgo {
  uint64_t data[8];
};
struct CublasLtHeuristicResult {
  CublasLtAlgo algo;
  size_t workspace_bytes;
  CublasStatus state;
  float waves;
  int reserved[4];
};

inline constexpr int CUDA_R_32F = 0;
inline constexpr int CUDA_R_64F = 1;
inline constexpr int CUDA_R_16F = 2;
inline constexpr int CUDA_R_16BF = 14;
inline constexpr int CUBLAS_COMPUTE_32F = 68;
inline constexpr int CUBLAS_COMPUTE_64F = 70;
inline constexpr int CUBLASLT_MATMUL_DESC_TRANSA = 3;
inline constexpr int CUBLASLT_MATMUL_DESC_TRANSB = 4;
inline constexpr int CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5;
inline constexpr int CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6;
inline constexpr int CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1;
inline constexpr int CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5;
inline constexpr int CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6;

struct CublasLt {
  CublasStatus (*create)(CublasLtHandle*) = nullptr;
  CublasStatus (*desc_create)(CublasLtMatmulDesc*, int compute_type, int scale_type) = nullptr;
  CublasStatus (*desc_destroy)(CublasLtMatmulDesc) = nullptr;
  CublasStatus (*desc_set)(CublasLtMatmulDesc, int attribute, const void* value, size_t bytes) = nullptr;
  CublasStatus (*layout_create)(CublasLtMatrixLayout*, int type, uint64_t rows, uint64_t columns,
                                int64_t leading) = nullptr;
  CublasStatus (*layout_destroy)(CublasLtMatrixLayout) = nullptr;
  CublasStatus (*layout_set)(CublasLtMatrixLayout, int attribute, const void* value, size_t bytes) = nullptr;
  CublasStatus (*preference_create)(CublasLtPreference*) = nullptr;
  CublasStatus (*preference_destroy)(CublasLtPreference) = nullptr;
  CublasStatus (*preference_set)(CublasLtPreference, int attribute, const void* value, size_t bytes) = nullptr;
  CublasStatus (*heuristic)(CublasLtHandle, CublasLtMatmulDesc, CublasLtMatrixLayout a, CublasLtMatrixLayout b,
                            CublasLtMatrixLayout c, CublasLtMatrixLayout d, CublasLtPreference, int wanted,
                            CublasLtHeuristicResult* results, int* found) = nullptr;
  CublasStatus (*matmul)(CublasLtHandle, CublasLtMatmulDesc, const void* alpha, const void* a, CublasLtMatrixLayout,
                         const void* b, CublasLtMatrixLayout, const void* beta, const void* c, CublasLtMatrixLayout,
                         void* d, CublasLtMatrixLayout, const CublasLtAlgo*, void* workspace, size_t workspace_bytes,
                         struct CUstream_st* stream) = nullptr;
};

// Where it can't be opened: an environment error that says what was looked for.
const CublasLt& cublas_lt();
void check_cublas(CublasStatus status, const char* call);

}  // namespace sinter::runtime
