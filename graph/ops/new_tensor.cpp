// Tensors from nothing that take type and device from another tensor, or are given their strides.

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/factory.h>
#include <sinter/graph/ops/new_tensor.h>

namespace sinter {

namespace {

Metas new_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  return {fresh(args, args.sizes("size"), self.dtype, self.device)};
}

Metas new_full_meta(const OpArgs& args) {
  Metas metas = new_meta(args);
  check_fills(args, args.scalar("fill_value"), metas[0].dtype);
  return metas;
}

Metas with_strides(const OpArgs& args, TensorMeta meta) {
  meta.layout.strides = args.sizes("stride");
  if (meta.layout.strides.size() != meta.layout.sizes.size())
    args.fail(ErrorKind::argument, "sizes and strides differ in number");
  for (SymInt stride : meta.layout.strides)
    if (stride < 0) args.fail(ErrorKind::argument, fmt::format("stride {} is negative", to_string(stride)));
  return {meta};
}

Metas new_empty_strided_meta(const OpArgs& args) { return with_strides(args, new_meta(args)[0]); }
Metas empty_strided_meta(const OpArgs& args) {
  return with_strides(args, fresh(args, args.sizes("size"), default_dtype));
}

// physical_layout: the dims from the outermost in memory to the innermost.
Metas empty_permuted_meta(const OpArgs& args) {
  TensorMeta meta = fresh(args, args.sizes("size"), default_dtype);
  Dims order = args.dims("physical_layout");
  if (order.size() != meta.layout.sizes.size())
    args.fail(ErrorKind::argument, fmt::format("{} dims for {} sizes", order.size(), meta.layout.sizes.size()));
  meta.layout.strides = strides_in_order(meta.layout.sizes, wrap_dims(args, order, meta.layout.rank()));
  return {meta};
}

constexpr OpDef uninitialised(std::string_view signature, Metas (*meta)(const OpArgs&)) {
  return {.signature = signature, .meta = meta, .structured = Structured::empty};
}

}  // namespace

namespace op_defs {

constinit const OpDef new_empty_default =
    uninitialised("aten::new_empty(Tensor self, SymInt[] size, *, " SINTER_FACTORY ") -> Tensor", new_meta);
constinit const OpDef new_empty_strided_default = uninitialised(
    "aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, " SINTER_FACTORY ") -> Tensor",
    new_empty_strided_meta);
constinit const OpDef empty_strided_default = uninitialised(
    "aten::empty_strided(SymInt[] size, SymInt[] stride, *, " SINTER_FACTORY ") -> Tensor", empty_strided_meta);
constinit const OpDef empty_permuted_default = uninitialised(
    "aten::empty_permuted(SymInt[] size, int[] physical_layout, *, " SINTER_FACTORY ") -> Tensor", empty_permuted_meta);
constinit const OpDef new_zeros_default = generator(
    "aten::new_zeros(Tensor self, SymInt[] size, *, " SINTER_FACTORY ") -> Tensor", new_meta, constant_formula<0>);
constinit const OpDef new_ones_default = generator(
    "aten::new_ones(Tensor self, SymInt[] size, *, " SINTER_FACTORY ") -> Tensor", new_meta, constant_formula<1>);
constinit const OpDef new_full_default =
    generator("aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, " SINTER_FACTORY ") -> Tensor",
              new_full_meta, full_formula);

}  // namespace op_defs

}  // namespace sinter
