// Metas and constants of fresh tensors.

#include <sinter/graph/ops/factory.h>

#include <sinter/graph/infer_meta.h>

namespace sinter {

TensorMeta fresh(const OpArgs& args, const SymDims& sizes, DType dtype, Device device) {
  for (SymInt size : sizes)
    if (size < 0) args.fail(ErrorKind::shape, fmt::format("size {} is negative", to_string(size)));
  TensorMeta meta{args["dtype"].is_none() ? dtype : args["dtype"].dtype(), device, contiguous_layout(sizes)};
  if (!args["device"].is_none()) meta.device = args["device"].device();
  return meta;
}

PointwiseTypes types_generated(const OpArgs& args) {
  PointwiseTypes types;
  types.result = infer_meta(args)[0].dtype;
  return types;
}

ScalarExpr result_constant(ScalarBuilder& s, const OpArgs& args, Scalar value) {
  return s.constant(value, compute_type(types_generated(args).result));
}

Metas points_meta(const OpArgs& args) {
  for (int slot : args.tensor_slots())
    if (args.meta(slot).layout.rank() != 0)
      args.fail(ErrorKind::shape, "start and end are single values", "need zero-dim tensors");
  if (args.size("steps") < 0)
    args.fail(ErrorKind::argument, fmt::format("steps {}", to_string(args.size("steps"))), "need steps >= 0");
  return {fresh(args, {args.size("steps")}, default_dtype)};
}

PointwiseTypes types_points(const OpArgs& args) {
  PointwiseTypes types = types_generated(args);
  types.inputs.resize(args.tensor_slots().size(), types.result);
  return types;
}

}  // namespace sinter
