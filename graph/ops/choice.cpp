// where and clamp: elements chosen from operands.

#include <sinter/graph/ops/choice.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

PointwiseTypes types_where(const OpArgs& args) {
  DType condition = args.meta(0).dtype;
  if (condition != DType::boolean && condition != DType::u8)
    args.fail(ErrorKind::dtype, fmt::format("the condition is {}", name(condition)), "need a bool condition");
  TypedOperand choices[] = {args.typed(1), args.typed(2)};
  PointwiseTypes types;
  types.result = result_type(choices);
  types.inputs = {DType::boolean, types.result, types.result};
  return types;
}

ScalarExpr where_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return select(x[0], x[1], x[2]); }

// A number that the type cannot hold is no bound on the side where no element is beyond it.
bool bounds_nothing(const OpArgs& args, std::string_view bound, DType dtype) {
  Scalar number = args.scalar(bound);
  if (graph::ask(graph::NumberQuestion::fits, number, dtype, args.here())) return false;
  bool is_below = graph::ask(graph::NumberQuestion::is_negative, number, dtype, args.here());
  return is_below == (bound == "min");
}

void check_bound(const OpArgs& args, std::string_view bound, DType dtype) {
  if (args.op().schema().find(bound) < 0 || !args[bound].is_scalar()) return;
  if (!bounds_nothing(args, bound, dtype)) check_fits(args, args.scalar(bound), dtype);
}

PointwiseTypes types_clamp(const OpArgs& args) {
  bool any = false;
  for (std::string_view bound : {"min", "max"}) any |= args.op().schema().find(bound) >= 0 && !args[bound].is_none();
  if (!any) args.fail(ErrorKind::argument, "neither min nor max is given", "need at least one bound");
  PointwiseTypes types = types_common(args);
  // With one tensor bound it is maximum or minimum, which take bools.
  bool takes_bool =
      args.op().schema().parameters.size() == 2 && args.op().schema().parameters[1].type == ArgType::tensor;
  if (types.result == DType::boolean && !takes_bool) fail_for_type(args, types.result);
  check_bound(args, "min", types.result);
  check_bound(args, "max", types.result);
  return types;
}

// min(max(x, low), high): where low > high the result is high; NaN in any operand gives NaN.
ScalarExpr clamp_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  ScalarExpr value = x[0];
  size_t next = 1;
  DType dtype = common_type(args);
  auto bound = [&](std::string_view parameter) -> std::optional<ScalarExpr> {
    int slot = args.op().schema().find(parameter);
    if (slot < 0 || !args.has(slot)) return std::nullopt;
    if (args.op().schema().parameters[slot].type == ArgType::tensor) return x[next++];
    if (bounds_nothing(args, parameter, dtype)) return std::nullopt;
    return number_in(s, args.scalar(parameter), dtype);
  };
  // Where a bound equals the value (zeros of either sign) the value stays: the second operand of both.
  bool is_bool = value.dtype() == DType::boolean;
  if (std::optional<ScalarExpr> low = bound("min")) value = is_bool ? (value | *low) : maximum(*low, value);
  if (std::optional<ScalarExpr> high = bound("max")) value = is_bool ? (value & *high) : minimum(*high, value);
  return value;
}

}  // namespace

namespace op_defs {

constinit const OpDef where_self =
    pointwise("aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", types_where, where_formula);

constinit const OpDef clamp_default =
    pointwise("aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", types_clamp, clamp_formula);
constinit const OpDef clamp_tensor = pointwise(
    "aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", types_clamp, clamp_formula);
constinit const OpDef clamp_inplace_default =
    inplace("aten::clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)", clamp_default);
constinit const OpDef clamp_inplace_tensor =
    inplace("aten::clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)", clamp_tensor);

constinit const OpDef clamp_min_default =
    pointwise("aten::clamp_min(Tensor self, Scalar min) -> Tensor", types_clamp, clamp_formula);
constinit const OpDef clamp_min_tensor =
    pointwise("aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", types_clamp, clamp_formula);
constinit const OpDef clamp_min_inplace_default =
    inplace("aten::clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!)", clamp_min_default);
constinit const OpDef clamp_min_inplace_tensor =
    inplace("aten::clamp_min_.Tensor(Tensor(a!) self, Tensor min) -> Tensor(a!)", clamp_min_tensor);

constinit const OpDef clamp_max_default =
    pointwise("aten::clamp_max(Tensor self, Scalar max) -> Tensor", types_clamp, clamp_formula);
constinit const OpDef clamp_max_tensor =
    pointwise("aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", types_clamp, clamp_formula);
constinit const OpDef clamp_max_inplace_default =
    inplace("aten::clamp_max_(Tensor(a!) self, Scalar max) -> Tensor(a!)", clamp_max_default);
constinit const OpDef clamp_max_inplace_tensor =
    inplace("aten::clamp_max_.Tensor(Tensor(a!) self, Tensor max) -> Tensor(a!)", clamp_max_tensor);

}  // namespace op_defs

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::where_self, {condition, a, b}, here);
}
Tensor where(const Tensor& condition, const Tensor& a, Scalar b, Here here) {
  return apply_one(op_defs::where_self, {condition, a, b}, here);
}
Tensor where(const Tensor& condition, Scalar a, const Tensor& b, Here here) {
  return apply_one(op_defs::where_self, {condition, a, b}, here);
}
Tensor clamp(const Tensor& x, std::optional<Scalar> min, std::optional<Scalar> max, Here here) {
  return apply_one(op_defs::clamp_default, {x, min, max}, here);
}
Tensor clamp_min(const Tensor& x, Scalar min, Here here) {
  return apply_one(op_defs::clamp_min_default, {x, min}, here);
}
Tensor clamp_max(const Tensor& x, Scalar max, Here here) {
  return apply_one(op_defs::clamp_max_default, {x, max}, here);
}

}  // namespace sinter
