// Arguments of reductions.

#include <sinter/graph/ops/reduce_rules.h>

#include <sinter/graph/ops/dims.h>

#include <algorithm>

namespace sinter {

bool keepdim_of(const OpArgs& args) {
  int slot = args.op().schema().find("keepdim");
  return slot >= 0 && args[slot].scalar().to_bool();
}

std::optional<DType> asked_type(const OpArgs& args) {
  int slot = args.op().schema().find("dtype");
  if (slot < 0 || args[slot].is_none()) return std::nullopt;
  return args[slot].dtype();
}

DType floating_type(const OpArgs& args) {
  DType dtype = asked_type(args).value_or(args.meta(0).dtype);
  if (!is_floating(dtype))
    args.fail(ErrorKind::dtype, fmt::format("is not implemented for {}", name(dtype)), "pass a floating dtype");
  return dtype;
}

void check_not_empty(const OpArgs& args, const Dims& dims) {
  if (reduced_count(args.meta(0).layout.sizes, dims) == 0)
    args.fail(ErrorKind::argument, "the reduction is over no elements and has no identity",
              "reduce dims of a size above 0");
}

Tensor widened(const Tensor& x, DType dtype, Here here) { return x.to(compute_type(dtype), here); }

Tensor with_dims_dropped(const Tensor& x, const Dims& dims, bool keepdim, Here here) {
  if (keepdim || dims.empty()) return x;
  SymDims sizes;
  for (int64_t i = 0; i < x.dim(); ++i)
    if (std::find(dims.begin(), dims.end(), i) == dims.end()) sizes.push_back(x.sizes()[i]);
  return x.view(sizes, here);
}

std::pair<Tensor, Tensor> apply_two(const OpDef& op, std::initializer_list<Value> positional, Here here) {
  Values results = apply(op, positional, here);
  return {results[0].tensor(), results[1].tensor()};
}

}  // namespace sinter
