// Reading at indices: index, index_select, gather, take.

#include <sinter/graph/ops/dims.h>
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

SINTER_ROUTINE(index_tensor) {
  read_indexed(args, args[0].tensor(), index_of_each_dim(args, args.tensors("indices")), results[0]);
}
SINTER_ROUTINE(unsafe_index_tensor) { index_tensor(args, results); }

SINTER_ROUTINE(index_select_default) {
  const Tensor &self = args[0].tensor(), &index = args[2].tensor();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor positions = flat(checked_indices(args, index, dim, size_along(self, dim), Negative::is_refused));
  auto at_least_one_dim = [](const Tensor& t) { return t.dim() == 0 ? flat(t) : t; };
  std::vector<Tensor> index_of_dim(std::max<int64_t>(self.dim(), 1));
  index_of_dim[dim] = positions;
  read_indexed(args, at_least_one_dim(self), index_of_dim, at_least_one_dim(results[0]));
}

SINTER_ROUTINE(gather_default) {
  const Tensor &self = args[0].tensor(), &index = args[2].tensor(), &result = results[0];
  if (count_of(index) == 0) return;
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  Tensor positions = checked_indices(args, index, dim, size_along(self, dim), Negative::is_refused);
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

SINTER_ROUTINE(take_default) {
  const Tensor &self = args[0].tensor(), &result = results[0];
  Tensor positions = checked_indices(args, args[1].tensor(), -1, count_of(self), Negative::counts_from_the_end);
  Tensor elements = dense(self, self.dtype());
  const int64_t* at = positions.data_ptr<int64_t>();
  visit_bytes(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(elements.data_ptr());
    T* to = static_cast<T*>(result.data_ptr());
    for (int64_t i = 0, count = count_of(result); i < count; ++i) to[i] = from[at[i]];
  });
}

}  // namespace sinter::runtime::routines
