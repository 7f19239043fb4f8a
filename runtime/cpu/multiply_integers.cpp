// Products of integer matrices, which no library offers: rows of b times numbers of a, added up with wrap-around.

#include <sinter/runtime/cpu/matrix_product.h>

#include <sinter/runtime/parallel.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace sinter::runtime {

namespace {

constexpr int64_t parallel_work = 1 << 16;

template <class T>
class IntegerProduct {
  using Unsigned = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;  // no overflow is undefined

 public:
  IntegerProduct(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) : a_(a), b_(b), c_(c) {}

  // Rows [begin, end) of all matrices of the batch, one after the other.
  void run(int64_t begin, int64_t end) const {
    std::vector<Unsigned> sums(c_.columns);
    for (int64_t at = begin; at < end; ++at) {
      int64_t matrix = at / c_.rows, row = at % c_.rows;
      add_up(matrix, row, sums.data());
      T* out = static_cast<T*>(c_.data) + matrix * c_.batch_stride + row * c_.row_stride;
      for (int64_t j = 0; j < c_.columns; ++j) out[j] = static_cast<T>(sums[j]);
    }
  }

 private:
  void add_up(int64_t matrix, int64_t row, Unsigned* sums) const {
    const T* a = static_cast<const T*>(a_.data) + matrix * a_.batch_stride + row * a_.row_stride;
    const T* b = static_cast<const T*>(b_.data) + matrix * b_.batch_stride;
    if (b_.column_stride != 1) {  // columns lie in one piece: a sum for each of them
      for (int64_t j = 0; j < c_.columns; ++j) {
        Unsigned sum = 0;
        for (int64_t k = 0; k < a_.columns; ++k)
          sum += Unsigned(a[k * a_.column_stride]) * Unsigned(b[j * b_.column_stride + k * b_.row_stride]);
        sums[j] = sum;
      }
      return;
    }
    std::fill_n(sums, c_.columns, Unsigned(0));
    for (int64_t k = 0; k < a_.columns; ++k) {
      Unsigned factor = Unsigned(a[k * a_.column_stride]);
      const T* b_row = b + k * b_.row_stride;
      for (int64_t j = 0; j < c_.columns; ++j) sums[j] += factor * Unsigned(b_row[j]);
    }
  }

  const MatrixBatch &a_, &b_, &c_;
};

}  // namespace

void multiply_integers(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  int64_t row_work = std::max<int64_t>(a.columns * c.columns, 1);
  visit(c.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      IntegerProduct<T> product(a, b, c);
      parallel_for(0, c.count * c.rows, std::max<int64_t>(parallel_work / row_work, 1),
                   [&](int64_t begin, int64_t end) { product.run(begin, end); });
    }
  });
}

}  // namespace sinter::runtime
