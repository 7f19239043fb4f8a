// Reading at indices, as index and gather do.

#include <sinter/runtime/parallel.h>
#include <sinter/runtime/routines/indexed_walk.h>
#include <sinter/runtime/routines/routine.h>
#include <sinter/runtime/routines/rows.h>

#include <algorithm>
#include <cstring>

namespace sinter::runtime::routines {

namespace {

constexpr int64_t positions_at_a_time = 1024;

template <class T>
void copy_run(const T* from, T* to, const ElementRun& run) {
  from += run.first_offset;
  to += run.second_offset;
  if (run.first_stride == 1 && run.second_stride == 1)
    std::memcpy(to, from, run.count * sizeof(T));
  else
    for (int64_t i = 0; i < run.count; ++i) to[i * run.second_stride] = from[i * run.first_stride];
}

void read_indexed(const OpArgs& args, const Tensor& self, const std::vector<Tensor>& index_of_dim,
                  const Tensor& result) {
  IndexedWalk walk = walk_indexed(args, self, index_of_dim, result);
  if (count_of(result) == 0) return;
  visit_bytes(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(self.data_ptr());
    T* to = static_cast<T*>(result.data_ptr());
    parallel_for(0, walk.position_count(), positions_at_a_time, [&](int64_t begin, int64_t end) {
      walk.for_each_run(begin, end, [&](const ElementRun& run) { copy_run(from, to, run); });
    });
  });
}

}  // namespace

namespace {

void read_aligned(const OpArgs& args, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& result) {
  Negative negative = args.flag("wraps") ? Negative::counts_from_the_end : Negative::is_refused;
  Tensor positions = checked_indices(args, index, dim, size_along(self, dim), negative);
  const int64_t* at = positions.data_ptr<int64_t>();
  int64_t count = size_along(index, dim);
  visit_bytes(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(self.data_ptr());
    T* to = static_cast<T*>(result.data_ptr());
    for_each_row<3>({&positions, &self, &result}, dim, [&](const std::array<int64_t, 3>& offsets) {
      Row<const int64_t> where{at + offsets[0], stride_along(positions, dim)};
      Row<const T> source{from + offsets[1], stride_along(self, dim)};
      Row<T> target{to + offsets[2], stride_along(result, dim)};
      for (int64_t k = 0; k < count; ++k) target[k] = source[where[k]];
    });
  });
}

}  // namespace

SINTER_ROUTINE(unsafe_index_tensor) {
  read_indexed(args, args[0].tensor(), index_of_each_dim(args, args.tensors("indices")), results[0]);
}

SINTER_ROUTINE(pick_default) {
  const Tensor& self = args[0].tensor();
  std::vector<Tensor> indices = args.tensors("indices");
  if (!args.flag("aligned")) {
    indices.resize(self.dim());
    return read_indexed(args, self, indices, results[0]);
  }
  for (size_t dim = 0; dim < indices.size(); ++dim)
    if (indices[dim].defined()) read_aligned(args, self, static_cast<int64_t>(dim), indices[dim], results[0]);
}

}  // namespace sinter::runtime::routines
