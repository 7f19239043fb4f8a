// nonzero: the positions of elements that are not 0, in row-major order, one row each.

#include <sinter/runtime/routines/routine.h>
#include <sinter/runtime/routines/rows.h>

namespace sinter::runtime::routines {

namespace {

template <class T>
bool is_nonzero(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return static_cast<float>(value) != 0;
  else
    return value != T{};
}

// All dims, one after the other: flat positions in row-major order.
template <class T>
std::vector<int64_t> nonzero_positions(const Tensor& self) {
  std::vector<int64_t> positions;
  const T* data = self.data_ptr<T>();
  int64_t position = 0;
  for_each_row<1>({&self}, /*dim=*/-1, [&](const std::array<int64_t, 1>& offset) {
    if (is_nonzero(data[offset[0]])) positions.push_back(position);
    ++position;
  });
  return positions;
}

}  // namespace

SINTER_SIZING_ROUTINE(nonzero_default) {
  const Tensor& self = args[0].tensor();
  std::vector<int64_t> positions =
      visit(self.dtype(), [&](auto zero) { return nonzero_positions<decltype(zero)>(self); });
  int64_t count = static_cast<int64_t>(positions.size()), rank = self.dim();
  Tensor result = new_tensor(DType::i64, {count, rank});
  // ATen lays the result out by columns.
  TensorMeta meta = result.meta();
  meta.layout.strides = {1, std::max<int64_t>(count, 1)};
  result = Tensor(std::move(meta), result.storage());
  int64_t* out = result.data_ptr<int64_t>();
  for (int64_t row = 0; row < count; ++row) {
    int64_t rest = positions[row];
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      int64_t size = self.layout().sizes[dim].constant();
      out[dim * count + row] = rest % size;
      rest /= size;
    }
  }
  return {result};
}

}  // namespace sinter::runtime::routines
