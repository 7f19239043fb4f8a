// Which elements of a device tensor are true (or not 0), in row-major order.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter::runtime {

class TrueElements {
 public:
  // Of a contiguous tensor.
  explicit TrueElements(const Tensor& elements);

  // How many: waits for the device.
  int64_t count() const;

  // The k-th true element's index in each of `sizes` (at most 8 dims), for k < most: to[k * row_step + dim * dim_step],
  // i64.
  void write_indices(const Dims& sizes, const Tensor& to, int64_t row_step, int64_t dim_step, int64_t most) const;
  // to[k] = from[i] for the k-th true element i; both contiguous, of one type.
  void pack(const Tensor& from, const Tensor& to) const;
  // to[i] = from[k].
  void unpack(const Tensor& from, const Tensor& to) const;
  // How many elements up to and with element i are true, less one: to[i], i64.
  void write_ranks(const Tensor& to) const;

 private:
  Tensor elements_;
  int64_t size_, blocks_;
  Tensor counts_;  // of each block the true elements before it, and at the end all
};

}  // namespace sinter::runtime
