// OpenBLAS, for products in f64: the only file that includes its header.
//
// Its own threads split sums differently for each number of them. So it runs on one thread, on panels of the result
// whose sizes depend on the shapes alone, and our loops share the panels.

#include <sinter/runtime/cpu/matrix_product.h>

#include <sinter/runtime/ending_library.h>
#include <sinter/runtime/parallel.h>

#include <cblas.h>

#include <algorithm>
#include <cstdlib>

namespace sinter::runtime {

namespace {

constexpr int64_t panel = 256;  // rows or columns: packing the other operand again costs little then
constexpr int64_t parallel_work = int64_t{1} << 20;  // multiplications that are worth another thread

struct Operand {
  CBLAS_TRANSPOSE transpose;
  blasint leading;
};

Operand operand_of(const MatrixBatch& m) {
  if (m.column_stride == 1) return {CblasNoTrans, static_cast<blasint>(m.row_stride)};
  return {CblasTrans, static_cast<blasint>(m.column_stride)};
}

// It lets go of its memory after all static objects are gone.
constinit EndingLibrary blas_library([] {});
constinit EndingLibrary::Kind products_of_blas(blas_library);
[[maybe_unused]] const int ends_with_process = std::atexit([] { blas_library.end(); });

const double* at(const MatrixBatch& m, int64_t matrix, int64_t row, int64_t column) {
  return static_cast<const double*>(m.data) + matrix * m.batch_stride + row * m.row_stride + column * m.column_stride;
}

}  // namespace

bool multiply_with_openblas(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  EndingLibrary::Use blas(products_of_blas);
  if (!blas) return false;
  [[maybe_unused]] static const bool is_single = (openblas_set_num_threads(1), true);
  Operand left = operand_of(a), right = operand_of(b);
  bool by_rows = c.rows >= c.columns;
  int64_t length = by_rows ? c.rows : c.columns;
  int64_t panels = (length + panel - 1) / panel;
  int64_t panel_work = std::min(panel, length) * (by_rows ? c.columns : c.rows) * a.columns;
  int64_t grain = std::max<int64_t>(parallel_work / std::max<int64_t>(panel_work, 1), 1);
  parallel_for(0, c.count * panels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      int64_t matrix = task / panels, first = task % panels * panel, count = std::min(panel, length - first);
      int64_t row = by_rows ? first : 0, column = by_rows ? 0 : first;
      cblas_dgemm(CblasRowMajor, left.transpose, right.transpose, static_cast<blasint>(by_rows ? count : c.rows),
                  static_cast<blasint>(by_rows ? c.columns : count), static_cast<blasint>(a.columns), 1.0,
                  at(a, matrix, row, 0), left.leading, at(b, matrix, 0, column), right.leading, 0.0,
                  const_cast<double*>(at(c, matrix, row, column)), static_cast<blasint>(c.row_stride));
    }
  });
  return true;
}

}  // namespace sinter::runtime
