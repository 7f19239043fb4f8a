// Running sums, products and extrema along a dim: each result is made of all elements up to its own.

#include <sinter/graph/ops/scan.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/reduce_rules.h>

namespace sinter {

namespace {

TensorMeta scan_meta(const OpArgs& args, DType dtype) {
  TensorMeta self = args.meta(0);
  wrap_dim(args, args.integer("dim"), self.layout.rank());
  return {dtype, self.device, contiguous_layout(self.layout.sizes)};
}

Metas sum_scan_meta(const OpArgs& args) {
  DType dtype = asked_type(args).value_or(sum_type(args.meta(0).dtype));
  if (dtype == DType::boolean) fail_for_type(args, dtype);
  return {scan_meta(args, dtype)};
}

// In place the elements' own type is the only one.
Metas sum_scan_inplace_meta(const OpArgs& args) {
  DType self = args.meta(0).dtype;
  if (self == DType::boolean) fail_for_type(args, self);
  if (asked_type(args).value_or(self) != self)
    args.fail(ErrorKind::dtype, fmt::format("dtype {} is asked for, self is {}", name(*asked_type(args)), name(self)),
              "need self's dtype in place");
  OpArgs functional(*args.op().inplace_of, args.values(), args.here());
  check_writable(args, infer_meta(functional)[0]);
  return {args.meta(0)};
}

Metas exponential_scan_meta(const OpArgs& args) {
  DType dtype = args.meta(0).dtype;
  TensorMeta meta = scan_meta(args, dtype);
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  return {meta};
}

Metas extremum_scan_meta(const OpArgs& args) {
  return {scan_meta(args, args.meta(0).dtype), scan_meta(args, DType::i64)};
}

constexpr OpDef scan_in_place(std::string_view signature, const OpDef& functional) {
  return {.signature = signature, .meta = sum_scan_inplace_meta, .inplace_of = &functional};
}

}  // namespace

namespace op_defs {

constinit const OpDef cumsum_default =
    routine("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", sum_scan_meta);
constinit const OpDef cumsum_inplace_default =
    scan_in_place("aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumsum_default);
constinit const OpDef cumprod_default =
    routine("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", sum_scan_meta);
constinit const OpDef cumprod_inplace_default =
    scan_in_place("aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumprod_default);
constinit const OpDef logcumsumexp_default =
    routine("aten::logcumsumexp(Tensor self, int dim) -> Tensor", exponential_scan_meta);
constinit const OpDef cummax_default =
    routine("aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", extremum_scan_meta);
constinit const OpDef cummin_default =
    routine("aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", extremum_scan_meta);

}  // namespace op_defs

Tensor cumsum(const Tensor& x, int64_t dim, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::cumsum_default, {x, dim, dtype}, here);
}
Tensor cumprod(const Tensor& x, int64_t dim, std::optional<DType> dtype, Here here) {
  return apply_one(op_defs::cumprod_default, {x, dim, dtype}, here);
}
Tensor logcumsumexp(const Tensor& x, int64_t dim, Here here) {
  return apply_one(op_defs::logcumsumexp_default, {x, dim}, here);
}
TensorPair cummax(const Tensor& x, int64_t dim, Here here) {
  return apply_two(op_defs::cummax_default, {x, dim}, here);
}
TensorPair cummin(const Tensor& x, int64_t dim, Here here) {
  return apply_two(op_defs::cummin_default, {x, dim}, here);
}

}  // namespace sinter
