// Parts of attention's tensors as matrices in compute type, and a tile of scores.

#pragma once

#include <sinter/runtime/cpu/matrix_product.h>
#include <sinter/runtime/cpu_features.h>
#include <sinter/runtime/primitives/primitive_table.h>
#include <sinter/runtime/routines/planes.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace sinter::runtime {

// All of [batch, heads, rows, features]; the mask of [batch, heads, rows, keys], the logarithms of [batch, heads,
// rows].
struct Attention {
  Tensor query, key, value, mask, result, logarithms;
  bool is_causal = false;
  double scale = 1;

  int64_t batches() const { return query.sizes()[0].constant(); }
  int64_t heads(const Tensor& tensor) const { return tensor.sizes()[1].constant(); }
  int64_t rows(const Tensor& tensor) const { return tensor.sizes()[2].constant(); }
  int64_t features(const Tensor& tensor) const { return tensor.sizes()[3].constant(); }
  // Which head of keys serves a head of queries.
  int64_t key_head(int64_t head) const { return head / (heads(query) / heads(key)); }
};

inline int64_t stride_of(const Tensor& tensor, int64_t dim) { return tensor.strides()[dim].constant(); }

// The first element of a row.
template <class T>
T* element(const Tensor& tensor, int64_t batch, int64_t head, int64_t row) {
  return tensor.data_ptr<T>() + batch * stride_of(tensor, 0) + head * stride_of(tensor, 1) + row * stride_of(tensor, 2);
}

template <class W>
MatrixBatch own_matrix(W* data, int64_t rows, int64_t columns) {
  return {.data = data, .dtype = dtype_of<W>, .rows = rows, .columns = columns, .row_stride = columns};
}

inline MatrixBatch turned(MatrixBatch m) {
  std::swap(m.rows, m.columns);
  std::swap(m.row_stride, m.column_stride);
  return m;
}

// Some rows of a head, converted to compute type if they are not in it.
template <class T>
class Matrix {
 public:
  Matrix(const Tensor& tensor, const T* data, int64_t rows)
      : data_(data),
        rows_(rows),
        columns_(tensor.sizes()[3].constant()),
        row_(stride_of(tensor, 2)),
        column_(stride_of(tensor, 3)) {
    if constexpr (is_half_type<T>) convert();
  }
  MatrixBatch batch() const {
    if constexpr (is_half_type<T>)
      return own_matrix(const_cast<float*>(own_.data()), rows_, columns_);
    else
      return {.data = const_cast<T*>(data_),
              .dtype = dtype_of<T>,
              .rows = rows_,
              .columns = columns_,
              .row_stride = row_,
              .column_stride = column_};
  }

 private:
  void convert() {
    own_.resize(rows_ * columns_);
    for (int64_t i = 0; i < rows_; ++i) {
      const T* row = data_ + i * row_;
      float* to = own_.data() + i * columns_;
      if (column_ == 1) {
        primitives(detect_isa())
            .convert[static_cast<int>(dtype_of<T>)][static_cast<int>(DType::f32)](to, row, nullptr, nullptr, columns_);
        continue;
      }
      for (int64_t j = 0; j < columns_; ++j) to[j] = static_cast<float>(row[j * column_]);
    }
  }

  const T* data_;
  int64_t rows_, columns_, row_, column_;
  std::vector<float> own_;
};

template <class T>
Matrix<T> matrix(const Tensor& tensor, int64_t batch, int64_t head, int64_t row, int64_t rows) {
  return Matrix<T>(tensor, element<T>(tensor, batch, head, row), rows);
}

template <class W>
void product(const MatrixBatch& a, const MatrixBatch& b, W* c) {
  multiply(a, b, own_matrix(c, a.rows, b.columns));
}

template <class W>
void exponentials(W* values, int64_t count) {
  primitives(detect_isa())
      .scalar[static_cast<int>(ScalarOp::exp)][static_cast<int>(dtype_of<W>)](values, values, nullptr, nullptr, count);
}

// Reductions in lanes, whose order depends on nothing but the count.
template <class W, class Combine>
W reduced(const W* values, int64_t count, W identity, Combine combine) {
  constexpr int lanes = 16;
  std::array<W, lanes> partial;
  partial.fill(identity);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int lane = 0; lane < lanes; ++lane) partial[lane] = combine(partial[lane], values[i + lane]);
  for (int lane = 0; i < count; ++i, ++lane) partial[lane] = combine(partial[lane], values[i]);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) partial[lane] = combine(partial[lane], partial[lane + half]);
  return partial[0];
}
template <class W>
W sum_of(const W* values, int64_t count) {
  return reduced(values, count, W(0), [](W a, W b) { return a + b; });
}
// NaN does not count.
template <class W>
W greatest(const W* values, int64_t count) {
  return reduced(values, count, -std::numeric_limits<W>::infinity(), [](W a, W b) { return b > a ? b : a; });
}

template <class M, class W>
void add_mask(const Tensor& mask, const M* from, W* scores, int64_t count) {
  int64_t step = stride_of(mask, 3);
  for (int64_t j = 0; j < count; ++j) {
    if constexpr (std::is_same_v<M, bool>)
      scores[j] = from[j * step] ? scores[j] : -std::numeric_limits<W>::infinity();
    else
      scores[j] += static_cast<W>(static_cast<Wide<M>>(from[j * step]));
  }
}

// The scores of the rows from `row` on against the keys from `key` on, scaled and masked; row-major.
template <class T>
void score_tile(const Attention& a, int64_t batch, int64_t head, int64_t row, int64_t key, const Matrix<T>& query,
                const Matrix<T>& keys, Wide<T>* scores) {
  using W = Wide<T>;
  MatrixBatch q = query.batch(), k = keys.batch();
  product(q, turned(k), scores);
  W scale = static_cast<W>(a.scale);
  for (int64_t i = 0; i < q.rows; ++i) {
    W* line = scores + i * k.rows;
    for (int64_t j = 0; j < k.rows; ++j) line[j] *= scale;
    if (a.is_causal)
      for (int64_t j = std::max<int64_t>(row + i + 1 - key, 0); j < k.rows; ++j)
        line[j] = -std::numeric_limits<W>::infinity();
    if (!a.mask.defined()) continue;
    visit(a.mask.dtype(), [&](auto zero) {
      using M = decltype(zero);
      add_mask(a.mask, element<M>(a.mask, batch, head, row + i) + key * stride_of(a.mask, 3), line, k.rows);
    });
  }
}

// Writes whole rows.
template <class T>
void write_rows(const Tensor& tensor, int64_t batch, int64_t head, int64_t begin, const std::vector<Wide<T>>& rows) {
  int64_t columns = tensor.sizes()[3].constant(), step = stride_of(tensor, 3);
  for (size_t i = 0; i < rows.size(); ++i) {
    int64_t row = static_cast<int64_t>(i) / columns, column = static_cast<int64_t>(i) % columns;
    element<T>(tensor, batch, head, begin + row)[column * step] = static_cast<T>(rows[i]);
  }
}

}  // namespace sinter::runtime
