// Division with a rounding mode, floor division and remainders. An integer divided by zero is an error, eager and
// compiled.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/arithmetic.h>
#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/division.h>
#include <sinter/graph/ops/functions/elementary.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

using op_defs::inner_div_floor, op_defs::inner_div_trunc, op_defs::inner_fmod, op_defs::inner_remainder;

// A bool is no number to divide.
PointwiseTypes types_rounded_division(const OpArgs& args) {
  PointwiseTypes types = types_arithmetic(args);
  if (types.result == DType::boolean) fail_for_type(args, types.result);
  return types;
}

// Between f16 or bf16 operands each step is rounded to their type, as ATen computes them; by a single number the
// division is one step in f32.
bool rounds_each_step(const OpArgs& args) {
  bool by_one_number = args[1].is_scalar() || is_known_to_be(numel(args.meta(1).layout.sizes), 1);
  return is_half(common_type(args)) && !by_one_number;
}
ScalarExpr div_trunc_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  DType dtype = common_type(args);
  if (!rounds_each_step(args)) return div_trunc(x[0], x[1]);
  return trunc(s.convert(s.convert(x[0] / x[1], dtype), x[0].dtype()));
}
ScalarExpr div_floor_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  DType dtype = common_type(args);
  if (!rounds_each_step(args)) return div_floor(x[0], x[1]);
  auto rounded = [&](ScalarExpr value) { return s.convert(s.convert(value, dtype), x[0].dtype()); };
  ScalarExpr a = x[0], b = x[1], zero = s.constant(0.0, a.dtype()), quotient = a / b;
  ScalarExpr rest = s.apply(ScalarOp::fmod, {a, b}), exact = rounded(rounded(a - rest) / b);
  ScalarExpr is_below = (rest != zero) & ((b < zero) ^ (rest < zero));
  exact = select(is_below, rounded(exact - Scalar(1.0)), exact);
  ScalarExpr whole = floor(exact);
  whole = select(exact - whole > Scalar(0.5), whole + Scalar(1.0), whole);
  whole = select(exact != zero, whole, copysign(zero, quotient));
  return select(b == zero, quotient, whole);
}

Metas rounded_division_meta(const OpArgs& args) { return {pointwise_meta(args, types_rounded_division(args).result)}; }
Metas remainder_meta(const OpArgs& args) { return {pointwise_meta(args, types_without_bool(args).result)}; }

// The divisor is compared after it has come to the common type, in which it divides.
void check_divisor(const OpArgs& args, const TensorMeta& result) {
  if (is_floating(result.dtype) || is_known_to_be(numel(result.layout.sizes), 0)) return;
  std::string what = fmt::format("{}: an integer is divided by zero", args.op().schema().name);
  const Value& divisor = args[1];
  if (divisor.is_scalar()) {
    if (graph::ask(graph::NumberQuestion::is_zero, divisor.scalar(), result.dtype, args.here()))
      throw Error(ErrorKind::argument, args.here(), what);
    return;
  }
  Tensor other = divisor.tensor();
  if (other.dtype() != result.dtype) other = other.to(result.dtype, args.here());
  Tensor any_zero = any(eq(other, Scalar(0), args.here()), args.here());
  apply(op_defs::check_range_default, {any_zero, any_zero, 0, 0, what, "need divisors that are not 0"}, args.here());
}

template <const OpDef& inner>
Values divide(const OpArgs& args) {
  check_divisor(args, args.op().meta(args)[0]);
  return {apply_one(inner, {args[0], args[1]}, args.here())};
}

// "trunc", "floor", or nothing: the exact quotient.
const std::string* rounding_mode(const OpArgs& args) {
  const Value& mode = args["rounding_mode"];
  if (mode.is_none()) return nullptr;
  if (mode.string() != "trunc" && mode.string() != "floor")
    args.fail(ErrorKind::argument, fmt::format("rounding_mode is '{}'", mode.string()),
              "need 'trunc', 'floor' or none");
  return &mode.string();
}
Metas div_mode_meta(const OpArgs& args) {
  return {pointwise_meta(args, (rounding_mode(args) ? types_rounded_division(args) : types_divide(args)).result)};
}
Values run_div_mode(const OpArgs& args) {
  const std::string* mode = rounding_mode(args);
  if (!mode) return {apply_one(op_defs::div_tensor, {args[0], args[1]}, args.here())};
  return *mode == "trunc" ? divide<inner_div_trunc>(args) : divide<inner_div_floor>(args);
}

}  // namespace

