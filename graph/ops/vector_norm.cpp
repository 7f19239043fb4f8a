// Vector norms, and tensors scaled down to a norm.

#include <sinter/graph/ops/vector_norm.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>

#include <cmath>

namespace sinter {

namespace {

Tensor norm_of(const Tensor& x, double p, const Dims& dims, bool keepdim, Here here) {
  if (p == 0) return sum(ne(x, Scalar(0), here), dims, keepdim, x.dtype(), here);
  if (p == 2) return sqrt(sum(x * x, dims, keepdim, {}, here), here);
  Tensor size = abs(x, here);
  if (std::isinf(p)) return p > 0 ? amax(size, dims, keepdim, here) : amin(size, dims, keepdim, here);
  if (p == 1) return sum(size, dims, keepdim, {}, here);
  return pow(sum(pow(size, Scalar(p), here), dims, keepdim, {}, here), Scalar(1 / p), here);
}

double order_of(const OpArgs& args) {
  const Schema& schema = args.op().schema();
  int slot = schema.find(schema.name == "linalg_vector_norm" ? "ord" : "p");
  return slot < 0 || args[slot].is_none() ? 2 : args[slot].scalar().to_double();
}

DType norm_type(const OpArgs& args) {
  DType self = args.meta(0).dtype;
  if (!is_floating(self)) fail_for_type(args, self);
  DType dtype = asked_type(args).value_or(self);
  if (promote(self, dtype) != dtype)
    args.fail(ErrorKind::dtype,
              fmt::format("a norm of {} in {} would lose range or precision", name(self), name(dtype)),
              "ask for a dtype that holds self's");
  return dtype;
}

Metas norm_meta(const OpArgs& args) {
  Dims dims = reduced_dims(args);
  double p = order_of(args);
  if (p < 0 || std::isinf(p)) check_not_empty(args, dims);
  return {reduction_meta(args, dims, keepdim_of(args), norm_type(args))};
}

Values run_norm(const OpArgs& args) {
  DType dtype = norm_type(args);
  Tensor wide = widened(args.tensor(0), dtype, args.here());
  return {norm_of(wide, order_of(args), reduced_dims(args), keepdim_of(args), args.here()).to(dtype, args.here())};
}

Values run_dist(const OpArgs& args) {
  TypedOperand operands[] = {args.typed(0), args.typed(1)};
  DType dtype = result_type(operands);
  if (!is_floating(dtype)) fail_for_type(args, dtype);
  Here here = args.here();
  Tensor distance = widened(args.tensor(0), dtype, here) - widened(args.tensor(1), dtype, here);
  double p = args.number("p");
  if ((p < 0 || std::isinf(p)) && distance.numel() == 0)
    args.fail(ErrorKind::argument, "the reduction is over no elements and has no identity",
              "pass tensors that are not empty");
  Dims dims;
  for (int64_t i = 0; i < distance.dim(); ++i) dims.push_back(i);
  return {norm_of(distance, p, dims, false, here).to(dtype, here)};
}

// --- renorm -----------------------------------------------------------------------------------------------------

// Keeps the division finite, as in ATen.
constexpr double tiny_norm = 1e-7;

Metas renorm_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  if (!is_floating(self.dtype)) fail_for_type(args, self.dtype);
  if (!(args.number("p") > 0)) args.fail(ErrorKind::argument, fmt::format("p is {}", args.number("p")), "need p > 0");
  if (args.number("maxnorm") < 0)
    args.fail(ErrorKind::argument, fmt::format("maxnorm is {}", args.number("maxnorm")), "need maxnorm >= 0");
  if (self.layout.rank() < 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {} has no slices to scale", self.layout.rank()),
              "need at least 2 dims");
  wrap_dim(args, args.integer("dim"), self.layout.rank());
  self.layout = contiguous_layout(self.layout.sizes);
  return {self};
}

Values run_renorm(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  Scalar limit = args.scalar("maxnorm");
  int64_t kept = wrap_dim(args, args.integer("dim"), self.dim());
  Dims dims;
  for (int64_t i = 0; i < self.dim(); ++i)
    if (i != kept) dims.push_back(i);
  Tensor wide = widened(self, here);
  if (is_known_to_be(self.numel(), 0)) return {clone_contiguous(self, here)};
  Tensor size = norm_of(wide, args.number("p"), dims, true, here);
  Tensor scale = limit / (size + Scalar(tiny_norm));
  Tensor factor = where(gt(size, limit, here), scale, Scalar(1.0), here);
  return {contiguous((wide * factor).to(self.dtype(), here), here)};
}

}  // namespace

namespace op_defs {

constinit const OpDef norm_scalar =
    decomposed("aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", run_norm, norm_meta);
constinit const OpDef norm_scalaropt_dim = decomposed(
    "aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor", run_norm, norm_meta);
constinit const OpDef norm_scalaropt_dtype = decomposed(
    "aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor", run_norm, norm_meta);
constinit const OpDef norm_scalaropt_dim_dtype = decomposed(
    "aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor",
    run_norm, norm_meta);
constinit const OpDef linalg_vector_norm_default = decomposed(
    "aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    run_norm, norm_meta);
constinit const OpDef frobenius_norm_dim =
    decomposed("aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", run_norm, norm_meta);
constinit const OpDef dist_default =
    decomposed("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", run_dist);

constinit const OpDef renorm_default =
    decomposed("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", run_renorm, renorm_meta);
constinit const OpDef renorm_inplace_default =
    inplace("aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)", renorm_default);

}  // namespace op_defs

Tensor norm(const Tensor& x, Scalar p, Dims dims, bool keepdim, Here here) {
  return apply_one(op_defs::norm_scalaropt_dim, {x, p, dims, keepdim}, here);
}
Tensor linalg_vector_norm(const Tensor& x, Scalar ord, Dims dims, bool keepdim, Here here) {
  return apply_one(op_defs::linalg_vector_norm_default, {x, ord, dims, keepdim}, here);
}
Tensor dist(const Tensor& a, const Tensor& b, Scalar p, Here here) {
  return apply_one(op_defs::dist_default, {a, b, p}, here);
}
Tensor renorm(const Tensor& x, Scalar p, int64_t dim, Scalar maxnorm, Here here) {
  return apply_one(op_defs::renorm_default, {x, p, dim, maxnorm}, here);
}

}  // namespace sinter
