// Tensors from nothing: constants, ranges, and uninitialised memory.

#include <sinter/graph/ops/creation.h>
#include <sinter/graph/ops/factory.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/plain_number.h>

#include <cmath>
#include <limits>

namespace sinter {

namespace {

#define SINTER_LIKE "*, " SINTER_FACTORY ", MemoryFormat? memory_format=None"

Metas sized_meta(const OpArgs& args) { return {fresh(args, args.sizes("size"), default_dtype)}; }

// The strides of a memory format that is given, and not `preserve`.
void take_format(const OpArgs& args, TensorMeta& meta, MemoryFormat format) {
  if (format != MemoryFormat::channels_last) return;
  if (meta.layout.rank() != 4)
    args.fail(ErrorKind::argument, fmt::format("channels_last of a tensor of rank {}", meta.layout.rank()),
              "need rank 4");
  meta.layout.strides = channels_last_strides(meta.layout.sizes);
}

Metas empty_meta(const OpArgs& args) {
  Metas metas = sized_meta(args);
  if (args["memory_format"].is_none()) return metas;
  if (args["memory_format"].memory_format() == MemoryFormat::preserve)
    args.fail(ErrorKind::argument, "there is no memory format to preserve");
  take_format(args, metas[0], args["memory_format"].memory_format());
  return metas;
}

DType type_of_number(Scalar value) { return value.is_floating() ? default_dtype : value.dtype(); }

Metas full_meta(const OpArgs& args) {
  TensorMeta meta = fresh(args, args.sizes("size"), type_of_number(args.scalar("fill_value")));
  check_fills(args, args.scalar("fill_value"), meta.dtype);
  return {meta};
}

Metas like_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  TensorMeta meta = fresh(args, self.layout.sizes, self.dtype);
  const Value& format = args["memory_format"];
  bool preserves = format.is_none() || format.memory_format() == MemoryFormat::preserve;
  if (preserves)
    meta.layout.strides = preserved_strides(self.layout);
  else
    take_format(args, meta, format.memory_format());
  return {meta};
}

Metas full_like_meta(const OpArgs& args) {
  Metas metas = like_meta(args);
  check_fills(args, args.scalar("fill_value"), metas[0].dtype);
  return metas;
}

Metas scalar_tensor_meta(const OpArgs& args) { return {fresh(args, {}, default_dtype)}; }

ScalarExpr scalar_tensor_formula(ScalarBuilder& s, const OpArgs& args, Inputs) {
  return result_constant(s, args, args.scalar("s"));
}

// --- arange -----------------------------------------------------------------------------------------------------

struct Range {
  Scalar start = 0, end = 0, step = 1;
};

Range range_of(const OpArgs& args) {
  Range range;
  const Schema& schema = args.op().schema();
  range.end = args.scalar("end");
  if (schema.find("start") >= 0) range.start = args.scalar("start");
  if (schema.find("step") >= 0) range.step = args.scalar("step");
  return range;
}

[[noreturn]] void fail_for_length(const OpArgs& args, const Range& range) {
  args.fail(ErrorKind::argument, fmt::format("from {} to {} by {} are more than 2^63 elements", to_string(range.start),
                                             to_string(range.end), to_string(range.step)));
}

// Of whole numbers, some of them symbolic sizes.
std::optional<SymInt> symbolic_length(const Range& range) {
  bool is_symbolic = range.start.is_symbolic() || range.end.is_symbolic();
  if (!is_symbolic || range.start.is_floating() || range.end.is_floating() || range.step.is_floating()) return {};
  int64_t step = range.step.to_int();
  SymInt start = range.start.size(), end = range.end.size();
  if (step == 0 || step == std::numeric_limits<int64_t>::min()) return {};  // the plain rule says what is wrong
  SymInt distance = step > 0 ? end - start : start - end;
  if (distance < 0) return {};
  return ceil_div(distance, std::abs(step));
}

Metas arange_meta(const OpArgs& args) {
  Range range = range_of(args);
  if (std::optional<SymInt> length = symbolic_length(range)) return {fresh(args, {*length}, DType::i64)};
  bool any_floating = range.start.is_floating() || range.end.is_floating() || range.step.is_floating();
  TensorMeta meta = fresh(args, {0}, any_floating ? default_dtype : DType::i64);
  double start = range.start.to_double(), end = range.end.to_double(), step = range.step.to_double();
  if (!std::isfinite(start) || !std::isfinite(end))
    args.fail(ErrorKind::argument,
              fmt::format("the range {} to {} is not finite", to_string(range.start), to_string(range.end)));
  if (step == 0 || std::isnan(step))
    args.fail(ErrorKind::argument, fmt::format("step {}", to_string(range.step)), "need a step that is not 0");
  if ((step > 0 && start > end) || (step < 0 && start < end))
    args.fail(ErrorKind::argument, fmt::format("a step of {} does not lead from {} to {}", to_string(range.step),
                                               to_string(range.start), to_string(range.end)));
  int64_t count = 0;
  if (meta.dtype == DType::i64 && !any_floating) {
    // The distance fits 64 bits without a sign; the step's size too.
    uint64_t from = static_cast<uint64_t>(range.start.to_int()), to = static_cast<uint64_t>(range.end.to_int());
    uint64_t by = static_cast<uint64_t>(range.step.to_int()), span = to - from;
    if (range.step.to_int() < 0) by = -by, span = -span;
    uint64_t steps = span / by + (span % by != 0);
    if (steps > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) fail_for_length(args, range);
    count = static_cast<int64_t>(steps);
  } else {
    double steps = std::ceil((end - start) / step);
    if (!(steps < 0x1p63)) fail_for_length(args, range);
    count = static_cast<int64_t>(steps);
  }
  meta.layout = contiguous_layout({count});
  return {meta};
}

// start + i * step, in i64 for integer results, else in f64, as ATen's accumulate type.
ScalarExpr arange_formula(ScalarBuilder& s, const OpArgs& args, Inputs) {
  Range range = range_of(args);
  DType dtype = arange_meta(args)[0].dtype;
  DType work = is_floating(dtype) ? DType::f64 : DType::i64;
  ScalarExpr i = s.convert(s.index(0), work);
  ScalarExpr steps = range.step == 1 ? i : i * s.constant(range.step, work);
  // Steps down from 0 begin with -0, which the sum makes 0.
  return is_plain(range.start) && range.start == 0 && range.step > 0 ? steps : s.constant(range.start, work) + steps;
}

// --- linspace ---------------------------------------------------------------------------------------------------

// From both ends towards the middle: start + step * i, and end - step * (steps - 1 - i).
ScalarExpr linspace_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  DType result = types_generated(args).result;
  DType work = is_floating(result) ? compute_type(result) : DType::f64;
  int64_t steps = args.integer("steps");
  size_t next = 0;
  auto bound = [&](int slot) {
    if (args.op().schema().parameters[slot].type == ArgType::tensor && !args[slot].is_scalar())
      return s.convert(x[next++], work);
    if (args.op().schema().parameters[slot].type == ArgType::tensor) ++next;
    // An integer result starts from integers.
    return s.convert(s.constant(args[slot].scalar(), compute_type(result)), work);
  };
  ScalarExpr start = bound(0), end = bound(1);
  if (steps <= 1) return start;
  ScalarExpr step = (end - start) / s.constant(static_cast<double>(steps - 1), work);
  ScalarExpr i = s.index(0);
  ScalarExpr from_start = start + step * s.convert(i, work);
  ScalarExpr from_end = end - step * s.convert(s.constant(steps - 1, DType::i64) - i, work);
  return select(i < Scalar(steps / 2), from_start, from_end);
}

