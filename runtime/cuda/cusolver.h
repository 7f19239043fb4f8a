// cuSOLVER's interface for dense matrices, and cuBLAS's for triangular ones, opened at the first factorisation on a
// CUDA device. Declared here as far as sinter uses them. Matrices are column-major.

#pragma once

#include <cstddef>

namespace sinter::runtime {

using CusolverStatus = int;
using CusolverHandle = struct cusolverDnContext*;
using CublasHandle = struct cublasContext*;

inline constexpr int CUBLAS_FILL_MODE_LOWER = 0;
inline constexpr int CUBLAS_FILL_MODE_UPPER = 1;
inline constexpr int CUBLAS_OP_N = 0;
inline constexpr int CUBLAS_OP_T = 1;
inline constexpr int CUBLAS_SIDE_LEFT = 0;
inline constexpr int CUBLAS_SIDE_RIGHT = 1;
inline constexpr int CUBLAS_DIAG_NON_UNIT = 0;
inline constexpr int CUBLAS_DIAG_UNIT = 1;
inline constexpr int CUSOLVER_EIG_MODE_NOVECTOR = 0;
inline constexpr int CUSOLVER_EIG_MODE_VECTOR = 1;

// Of matrices of float or double. `info` is an int in device memory; as LAPACK's.
template <class T>
struct CusolverFunctions {
  using Status = CusolverStatus;
  using Handle = CusolverHandle;

  Status (*cholesky_size)(Handle, int uplo, int n, T* a, int lda, int* size) = nullptr;
  Status (*cholesky)(Handle, int uplo, int n, T* a, int lda, T* work, int size, int* info) = nullptr;
  Status (*cholesky_solve)(Handle, int uplo, int n, int sides, const T* a, int lda, T* b, int ldb, int* info) = nullptr;
  Status (*lu_size)(Handle, int m, int n, T* a, int lda, int* size) = nullptr;
  Status (*lu)(Handle, int m, int n, T* a, int lda, T* work, int* pivots, int* info) = nullptr;
  Status (*lu_solve)(Handle, int transposed, int n, int sides, const T* a, int lda, const int* pivots, T* b, int ldb,
                     int* info) = nullptr;
  Status (*qr_size)(Handle, int m, int n, T* a, int lda, int* size) = nullptr;
  Status (*qr)(Handle, int m, int n, T* a, int lda, T* tau, T* work, int size, int* info) = nullptr;
  Status (*expand_size)(Handle, int m, int n, int k, const T* a, int lda, const T* tau, int* size) = nullptr;
  Status (*expand)(Handle, int m, int n, int k, T* a, int lda, const T* tau, T* work, int size, int* info) = nullptr;
  Status (*eigen_size)(Handle, int mode, int uplo, int n, const T* a, int lda, const T* w, int* size) = nullptr;
  Status (*eigen)(Handle, int mode, int uplo, int n, T* a, int lda, T* w, T* work, int size, int* info) = nullptr;
  Status (*singular_size)(Handle, int m, int n, int* size) = nullptr;
  // m >= n
  Status (*singular)(Handle, signed char u_mode, signed char v_mode, int m, int n, T* a, int lda, T* s, T* u, int ldu,
                     T* vt, int ldvt, T* work, int size, T* more_work, int* info) = nullptr;
  // b becomes the solution x of a x = alpha b, or of x a = alpha b.
  CusolverStatus (*triangular)(CublasHandle, int side, int uplo, int transposed, int diagonal, int m, int n,
                               const T* alpha, const T* a, int lda, T* b, int ldb) = nullptr;
};

struct Cusolver {
  CusolverStatus (*create)(CusolverHandle*) = nullptr;
  CusolverStatus (*set_stream)(CusolverHandle, struct CUstream_st*) = nullptr;
  CusolverStatus (*create_blas)(CublasHandle*) = nullptr;
  CusolverStatus (*set_blas_stream)(CublasHandle, struct CUstream_st*) = nullptr;
  CusolverFunctions<float> narrow;
  CusolverFunctions<double> wide;

  const CusolverFunctions<float>& of(float) const { return narrow; }
  const CusolverFunctions<double>& of(double) const { return wide; }
};

// Null where they can't be opened; the log says once what was looked for.
const Cusolver* find_cusolver();
void check_cusolver(CusolverStatus status, const char* call);

}  // namespace sinter::runtime
