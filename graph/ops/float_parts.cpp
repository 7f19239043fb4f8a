// The parts of floating numbers: mantissa and exponent, fraction, neighbours, and what stands for NaN and infinities.

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/float_parts.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/power.h>

#include <limits>

namespace sinter {

namespace {

PointwiseTypes types_exponent(const OpArgs& args) {
  PointwiseTypes types = types_floating_only(args);
  types.result = DType::i32;
  return types;
}
Metas frexp_meta(const OpArgs& args) {
  DType dtype = types_floating_only(args).result;
  return {pointwise_meta(args, dtype), pointwise_meta(args, DType::i32)};
}
Values run_frexp(const OpArgs& args) {
  return {apply_one(op_defs::mantissa_default, {args[0]}, args.here()),
          apply_one(op_defs::exponent_default, {args[0]}, args.here())};
}

// The power of two has the type of a floating x.
Values run_ldexp(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  Tensor two = scalar_tensor(2.0, is_floating(dtype) ? dtype : default_dtype, args.here());
  Tensor power = apply_one(op_defs::pow_tensor_tensor, {two, args[1]}, args.here());
  return {apply_one(op_defs::mul_tensor, {args[0], power}, args.here())};
}

// Among numbers of a half type, whose neighbours lie `ratio` times as far as in f32, but at least `least`.
ScalarExpr half_nextafter(ScalarBuilder& s, Inputs inputs, double ratio, double least, double largest) {
  ScalarExpr x = inputs[0], y = inputs[1];
  ScalarExpr step = (s.apply(ScalarOp::nextafter, {x, y}) - x) * Scalar(ratio);
  ScalarExpr size = maximum(abs(step), s.constant(least, x.dtype()));
  ScalarExpr moved = x + copysign(size, step);
  moved = select(x == Scalar(0.0), moved, copysign(moved, x));  // towards zero: of x's sign
  ScalarExpr infinite = abs(x) == Scalar(std::numeric_limits<double>::infinity());
  ScalarExpr next = select(infinite, copysign(s.constant(largest, x.dtype()), x), moved);
  return select(is_nan(x) | is_nan(y), x + y, select(x == y, y, next));
}
ScalarExpr nextafter_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  switch (common_type(args)) {
    case DType::f16: return half_nextafter(s, x, 0x1p13, 0x1p-24, 65504);
    case DType::bf16: return half_nextafter(s, x, 0x1p16, 0x1p-133, 0x1.fep127);
    default: return s.apply(ScalarOp::nextafter, {x[0], x[1]});
  }
}

ScalarExpr frac_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[0] - trunc(x[0]); }

double largest(DType dtype) {
  switch (dtype) {
    case DType::f16: return 65504;
    case DType::bf16: return 0x1.fep127;
    case DType::f32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

ScalarExpr nan_to_num_formula(ScalarBuilder& s, const OpArgs& args, Inputs inputs) {
  ScalarExpr x = inputs[0];
  if (!is_floating(x.dtype())) return x;
  DType dtype = common_type(args);
  auto given = [&](std::string_view parameter, double otherwise) {
    return number_in(s, args[parameter].is_none() ? Scalar(otherwise) : args.scalar(parameter), dtype);
  };
  const double infinity = std::numeric_limits<double>::infinity();
  ScalarExpr finite = select(x == Scalar(infinity), given("posinf", largest(dtype)), x);
  finite = select(x == Scalar(-infinity), given("neginf", -largest(dtype)), finite);
  return select(is_nan(x), given("nan", 0.0), finite);
}

}  // namespace

namespace op_defs {

constinit const OpDef mantissa_default =
    pointwise("sinter::mantissa(Tensor self) -> Tensor", types_floating_only, unary<ScalarOp::mantissa>);
constinit const OpDef exponent_default =
    pointwise("sinter::exponent(Tensor self) -> Tensor", types_exponent, unary<ScalarOp::exponent>);
constinit const OpDef frexp_tensor =
    decomposed("aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)", run_frexp, frexp_meta);

constinit const OpDef ldexp_tensor = decomposed("aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor", run_ldexp);
constinit const OpDef ldexp_inplace_default =
    inplace("aten::ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)", ldexp_tensor);

constinit const OpDef nextafter_default =
    pointwise("aten::nextafter(Tensor self, Tensor other) -> Tensor", types_floating_only, nextafter_formula);
constinit const OpDef nextafter_inplace_default =
    inplace("aten::nextafter_(Tensor(a!) self, Tensor other) -> Tensor(a!)", nextafter_default);
constinit const OpDef frac_default = pointwise("aten::frac(Tensor self) -> Tensor", types_floating_only, frac_formula);
constinit const OpDef frac_inplace_default = inplace("aten::frac_(Tensor(a!) self) -> Tensor(a!)", frac_default);
constinit const OpDef nan_to_num_default =
    pointwise("aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
              types_common, nan_to_num_formula);
constinit const OpDef nan_to_num_inplace_default =
    inplace("aten::nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor(a!)",
            nan_to_num_default);

}  // namespace op_defs

std::tuple<Tensor, Tensor> frexp(const Tensor& x, Here here) {
  Values parts = apply(op_defs::frexp_tensor, {x}, here);
  return {parts[0].tensor(), parts[1].tensor()};
}
Tensor ldexp(const Tensor& x, const Tensor& exponent, Here here) {
  return apply_one(op_defs::ldexp_tensor, {x, exponent}, here);
}
Tensor nextafter(const Tensor& x, const Tensor& towards, Here here) {
  return apply_one(op_defs::nextafter_default, {x, towards}, here);
}
Tensor frac(const Tensor& x, Here here) { return apply_one(op_defs::frac_default, {x}, here); }
Tensor nan_to_num(const Tensor& x, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf, Here here) {
  auto value = [](std::optional<double> number) { return number ? Value(*number) : Value(); };
  return apply_one(op_defs::nan_to_num_default, {x, value(nan), value(posinf), value(neginf)}, here);
}

}  // namespace sinter
