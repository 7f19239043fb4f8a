// Rounding to whole numbers; `round` takes halves to the even one.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/rounding.h>

#include <cmath>

namespace sinter {

namespace {

// Integers are whole already.
template <ScalarOp op>
ScalarExpr rounded(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return is_floating(x[0].dtype()) ? s.apply(op, {x[0]}) : x[0];
}

// round(x * 10^decimals) / 10^decimals; halves in f32, which holds powers and products that they cannot.
ScalarExpr round_decimals_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  int64_t decimals = args.integer("decimals");
  if (!is_floating(x[0].dtype())) return x[0];
  if (decimals == 0) return round(x[0]);
  ScalarExpr power = s.constant(std::pow(10.0, std::abs(double(decimals))), x[0].dtype());
  return decimals < 0 ? round(x[0] / power) * power : round(x[0] * power) / power;
}

}  // namespace

namespace op_defs {

constinit const OpDef ceil_default =
    pointwise("aten::ceil(Tensor self) -> Tensor", types_without_bool, rounded<ScalarOp::ceil>);
constinit const OpDef ceil_inplace_default = inplace("aten::ceil_(Tensor(a!) self) -> Tensor(a!)", ceil_default);
constinit const OpDef floor_default =
    pointwise("aten::floor(Tensor self) -> Tensor", types_without_bool, rounded<ScalarOp::floor>);
constinit const OpDef floor_inplace_default = inplace("aten::floor_(Tensor(a!) self) -> Tensor(a!)", floor_default);
constinit const OpDef round_default =
    pointwise("aten::round(Tensor self) -> Tensor", types_without_bool, rounded<ScalarOp::round>);
constinit const OpDef round_inplace_default = inplace("aten::round_(Tensor(a!) self) -> Tensor(a!)", round_default);
constinit const OpDef round_decimals = pointwise("aten::round.decimals(Tensor self, *, int decimals) -> Tensor",
                                                 types_without_bool, round_decimals_formula);
constinit const OpDef round_inplace_decimals =
    inplace("aten::round_.decimals(Tensor(a!) self, *, int decimals) -> Tensor(a!)", round_decimals);
constinit const OpDef trunc_default =
    pointwise("aten::trunc(Tensor self) -> Tensor", types_without_bool, rounded<ScalarOp::trunc>);
constinit const OpDef trunc_inplace_default = inplace("aten::trunc_(Tensor(a!) self) -> Tensor(a!)", trunc_default);

}  // namespace op_defs

Tensor ceil(const Tensor& x, Here here) { return apply_one(op_defs::ceil_default, {x}, here); }
Tensor floor(const Tensor& x, Here here) { return apply_one(op_defs::floor_default, {x}, here); }
Tensor round(const Tensor& x, Here here) { return apply_one(op_defs::round_default, {x}, here); }
Tensor round(const Tensor& x, int64_t decimals, Here here) {
  return apply_one(op_defs::round_decimals, {x, decimals}, here);
}
Tensor trunc(const Tensor& x, Here here) { return apply_one(op_defs::trunc_default, {x}, here); }

}  // namespace sinter