namespace op_defs {

constinit const OpDef inner_div_trunc =
    pointwise("sinter::div_trunc(Tensor self, Tensor other) -> Tensor", types_rounded_division, div_trunc_formula);
constinit const OpDef inner_div_floor =
    pointwise("sinter::div_floor(Tensor self, Tensor other) -> Tensor", types_rounded_division, div_floor_formula);
constinit const OpDef inner_remainder = pointwise("sinter::remainder(Tensor self, Tensor other) -> Tensor",
                                                  types_without_bool, binary<ScalarOp::remainder>);
constinit const OpDef inner_fmod =
    pointwise("sinter::fmod(Tensor self, Tensor other) -> Tensor", types_without_bool, binary<ScalarOp::fmod>);

constinit const OpDef div_tensor_mode = decomposed(
    "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", run_div_mode, div_mode_meta);
constinit const OpDef div_scalar_mode = decomposed(
    "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor", run_div_mode, div_mode_meta);
constinit const OpDef div_inplace_tensor_mode = inplace(
    "aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)", div_tensor_mode);
constinit const OpDef div_inplace_scalar_mode = inplace(
    "aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)", div_scalar_mode);

constinit const OpDef floor_divide_default = decomposed("aten::floor_divide(Tensor self, Tensor other) -> Tensor",
                                                        divide<inner_div_floor>, rounded_division_meta);
constinit const OpDef floor_divide_scalar = decomposed("aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
                                                       divide<inner_div_floor>, rounded_division_meta);
constinit const OpDef floor_divide_inplace_tensor =
    inplace("aten::floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", floor_divide_default);
constinit const OpDef floor_divide_inplace_scalar =
    inplace("aten::floor_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", floor_divide_scalar);

constinit const OpDef remainder_tensor =
    decomposed("aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor", divide<inner_remainder>, remainder_meta);
constinit const OpDef remainder_scalar =
    decomposed("aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor", divide<inner_remainder>, remainder_meta);
constinit const OpDef remainder_inplace_tensor =
    inplace("aten::remainder_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", remainder_tensor);
constinit const OpDef remainder_inplace_scalar =
    inplace("aten::remainder_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", remainder_scalar);

constinit const OpDef fmod_tensor =
    decomposed("aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor", divide<inner_fmod>, remainder_meta);
constinit const OpDef fmod_scalar =
    decomposed("aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor", divide<inner_fmod>, remainder_meta);
constinit const OpDef fmod_inplace_tensor =
    inplace("aten::fmod_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", fmod_tensor);
constinit const OpDef fmod_inplace_scalar =
    inplace("aten::fmod_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", fmod_scalar);
constinit const OpDef remainder_scalar_tensor = decomposed(
    "aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", divide<inner_remainder>, remainder_meta);

}  // namespace op_defs

Tensor div(const Tensor& a, const Tensor& b, std::string rounding_mode, Here here) {
  return apply_one(op_defs::div_tensor_mode, {a, b, std::move(rounding_mode)}, here);
}
Tensor div(const Tensor& a, Scalar b, std::string rounding_mode, Here here) {
  return apply_one(op_defs::div_scalar_mode, {a, b, std::move(rounding_mode)}, here);
}
Tensor floor_divide(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::floor_divide_default, {a, b}, here);
}
Tensor floor_divide(const Tensor& a, Scalar b, Here here) {
  return apply_one(op_defs::floor_divide_scalar, {a, b}, here);
}
Tensor remainder(const Tensor& a, const Tensor& b, Here here) {
  return apply_one(op_defs::remainder_tensor, {a, b}, here);
}
Tensor remainder(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::remainder_scalar, {a, b}, here); }
Tensor fmod(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::fmod_tensor, {a, b}, here); }
Tensor fmod(const Tensor& a, Scalar b, Here here) { return apply_one(op_defs::fmod_scalar, {a, b}, here); }

}  // namespace sinter