constexpr OpDef linspace_op(std::string_view signature) {
  return pointwise(signature, types_points, linspace_formula, points_meta);
}

}  // namespace

namespace op_defs {

constinit const OpDef empty_memory_format = {
    .signature =
        "aten::empty.memory_format(SymInt[] size, *, " SINTER_FACTORY ", MemoryFormat? memory_format=None) -> Tensor",
    .meta = empty_meta,
    .structured = Structured::empty,
};
constinit const OpDef empty_like_default = {
    .signature = "aten::empty_like(Tensor self, " SINTER_LIKE ") -> Tensor",
    .meta = like_meta,
    .structured = Structured::empty,
};
constinit const OpDef zeros_default =
    generator("aten::zeros(SymInt[] size, *, " SINTER_FACTORY ") -> Tensor", sized_meta, constant_formula<0>);
constinit const OpDef zeros_like_default =
    generator("aten::zeros_like(Tensor self, " SINTER_LIKE ") -> Tensor", like_meta, constant_formula<0>);
constinit const OpDef ones_default =
    generator("aten::ones(SymInt[] size, *, " SINTER_FACTORY ") -> Tensor", sized_meta, constant_formula<1>);
constinit const OpDef ones_like_default =
    generator("aten::ones_like(Tensor self, " SINTER_LIKE ") -> Tensor", like_meta, constant_formula<1>);
constinit const OpDef full_default =
    generator("aten::full(SymInt[] size, Scalar fill_value, *, " SINTER_FACTORY ") -> Tensor", full_meta, full_formula);
constinit const OpDef full_like_default = generator(
    "aten::full_like(Tensor self, Scalar fill_value, " SINTER_LIKE ") -> Tensor", full_like_meta, full_formula);
constinit const OpDef scalar_tensor_default = generator(
    "aten::scalar_tensor(Scalar s, *, " SINTER_FACTORY ") -> Tensor", scalar_tensor_meta, scalar_tensor_formula);

constinit const OpDef arange_default =
    generator("aten::arange(Scalar end, *, " SINTER_FACTORY ") -> Tensor", arange_meta, arange_formula);
constinit const OpDef arange_start = generator(
    "aten::arange.start(Scalar start, Scalar end, *, " SINTER_FACTORY ") -> Tensor", arange_meta, arange_formula);
constinit const OpDef arange_start_step =
    generator("aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, " SINTER_FACTORY ") -> Tensor",
              arange_meta, arange_formula);

constinit const OpDef linspace_default =
    linspace_op("aten::linspace(Scalar start, Scalar end, int steps, *, " SINTER_FACTORY ") -> Tensor");
constinit const OpDef linspace_tensor_tensor =
    linspace_op("aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, " SINTER_FACTORY ") -> Tensor");
constinit const OpDef linspace_tensor_scalar =
    linspace_op("aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, " SINTER_FACTORY ") -> Tensor");
constinit const OpDef linspace_scalar_tensor =
    linspace_op("aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, " SINTER_FACTORY ") -> Tensor");

}  // namespace op_defs

