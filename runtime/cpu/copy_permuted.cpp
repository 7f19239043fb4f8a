// One matrix of (the dim contiguous in one, the dim contiguous in the other) after the other.

#include <sinter/runtime/cpu/copy_permuted.h>

#include <sinter/graph/small_vector.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/primitives/primitive_table.h>

#include <cstring>

namespace sinter::runtime {

namespace {

struct Dim {
  int64_t size, from, to;  // its strides
};
using PermutedDims = SmallVector<Dim, 6>;

// Without dims of size 1; neighbours that are one dim in both orders are joined.
PermutedDims joined_dims(std::span<const int64_t> sizes, std::span<const int64_t> from, std::span<const int64_t> to) {
  PermutedDims dims;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    if (!dims.empty()) {
      Dim& before = dims[dims.size() - 1];
      if (before.from == sizes[i] * from[i] && before.to == sizes[i] * to[i]) {
        before = {before.size * sizes[i], from[i], to[i]};
        continue;
      }
    }
    dims.push_back({sizes[i], from[i], to[i]});
  }
  return dims;
}

// Takes the first dim that passes out of the list; {1, 0, 0} if there is none.
template <class Test>
Dim take(PermutedDims& dims, Test&& test) {
  PermutedDims kept;
  Dim taken = {1, 0, 0};
  for (const Dim& dim : dims) {
    if (taken.to == 0 && taken.from == 0 && test(dim))
      taken = dim;
    else
      kept.push_back(dim);
  }
  dims = std::move(kept);
  return taken;
}

// The matrices: rows are contiguous in `from`, columns in `to`; a copy of one dim has rows or columns of one element.
struct Matrix {
  Dim row, column;
  int element_bytes;
  Transposition transpose;

  void copy(const char* from, char* to, int64_t columns) const {
    if (transpose && row.from == 1 && column.to == 1) {
      transpose(from, column.from, to, row.to, columns, row.size);
      return;
    }
    for (int64_t c = 0; c < columns; ++c) {
      const char* source = from + c * column.from * element_bytes;
      char* target = to + c * column.to * element_bytes;
      if (row.from == 1 && row.to == 1) {
        std::memcpy(target, source, row.size * element_bytes);
        continue;
      }
      for (int64_t r = 0; r < row.size; ++r)
        std::memcpy(target + r * row.to * element_bytes, source + r * row.from * element_bytes, element_bytes);
    }
  }
};

}  // namespace

void copy_permuted(const void* from, std::span<const int64_t> from_strides, void* to,
                   std::span<const int64_t> to_strides, std::span<const int64_t> sizes, int element_bytes) {
  for (int64_t size : sizes)
    if (size == 0) return;
  PermutedDims outer = joined_dims(sizes, from_strides, to_strides);
  Matrix matrix;
  matrix.element_bytes = element_bytes;
  matrix.transpose = primitives(detect_isa()).transpose[transpose_row(element_bytes)];
  matrix.row = take(outer, [](const Dim& dim) { return dim.from == 1; });
  matrix.column = take(outer, [](const Dim& dim) { return dim.to == 1; });
  if (matrix.column.to == 0 && !outer.empty()) matrix.column = take(outer, [](const Dim&) { return true; });

  // Threads share the matrices and parts of their columns.
  constexpr int64_t part = 64;
  int64_t parts = (matrix.column.size + part - 1) / part, matrices = 1;
  for (const Dim& dim : outer) matrices *= dim.size;
  int64_t grain = std::max<int64_t>(1, 16384 / (part * matrix.row.size));
  parallel_for(0, matrices * parts, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t first = i % parts * part, rest = i / parts;
      int64_t source = first * matrix.column.from, target = first * matrix.column.to;
      for (size_t k = outer.size(); k-- > 0; rest /= outer[k].size) {
        source += rest % outer[k].size * outer[k].from;
        target += rest % outer[k].size * outer[k].to;
      }
      matrix.copy(static_cast<const char*>(from) + source * element_bytes,
                  static_cast<char*>(to) + target * element_bytes, std::min(part, matrix.column.size - first));
    }
  });
}

}  // namespace sinter::runtime
