// The product of vectors in space that is perpendicular to both.

#include <sinter/graph/ops/cross_product.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reindex.h>

namespace sinter {

namespace {

// Element i is x's element i + by, around the corner.
Tensor rolled(const Tensor& x, int64_t dim, int64_t by, Here here) {
  return apply_one(op_defs::roll_default, {x, Dims{-by}, Dims{dim}}, here);
}

Tensor cross_along(const Tensor& a, const Tensor& b, int64_t dim, Here here) {
  DType dtype = a.dtype(), wide = compute_type(dtype);
  Tensor x = a.to(wide, here), y = b.to(wide, here);
  Tensor result = mul(rolled(x, dim, 1, here), rolled(y, dim, 2, here), here) -
                  mul(rolled(x, dim, 2, here), rolled(y, dim, 1, here), here);
  return contiguous(result.to(dtype, here), here);
}

void check_three(const OpArgs& args, const Tensor& a, const Tensor& b, int64_t dim) {
  if (!(a.sizes()[dim] == 3) || !(b.sizes()[dim] == 3))
    args.fail(ErrorKind::shape,
              fmt::format("dim {} has sizes {} and {}", dim, to_string(a.sizes()[dim]), to_string(b.sizes()[dim])),
              "need vectors of 3 elements");
}

Values run_linalg_cross(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  if (a.dim() != b.dim())
    args.fail(ErrorKind::shape, fmt::format("tensors of {} and {} dims", a.dim(), b.dim()), "need as many in both");
  check_types(args, a.meta(), b.meta());
  check_number_type(args, a.dtype());
  int64_t dim = wrap_dim(args, args.integer("dim"), a.dim());
  if (a.dim() == 0) args.fail(ErrorKind::shape, "zero-dim tensors are no vectors");
  check_three(args, a, b, dim);
  if (!broadcast_sizes(a.sizes(), b.sizes()))
    args.fail(ErrorKind::shape,
              fmt::format("sizes {} and {} do not broadcast", to_string(a.sizes()), to_string(b.sizes())));
  return {cross_along(a, b, dim, args.here())};
}

// Without a dim: the first that has 3 elements.
Values run_cross(const OpArgs& args) {
  Value dim = args["dim"];
  if (dim.is_none()) {
    const SymDims& sizes = args.meta(0).layout.sizes;
    size_t first = 0;
    while (first < sizes.size() && !(sizes[first] == 3)) ++first;
    if (first == sizes.size())
      args.fail(ErrorKind::shape, fmt::format("no dim of sizes {} has 3 elements", to_string(sizes)));
    dim = static_cast<int64_t>(first);
  }
  return apply(op_defs::linalg_cross_default, {args[0], args[1], dim}, args.here());
}

}  // namespace

namespace op_defs {

constinit const OpDef cross_default =
    composite("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor", run_cross);
constinit const OpDef linalg_cross_default =
    decomposed("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", run_linalg_cross);

}  // namespace op_defs

Tensor cross(const Tensor& a, const Tensor& b, std::optional<int64_t> dim, Here here) {
  return apply_one(op_defs::cross_default, {a, b, dim ? Value(*dim) : Value()}, here);
}
Tensor linalg_cross(const Tensor& a, const Tensor& b, int64_t dim, Here here) {
  return apply_one(op_defs::linalg_cross_default, {a, b, dim}, here);
}

}  // namespace sinter
