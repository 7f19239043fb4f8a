// Promotion over tensors only.

#include <sinter/graph/ops/floating_types.h>

#include <sinter/graph/ops/types.h>

namespace sinter {

namespace {

PointwiseTypes all_of_type(const OpArgs& args, DType dtype) {
  PointwiseTypes types;
  types.inputs.assign(args.tensor_slots().size(), dtype);
  types.result = dtype;
  return types;
}

}  // namespace

DType type_of_tensors(const OpArgs& args) {
  SmallVector<TypedOperand, 6> operands;
  for (int slot : args.tensor_slots()) operands.push_back(args.typed(slot));
  return result_type(operands);
}

PointwiseTypes types_floating_tensors(const OpArgs& args) {
  DType dtype = type_of_tensors(args);
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  return all_of_type(args, dtype);
}

PointwiseTypes types_number_tensors(const OpArgs& args) {
  DType dtype = type_of_tensors(args);
  if (dtype == DType::boolean) fail_for_type(args, dtype);
  return all_of_type(args, dtype);
}

ScalarExpr number_like(ScalarExpr like, const OpArgs& args, std::string_view parameter) {
  return like.builder->constant(args.scalar(parameter), like.dtype());
}

}  // namespace sinter
