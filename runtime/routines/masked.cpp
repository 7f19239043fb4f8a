// Elements taken from, or put to, where a mask is true, in row-major order.

#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/routines/indices.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>

namespace sinter::runtime::routines {

namespace {

Tensor dense_over(const Tensor& tensor, const SymDims& sizes) { return contiguous(tensor.expand(sizes)); }

int64_t count_true(const Tensor& mask) {
  const bool* data = mask.data_ptr<bool>();
  return std::count(data, data + count_of(mask), true);
}

// target[k] = source[i] for the k-th true mask[i].
void pack(const Tensor& source, const Tensor& mask, void* target) {
  const bool* is_taken = mask.data_ptr<bool>();
  visit_bytes(source.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(source.data_ptr());
    T* to = static_cast<T*>(target);
    for (int64_t i = 0, count = count_of(mask); i < count; ++i)
      if (is_taken[i]) *to++ = from[i];
  });
}

// target[i] = source[k] for the k-th true mask[i].
void unpack(const Tensor& source, const Tensor& mask, const Tensor& target) {
  const bool* is_taken = mask.data_ptr<bool>();
  visit_bytes(source.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(source.data_ptr());
    T* to = static_cast<T*>(target.data_ptr());
    for (int64_t i = 0, count = count_of(mask); i < count; ++i)
      if (is_taken[i]) to[i] = *from++;
  });
}

}  // namespace

SINTER_SIZING_ROUTINE(masked_select_default) {
  const Tensor &self = args[0].tensor(), &mask = args[1].tensor();
  check_bool_mask(args, "mask");
  SymDims sizes = broadcast_with_mask(args);
  Tensor where_true = dense_over(mask, sizes);
  Tensor result = new_tensor(self.dtype(), {count_true(where_true)});
  pack(dense_over(self, sizes), where_true, result.data_ptr());
  return {result};
}

SINTER_ROUTINE(masked_scatter_default) {
  const Tensor &self = args[0].tensor(), &source = args[2].tensor(), &result = results[0];
  Tensor mask = dense_over(args[1].tensor(), result.sizes());
  int64_t wanted = count_true(mask), have = count_of(source);
  if (have < wanted)
    args.fail(ErrorKind::argument, fmt::format("the mask is true {} times, source has {} elements", wanted, have));
  result.copy_(self.expand(result.sizes()));
  unpack(dense(source, source.dtype()), mask, result);
}

SINTER_ROUTINE(masked_scatter_backward_default) {
  const Tensor &grad = args[0].tensor(), &mask = args[1].tensor(), &result = results[0];
  SymDims sizes = *broadcast_sizes(grad.sizes(), mask.sizes());
  Tensor where_true = dense_over(mask, sizes);
  int64_t taken = count_true(where_true);
  if (taken > count_of(result))
    args.fail(ErrorKind::shape,
              fmt::format("the mask is true {} times, source has {} elements", taken, count_of(result)));
  result.zero_();
  pack(dense_over(grad, sizes), where_true, result.data_ptr());
}

}  // namespace sinter::runtime::routines
