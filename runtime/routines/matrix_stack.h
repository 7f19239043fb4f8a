// A tensor as a batch of matrices or vectors: what its last dims hold, read into and written from column-major memory.

#pragma once

#include <sinter/graph/tensor.h>
#include <sinter/runtime/parallel.h>

#include <algorithm>
#include <vector>

namespace sinter::runtime {

class MatrixStack {
 public:
  // `rank` 2: matrices; 1: vectors, which are matrices of one column; 0: numbers.
  explicit MatrixStack(const Tensor& tensor, int64_t rank = 2) : tensor_(tensor) {
    const Layout& layout = tensor.layout();
    int64_t batch = layout.rank() - rank;
    for (int64_t i = 0; i < batch; ++i) {
      sizes_.push_back(layout.sizes[i].constant());
      strides_.push_back(layout.strides[i].constant());
      count_ *= sizes_.back();
    }
    if (rank >= 1) rows_ = layout.sizes[batch].constant();
    if (rank >= 1) row_stride_ = layout.strides[batch].constant();
    if (rank == 2) columns_ = layout.sizes[batch + 1].constant();
    if (rank == 2) column_stride_ = layout.strides[batch + 1].constant();
  }

  int64_t count() const { return count_; }
  int rows() const { return static_cast<int>(rows_); }
  int columns() const { return static_cast<int>(columns_); }
  size_t elements() const { return static_cast<size_t>(rows_ * columns_); }

  // Column j of matrix i starts at to + j * leading.
  template <class T>
  void read(int64_t matrix, T* to, int64_t leading) const {
    if (elements() == 0) return;  // there may be no memory
    const T* from = tensor_.data_ptr<T>() + offset(matrix);
    for (int64_t j = 0; j < columns_; ++j)
      for (int64_t i = 0; i < rows_; ++i) to[j * leading + i] = from[i * row_stride_ + j * column_stride_];
  }
  template <class T>
  std::vector<T> read(int64_t matrix) const {
    std::vector<T> to(std::max<size_t>(elements(), 1));
    read(matrix, to.data(), rows_);
    return to;
  }
  template <class T>
  void write(int64_t matrix, const T* from, int64_t leading) const {
    if (elements() == 0) return;
    T* to = tensor_.data_ptr<T>() + offset(matrix);
    for (int64_t j = 0; j < columns_; ++j)
      for (int64_t i = 0; i < rows_; ++i) to[i * row_stride_ + j * column_stride_] = from[j * leading + i];
  }
  template <class T>
  void write(int64_t matrix, const std::vector<T>& from) const {
    write(matrix, from.data(), rows_);
  }

 private:
  int64_t offset(int64_t matrix) const {
    int64_t place = 0;
    for (int64_t i = static_cast<int64_t>(sizes_.size()) - 1; i >= 0; --i) {
      place += matrix % sizes_[i] * strides_[i];
      matrix /= sizes_[i];
    }
    return place;
  }

  Tensor tensor_;
  Dims sizes_, strides_;
  int64_t count_ = 1, rows_ = 1, columns_ = 1, row_stride_ = 1, column_stride_ = 1;
};

// body(matrix) for each of a batch, on several threads if their work, in multiplications, is worth it.
template <class Body>
void for_each_matrix(int64_t count, double work, const Body& body) {
  constexpr double parallel_work = 1 << 18;
  int64_t grain = static_cast<int64_t>(std::max(1.0, parallel_work / std::max(work, 1.0)));
  parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t matrix = begin; matrix < end; ++matrix) body(matrix);
  });
}

// Calls body with a float or a double, as the tensor's type says.
template <class Body>
void visit_factorised(DType dtype, const Body& body) {
  if (dtype == DType::f64)
    body(double{});
  else
    body(float{});
}

}  // namespace sinter::runtime
