// The order of a device tensor's rows: NaN after all numbers, equal elements by their position.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter::runtime {

// Rows of a contiguous [rows, length] tensor, in their order: as many of each row's first elements as were asked for.
class OrderedRows {
 public:
  // `kept` <= length, of less than 2^31 elements. Of integers from 0 to 2^rank_bits it may be said that they are such.
  OrderedRows(const Tensor& rows, bool descending, int64_t kept, int rank_bits = 64);

  // The elements themselves and their positions in their rows (i64), both contiguous [rows, count]: those from the
  // `first`-th on. Either may be undefined.
  void write(const Tensor& values, const Tensor& positions, int64_t first, int64_t count) const;

  // Of each row with all elements kept, its lower middle: or its first NaN, unless these are skipped and others are
  // there.
  void write_medians(const Tensor& values, const Tensor& positions, bool skips_nan) const;
  // The least of its most frequent elements, and where the last one of them stands.
  void write_modes(const Tensor& values, const Tensor& positions) const;

  // Ranked elements (ranked_elements.h): at least `kept` of each row, of a single row the first of them all.
  const Tensor& elements() const { return ordered_; }

 private:
  void sort_tiles(const Tensor& from, bool is_first, int64_t length, int64_t tile, int64_t kept);
  void merge_runs(int64_t tile);

  Tensor rows_;
  int64_t row_count_, length_;
  int64_t reach_ = 0;  // elements that a row of ordered_ has
  bool descending_;
  Tensor ordered_;  // ranked elements
};

}  // namespace sinter::runtime