Tensor empty(SymDims sizes, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::empty_memory_format, {sizes, dtype}, here);
}
Tensor empty_like(const Tensor& x, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::empty_like_default, {x, dtype}, here);
}
Tensor zeros(SymDims sizes, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::zeros_default, {sizes, dtype}, here);
}
Tensor zeros_like(const Tensor& x, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::zeros_like_default, {x, dtype}, here);
}
Tensor ones(SymDims sizes, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::ones_default, {sizes, dtype}, here);
}
Tensor ones_like(const Tensor& x, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::ones_like_default, {x, dtype}, here);
}
Tensor full(SymDims sizes, Scalar value, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::full_default, {sizes, value, dtype}, here);
}
Tensor full_like(const Tensor& x, Scalar value, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::full_like_default, {x, value, dtype}, here);
}
Tensor scalar_tensor(Scalar value, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::scalar_tensor_default, {value, dtype}, here);
}
Tensor arange(Scalar end, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::arange_default, {end, dtype}, here);
}
Tensor arange(Scalar start, Scalar end, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::arange_start, {start, end, dtype}, here);
}
Tensor arange(Scalar start, Scalar end, Scalar step, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::arange_start_step, {start, end, step, dtype}, here);
}
Tensor linspace(Scalar start, Scalar end, int64_t steps, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::linspace_default, {start, end, steps, dtype}, here);
}

}  // namespace sinter
