// Products of floats by plain loops, for the end of the process, when the libraries that are best at them have gone.

#include <sinter/runtime/cpu/matrix_product.h>

#include <vector>

namespace sinter::runtime {

namespace {

// Sums are as wide as the library's: f32 for bf16.
template <class A, class C>
void multiply_typed(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  using Sum = std::conditional_t<std::is_same_v<A, double>, double, float>;
  std::vector<Sum> sums(static_cast<size_t>(c.columns));
  for (int64_t at = 0; at < c.count * c.rows; ++at) {
    int64_t matrix = at / c.rows, row = at % c.rows;
    const A* left = static_cast<const A*>(a.data) + matrix * a.batch_stride + row * a.row_stride;
    const A* right = static_cast<const A*>(b.data) + matrix * b.batch_stride;
    std::fill(sums.begin(), sums.end(), Sum(0));
    for (int64_t k = 0; k < a.columns; ++k)
      for (int64_t j = 0; j < c.columns; ++j)
        sums[static_cast<size_t>(j)] += static_cast<Sum>(left[k * a.column_stride]) *
                                        static_cast<Sum>(right[k * b.row_stride + j * b.column_stride]);
    C* out = static_cast<C*>(c.data) + matrix * c.batch_stride + row * c.row_stride;
    for (int64_t j = 0; j < c.columns; ++j) out[j] = static_cast<C>(sums[static_cast<size_t>(j)]);
  }
}

}  // namespace

void multiply_by_loops(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  if (a.dtype == DType::f64) return multiply_typed<double, double>(a, b, c);
  if (a.dtype == DType::f32) return multiply_typed<float, float>(a, b, c);
  if (c.dtype == DType::f32) return multiply_typed<BFloat16, float>(a, b, c);
  multiply_typed<BFloat16, BFloat16>(a, b, c);
}

}  // namespace sinter::runtime
