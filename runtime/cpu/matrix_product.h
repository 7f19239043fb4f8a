// Products of matrices and of batches of matrices, by the library that is best at the type: oneDNN for f32, bf16 and
// (by way of f32) f16, OpenBLAS for f64, our own loops for integers, which wrap around.

#pragma once

#include <sinter/graph/dtype.h>

#include <cstdint>

namespace sinter::runtime {

// A batch of matrices in memory, with any strides, in elements.
struct MatrixBatch {
  void* data = nullptr;
  DType dtype = DType::f32;
  int64_t count = 1;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t batch_stride = 0;
  int64_t row_stride = 0;
  int64_t column_stride = 1;

  // Rows [begin, end) of each matrix.
  MatrixBatch row_range(int64_t begin, int64_t end) const;
};

// c = a @ b for each matrix of the batch. c is row-major without gaps; a and b may lie in memory as they like. An empty
// inner size gives zeros. For a and b of a half type, c may be f32: then nothing is rounded.
void multiply(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c);

// --- The libraries behind it: a and b have a unit stride in one direction, all sizes are positive
// ----------------------

// False once the process ends and the library has gone.
bool multiply_with_dnnl(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c);      // f32, bf16
bool multiply_with_openblas(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c);  // f64
void multiply_integers(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c);
void multiply_by_loops(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c);  // floats, with any strides

}  // namespace sinter::runtime
