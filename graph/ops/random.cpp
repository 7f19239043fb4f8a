// Ops that draw from the random generator.

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/random.h>

namespace sinter {

namespace {

#define SINTER_FACTORY "Layout? layout=None, Device? device=None, bool? pin_memory=None"

TensorMeta fresh(const OpArgs& args, const SymDims& sizes, DType dtype) {
  for (SymInt size : sizes)
    if (size < 0) args.fail(ErrorKind::shape, fmt::format("size {} is negative", to_string(size)));
  return {args["dtype"].is_none() ? dtype : args["dtype"].dtype(), cpu, contiguous_layout(sizes)};
}

void check_floating(const OpArgs& args, const TensorMeta& meta) {
  if (!is_floating(meta.dtype)) fail_for_type(args, meta.dtype);
}

Metas sized_meta(const OpArgs& args) {
  TensorMeta meta = fresh(args, args.sizes("size"), default_dtype);
  check_floating(args, meta);
  return {meta};
}

Metas like_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  TensorMeta meta = fresh(args, self.layout.sizes, self.dtype);
  check_floating(args, meta);
  meta.layout.strides = preserved_strides(self.layout);
  return {meta};
}

Metas randint_meta(const OpArgs& args) {
  SymInt low = args.op().schema().find("low") >= 0 ? args.size("low") : SymInt(0);
  if (args.size("high") <= low)
    args.fail(ErrorKind::argument,
              fmt::format("the range [{}, {}) is empty", to_string(low), to_string(args.size("high"))));
  return {fresh(args, args.sizes("size"), DType::i64)};
}

constexpr OpDef random_op(std::string_view signature, Metas (*meta)(const OpArgs&)) {
  return {.signature = signature, .meta = meta, .structured = Structured::random};
}

}  // namespace

namespace op_defs {

constinit const OpDef rand_default =
    random_op("aten::rand(SymInt[] size, *, ScalarType? dtype=None, " SINTER_FACTORY ") -> Tensor", sized_meta);
constinit const OpDef randn_default =
    random_op("aten::randn(SymInt[] size, *, ScalarType? dtype=None, " SINTER_FACTORY ") -> Tensor", sized_meta);
constinit const OpDef rand_like_default =
    random_op("aten::rand_like(Tensor self, *, ScalarType? dtype=None, " SINTER_FACTORY
              ", MemoryFormat? memory_format=None) -> Tensor",
              like_meta);
constinit const OpDef randn_like_default =
    random_op("aten::randn_like(Tensor self, *, ScalarType? dtype=None, " SINTER_FACTORY
              ", MemoryFormat? memory_format=None) -> Tensor",
              like_meta);
constinit const OpDef randint_default = random_op(
    "aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=None, " SINTER_FACTORY ") -> Tensor", randint_meta);
constinit const OpDef randint_low =
    random_op("aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=None, " SINTER_FACTORY
              ") -> Tensor",
              randint_meta);
// Seeds the generator: a node in the place where a traced function did it.
constinit const OpDef manual_seed_default =
    random_op("sinter::manual_seed(int seed) -> ()", [](const OpArgs&) { return Metas(); });

}  // namespace op_defs

Tensor rand(SymDims sizes, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::rand_default, {sizes, dtype}, here);
}
Tensor rand_like(const Tensor& x, Here here) { return apply_one(op_defs::rand_like_default, {x}, here); }
Tensor randn(SymDims sizes, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::randn_default, {sizes, dtype}, here);
}
Tensor randn_like(const Tensor& x, Here here) { return apply_one(op_defs::randn_like_default, {x}, here); }
Tensor randint(SymInt high, SymDims sizes, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::randint_default, {high, sizes, dtype}, here);
}
Tensor randint(SymInt low, SymInt high, SymDims sizes, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::randint_low, {low, high, sizes, dtype}, here);
}

}  // namespace sinter
