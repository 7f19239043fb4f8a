// Promotion as ATen's TensorIterator does it for each kind of op.

#include <sinter/graph/ops/types.h>

#include <limits>

namespace sinter {

namespace {

PointwiseTypes all_of(const OpArgs& args, DType operands, DType result) {
  PointwiseTypes types;
  types.inputs.assign(args.tensor_slots().size(), operands);
  types.result = result;
  return types;
}

PointwiseTypes all_of(const OpArgs& args, DType dtype) { return all_of(args, dtype, dtype); }

DType floating_or_default(DType dtype) { return is_floating(dtype) ? dtype : default_dtype; }

// A number, or a zero-dim tensor of higher precision, is not rounded to a half type before the operation.
PointwiseTypes keep_precision_of_numbers(const OpArgs& args, PointwiseTypes types) {
  if (!is_half(types.result)) return types;
  SmallVector<int, 4> slots = args.tensor_slots();
  for (size_t i = 1; i < slots.size(); ++i)
    if (args.typed(slots[i]).rank != Rank::dense && args.typed(slots[i]).dtype != types.result)
      types.inputs[i] = compute_type(types.result);
  return types;
}

}  // namespace

DType common_type(const OpArgs& args) {
  SmallVector<TypedOperand, 6> operands;
  const Schema& schema = args.op().schema();
  for (size_t i = 0; i < schema.parameters.size(); ++i) {
    const Parameter& parameter = schema.parameters[i];
    int slot = static_cast<int>(i);
    if (parameter.is_list || !args.has(slot)) continue;
    if (parameter.type == ArgType::tensor)
      operands.push_back(args.typed(slot));
    else if (parameter.type == ArgType::scalar && !parameter.keyword_only && parameter.name != "alpha")
      operands.push_back({args[slot].is_scalar() ? args[slot].scalar().dtype() : DType::i64, Rank::number});
  }
  return result_type(operands);
}

PointwiseTypes types_common(const OpArgs& args) { return all_of(args, common_type(args)); }

PointwiseTypes types_arithmetic(const OpArgs& args) { return keep_precision_of_numbers(args, types_common(args)); }

PointwiseTypes types_float(const OpArgs& args) { return all_of(args, floating_or_default(common_type(args))); }

PointwiseTypes types_divide(const OpArgs& args) { return keep_precision_of_numbers(args, types_float(args)); }

PointwiseTypes types_compare(const OpArgs& args) { return all_of(args, common_type(args), DType::boolean); }

PointwiseTypes types_predicate(const OpArgs& args) {
  PointwiseTypes types;
  for (int slot : args.tensor_slots()) types.inputs.push_back(args.meta(slot).dtype);
  types.result = DType::boolean;
  return types;
}

PointwiseTypes types_of_self(const OpArgs& args) {
  PointwiseTypes types = types_predicate(args);
  types.result = args.meta(0).dtype;
  return types;
}

PointwiseTypes types_without_bool(const OpArgs& args) {
  DType dtype = common_type(args);
  if (dtype == DType::boolean) fail_for_type(args, dtype);
  return all_of(args, dtype);
}

PointwiseTypes types_floating_only(const OpArgs& args) {
  DType dtype = common_type(args);
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  return all_of(args, dtype);
}

PointwiseTypes types_integral_only(const OpArgs& args) {
  DType dtype = common_type(args);
  if (is_floating(dtype)) fail_for_type(args, dtype);
  return all_of(args, dtype);
}

void fail_for_type(const OpArgs& args, DType dtype) {
  args.fail(ErrorKind::dtype, fmt::format("is not implemented for {}", name(dtype)));
}

namespace {

using graph::NumberQuestion;

[[noreturn]] void fail_to_fit(const OpArgs& args, Scalar value, DType dtype) {
  args.fail(ErrorKind::argument, fmt::format("the number {} does not fit into {}", to_string(value), name(dtype)));
}

}  // namespace

void check_fits(const OpArgs& args, Scalar value, DType dtype) {
  if (!graph::ask(NumberQuestion::fits, value, dtype, args.here())) fail_to_fit(args, value, dtype);
}

void check_fills(const OpArgs& args, Scalar value, DType dtype) {
  if (!graph::ask(NumberQuestion::fills, value, dtype, args.here())) fail_to_fit(args, value, dtype);
}

}  // namespace sinter
