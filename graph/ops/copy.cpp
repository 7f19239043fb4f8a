// Copies and conversions: clone, contiguous, to, copy, fill.

#include <sinter/graph/ops/copy.h>

#include <sinter/graph/late_guards.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>

namespace sinter {

namespace {

MemoryFormat wanted_format(const OpArgs& args) {
  const Value& format = args["memory_format"];
  return format.is_none() ? MemoryFormat::preserve : format.memory_format();
}

// Strides of a fresh tensor like `self` under parameter memory_format.
SymDims formatted_strides(const OpArgs& args, const Layout& self) {
  switch (wanted_format(args)) {
    case MemoryFormat::preserve: return preserved_strides(self);
    case MemoryFormat::contiguous: return contiguous_strides(self.sizes);
    case MemoryFormat::channels_last: {
      if (self.rank() != 4)
        args.fail(ErrorKind::argument, fmt::format("channels_last of a tensor of rank {}", self.rank()), "need rank 4");
      return channels_last_strides(self.sizes);
    }
  }
  __builtin_unreachable();
}

TensorMeta fresh_like(const OpArgs& args, DType dtype) {
  TensorMeta self = args.meta(0);
  return {dtype, self.device, {self.layout.sizes, formatted_strides(args, self.layout), 0}};
}

Metas clone_meta(const OpArgs& args) { return {fresh_like(args, args.meta(0).dtype)}; }

DType to_copy_type(const OpArgs& args) { return args["dtype"].is_none() ? args.meta(0).dtype : args["dtype"].dtype(); }
PointwiseTypes types_to_copy(const OpArgs& args) {
  PointwiseTypes types = types_of_self(args);
  types.result = to_copy_type(args);
  return types;
}
Metas to_copy_meta(const OpArgs& args) { return {fresh_like(args, to_copy_type(args))}; }

std::optional<SymDims> strides_if_contiguous(const Layout& layout, const SymDims& sizes) {
  return is_contiguous(layout) ? std::optional(contiguous_strides(sizes)) : std::nullopt;
}

Values run_contiguous(const OpArgs& args) {
  Tensor self = args.tensor(0);
  MemoryFormat wanted = args["memory_format"].memory_format();
  if (wanted == MemoryFormat::contiguous) {
    auto [is_view, waiting] = graph::view_or_copy(self, self.sizes(), strides_if_contiguous);
    if (is_view) return {self};
    Tensor copy = apply_one(op_defs::clone_default, {self, args["memory_format"]}, args.here());
    graph::note_copy(self, copy, std::move(waiting));
    return {copy};
  }
  bool is_wanted =
      wanted == MemoryFormat::channels_last && self.dim() == 4 &&
      same_layout(self.layout(), {self.sizes(), channels_last_strides(self.sizes()), self.layout().offset});
  if (is_wanted) return {self};
  return {apply_one(op_defs::clone_default, {self, args["memory_format"]}, args.here())};
}

Values convert(const OpArgs& args, DType dtype, Device device) {
  Tensor self = args.tensor(0);
  MemoryFormat wanted = wanted_format(args);
  // As ATen asks: by the memory order that it would suggest, gaps or not.
  bool is_last = is_channels_last(self.layout());
  bool wants_format = wanted == MemoryFormat::channels_last ? !is_last : wanted == MemoryFormat::contiguous && is_last;
  if (self.dtype() == dtype && self.device() == device && !args.flag("copy") && !wants_format) return {self};
  Value target = device == self.device() ? Value() : Value(device);
  return {apply_one(op_defs::to_copy_default, {self, dtype, Value(), target, Value(), false, args["memory_format"]},
                    args.here())};
}

Values run_to_dtype(const OpArgs& args) { return convert(args, args["dtype"].dtype(), args.meta(0).device); }
Values run_to_device(const OpArgs& args) { return convert(args, args["dtype"].dtype(), args["device"].device()); }

Metas like_self_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  return {{self.dtype, self.device, {self.layout.sizes, preserved_strides(self.layout), 0}}};
}

// The source, broadcast and converted, in a tensor like self.
Metas copy_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0), source = args.meta(1);
  if (!expand_layout(source.layout, self.layout.sizes))
    args.fail(
        ErrorKind::shape,
        fmt::format("sizes {} do not broadcast to {}", to_string(source.layout.sizes), to_string(self.layout.sizes)),
        "need a source that expands to self's sizes");
  return like_self_meta(args);
}
ScalarExpr copy_formula(ScalarBuilder&, const OpArgs&, Inputs x) { return x[1]; }

PointwiseTypes types_fill(const OpArgs& args) {
  PointwiseTypes types = types_of_self(args);
  check_fills(args, args.scalar("value"), types.result);
  return types;
}
Metas fill_meta(const OpArgs& args) {
  types_fill(args);  // a traced call checks the value as well
  return like_self_meta(args);
}
ScalarExpr fill_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return s.constant(args.scalar("value"), x[0].dtype());
}
ScalarExpr zero_formula(ScalarBuilder& s, const OpArgs&, Inputs x) { return s.constant(0, x[0].dtype()); }

}  // namespace

namespace op_defs {

constinit const OpDef clone_default = pointwise(
    "aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", types_of_self, same_value, clone_meta);
constinit const OpDef contiguous_default = composite(
    "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)", run_contiguous);
constinit const OpDef to_copy_default = pointwise(
    "aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
    types_to_copy, same_value, to_copy_meta);
constinit const OpDef to_dtype = composite(
    "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
    "MemoryFormat? memory_format=None) -> Tensor(a)",
    run_to_dtype);
constinit const OpDef to_device = composite(
    "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, "
    "MemoryFormat? memory_format=None) -> Tensor(a)",
    run_to_device);

constinit const OpDef copy_default = pointwise("aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
                                               types_of_self, copy_formula, copy_meta);
constinit const OpDef copy_inplace_default =
    inplace("aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", copy_default);
constinit const OpDef fill_scalar =
    pointwise("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", types_fill, fill_formula, fill_meta);
constinit const OpDef fill_inplace_scalar =
    inplace("aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", fill_scalar);
constinit const OpDef zero_default =
    pointwise("aten::zero(Tensor self) -> Tensor", types_of_self, zero_formula, like_self_meta);
constinit const OpDef zero_inplace_default = inplace("aten::zero_(Tensor(a!) self) -> Tensor(a!)", zero_default);

}  // namespace op_defs

Tensor clone(const Tensor& x, Here here) { return apply_one(op_defs::clone_default, {x}, here); }
Tensor contiguous(const Tensor& x, Here here) { return apply_one(op_defs::contiguous_default, {x}, here); }

}  // namespace sinter
