// Checks of indices before anything is written.

#include <sinter/runtime/routines/indices.h>

#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

// The positions with `size` added to the negative ones.
Tensor wrapped(const Tensor& positions, int64_t size) {
  Tensor result = new_tensor(DType::i64, sizes_of(positions));
  const int64_t* from = positions.data_ptr<int64_t>();
  std::transform(from, from + count_of(positions), result.data_ptr<int64_t>(),
                 [size](int64_t index) { return index < 0 ? index + size : index; });
  return result;
}

}  // namespace

// The extremes alone are named, as a compiled check of the same indices does.
Tensor checked_indices(const OpArgs& args, const Tensor& index, int64_t dim, int64_t size, Negative negative) {
  Tensor positions = dense(index, DType::i64);
  int64_t count = count_of(positions);
  if (count == 0) return positions;
  const int64_t* data = positions.data_ptr<int64_t>();
  auto [lowest, highest] = std::minmax_element(data, data + count);
  if (*lowest < (negative == Negative::counts_from_the_end ? -size : 0)) fail_out_of_range(args, *lowest, dim, size);
  if (*highest >= size) fail_out_of_range(args, *highest, dim, size);
  return *lowest < 0 ? wrapped(positions, size) : positions;
}

Tensor seen_as(const Tensor& tensor, Layout layout) {
  return Tensor({tensor.dtype(), tensor.device(), std::move(layout)}, tensor.storage());
}

Tensor dense(const Tensor& tensor, DType dtype) { return contiguous(tensor.to(dtype)); }

Tensor flat(const Tensor& tensor) { return seen_as(tensor, {{tensor.numel()}, {1}, tensor.layout().offset}); }

Dims sizes_of(const Tensor& tensor) {
  Dims sizes;
  for (SymInt size : tensor.sizes()) sizes.push_back(size.constant());
  return sizes;
}

}  // namespace sinter::runtime
