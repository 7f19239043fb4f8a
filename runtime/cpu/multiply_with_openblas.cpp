// OpenBLAS, for products in f64: the only file that includes its header.

#include <sinter/runtime/cpu/matrix_product.h>

#include <sinter/runtime/parallel.h>

#include <cblas.h>

namespace sinter::runtime {

namespace {

struct Operand {
  CBLAS_TRANSPOSE transpose;
  blasint leading;
};

Operand operand_of(const MatrixBatch& m) {
  if (m.column_stride == 1) return {CblasNoTrans, static_cast<blasint>(m.row_stride)};
  return {CblasTrans, static_cast<blasint>(m.column_stride)};
}

}  // namespace

void multiply_with_openblas(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
#if defined(SINTER_PARALLEL_POOL)
  openblas_set_num_threads(1);  // its threads are none that the thread sanitizer knows
#else
  openblas_set_num_threads(is_inside_parallel_for() ? 1 : get_num_threads());
#endif
  Operand left = operand_of(a), right = operand_of(b);
  for (int64_t i = 0; i < c.count; ++i)
    cblas_dgemm(CblasRowMajor, left.transpose, right.transpose, static_cast<blasint>(c.rows),
                static_cast<blasint>(c.columns), static_cast<blasint>(a.columns), 1.0,
                static_cast<const double*>(a.data) + i * a.batch_stride, left.leading,
                static_cast<const double*>(b.data) + i * b.batch_stride, right.leading, 0.0,
                static_cast<double*>(c.data) + i * c.batch_stride, static_cast<blasint>(c.row_stride));
}

}  // namespace sinter::runtime
