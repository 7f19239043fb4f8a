// nonzero: the positions of elements that are not 0, in row-major order, one row each.

#include <sinter/runtime/routines/indices.h>
#include <sinter/runtime/routines/order.h>
#include <sinter/runtime/routines/routine.h>
#include <sinter/runtime/routines/rows.h>

#include <algorithm>

namespace sinter::runtime::routines {

namespace {

// All dims, one after the other: flat positions in row-major order.
template <class T>
std::vector<int64_t> nonzero_positions(const Tensor& self) {
  std::vector<int64_t> positions;
  const T* data = self.data_ptr<T>();
  int64_t position = 0;
  for_each_row<1>({&self}, /*dim=*/-1, [&](const std::array<int64_t, 1>& offset) {
    if (differs(data[offset[0]], T{})) positions.push_back(position);
    ++position;
  });
  return positions;
}

std::vector<int64_t> positions_in(const Tensor& self) {
  return visit(self.dtype(), [&](auto zero) { return nonzero_positions<decltype(zero)>(self); });
}

// One index for each dim, where the next row is `row_stride` further and the next dim `dim_stride`.
void write_rows(std::span<const int64_t> positions, const Dims& sizes, int64_t* out, int64_t row_stride,
                int64_t dim_stride) {
  for (size_t row = 0; row < positions.size(); ++row) {
    int64_t rest = positions[row];
    for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0; --dim) {
      out[row * row_stride + dim * dim_stride] = rest % sizes[dim];
      rest /= sizes[dim];
    }
  }
}

}  // namespace

// ATen lays the result out by columns.
SINTER_SIZING_ROUTINE(nonzero_default) {
  const Tensor& self = args[0].tensor();
  std::vector<int64_t> positions = positions_in(self);
  int64_t count = static_cast<int64_t>(positions.size()), rank = self.dim();
  Tensor result = new_tensor(DType::i64, {count, rank});
  result = seen_as(result, {{count, rank}, {1, std::max<int64_t>(count, 1)}, 0});
  write_rows(positions, sizes_of(self), result.data_ptr<int64_t>(), 1, count);
  return {result};
}

// The first `size` rows; what is missing is filled.
SINTER_ROUTINE(nonzero_static_default) {
  const Tensor& self = args[0].tensor();
  std::vector<int64_t> positions = positions_in(self);
  int64_t rank = self.dim(), size = args.integer("size");
  int64_t found = std::min<int64_t>(size, static_cast<int64_t>(positions.size()));
  int64_t* out = results[0].data_ptr<int64_t>();
  write_rows({positions.data(), static_cast<size_t>(found)}, sizes_of(self), out, rank, 1);
  std::fill(out + found * rank, out + size * rank, args.integer("fill_value"));
}

}  // namespace sinter::runtime::routines
