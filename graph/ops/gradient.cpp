// gradient: derivatives of samples by central differences inside and one-sided ones at the ends.

#include <sinter/graph/ops/gradient.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>

#include <numeric>

namespace sinter {

namespace {

// --- Arguments --------------------------------------------------------------------------------------------------

Dims derived_dims(const OpArgs& args, int64_t rank) {
  int slot = args.op().schema().find("dim");
  const Value& dim = args[slot];
  if (dim.is_list()) return wrap_dims(args, args.dims("dim"), rank);
  if (!dim.is_none()) return {wrap_dim(args, dim.sym_int().constant(), rank)};
  Dims all(rank, 0);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// The spacing along each of the dims: a number, or the coordinates of the samples.
Values spacings(const OpArgs& args, const Dims& dims) {
  int slot = args.op().schema().find("spacing");
  const Value& given = slot < 0 ? Value() : args[slot];
  if (given.is_none()) return Values(dims.size(), Value(1.0));
  if (given.is_scalar()) return Values(dims.size(), given);
  if (given.list().size() != dims.size())
    args.fail(ErrorKind::argument, fmt::format("{} spacings for {} dims", given.list().size(), dims.size()),
              "need one spacing for each dim");
  return given.list();
}

void check_arguments(const OpArgs& args, const Tensor& self, const Dims& dims, const Values& spacing) {
  int64_t edge_order = args.integer("edge_order");
  if (edge_order != 1 && edge_order != 2)
    args.fail(ErrorKind::argument, fmt::format("edge_order is {}", edge_order), "need 1 or 2");
  if (self.dtype() == DType::u8 || self.dtype() == DType::boolean) fail_for_type(args, self.dtype());
  for (size_t i = 0; i < dims.size(); ++i) {
    SymInt size = self.dim() == 0 ? SymInt(1) : self.sizes()[dims[i]];
    if (size.constant() < edge_order + 1)
      args.fail(ErrorKind::shape, fmt::format("dim {} has size {}", dims[i], to_string(size)),
                fmt::format("need at least {} samples", edge_order + 1));
    if (!spacing[i].is_tensor()) continue;
    const Tensor& points = spacing[i].tensor();
    if (points.dim() != 1 || !(points.sizes()[0] == size))
      args.fail(ErrorKind::shape,
                fmt::format("coordinates of sizes {} for {} samples", to_string(points.sizes()), to_string(size)));
  }
}

// --- Differences ------------------------------------------------------------------------------------------------

// Samples along one dim.
struct Samples {
  Tensor values;
  int64_t dim;
  Here here;
  int64_t count() const { return values.sizes()[dim].constant(); }
  // `length` of them from `start`, which counts from the end if negative.
  Tensor part(int64_t start, int64_t length) const {
    return narrow(values, dim, start < 0 ? start + count() : start, length, here);
  }
};

Tensor by_number(const Samples& f, double h, int64_t edge_order) {
  int64_t inner = f.count() - 2;
  std::vector<Tensor> parts;
  if (edge_order == 1)
    parts.push_back((f.part(1, 1) - f.part(0, 1)) / Scalar(h));
  else
    parts.push_back((f.part(0, 1) * Scalar(-1.5) + f.part(1, 1) * Scalar(2.0) + f.part(2, 1) * Scalar(-0.5)) /
                    Scalar(h));
  parts.push_back((f.part(2, inner) - f.part(0, inner)) / Scalar(2 * h));
  if (edge_order == 1)
    parts.push_back((f.part(-1, 1) - f.part(-2, 1)) / Scalar(h));
  else
    parts.push_back((f.part(-3, 1) * Scalar(0.5) + f.part(-2, 1) * Scalar(-2.0) + f.part(-1, 1) * Scalar(1.5)) /
                    Scalar(h));
  return cat(parts, f.dim, f.here);
}

// The derivative of the parabola through three points at the middle one, whose neighbours are h0 before, h1 after.
Tensor in_the_middle(const Tensor& f0, const Tensor& f1, const Tensor& f2, const Tensor& h0, const Tensor& h1) {
  return f2 * (h0 / (h1 * (h0 + h1))) + f1 * ((h1 - h0) / (h0 * h1)) - f0 * (h1 / (h0 * (h0 + h1)));
}
// The same at the first of the three points.
Tensor at_the_start(const Tensor& f0, const Tensor& f1, const Tensor& f2, const Tensor& h0, const Tensor& h1) {
  return f1 * ((h0 + h1) / (h0 * h1)) - f0 * ((h0 * 2.0 + h1) / (h0 * (h0 + h1))) - f2 * (h0 / (h1 * (h0 + h1)));
}

Tensor by_coordinates(const Samples& f, const Tensor& points, int64_t edge_order) {
  SymDims sizes(f.values.dim(), SymInt(1));
  sizes[f.dim] = f.count() - 1;
  Samples h{diff(points, 1, 0, {}, {}, f.here).view(sizes, f.here), f.dim, f.here};
  int64_t inner = f.count() - 2;
  std::vector<Tensor> parts;
  if (edge_order == 1)
    parts.push_back((f.part(1, 1) - f.part(0, 1)) / h.part(0, 1));
  else
    parts.push_back(at_the_start(f.part(0, 1), f.part(1, 1), f.part(2, 1), h.part(0, 1), h.part(1, 1)));
  if (inner > 0)
    parts.push_back(
        in_the_middle(f.part(0, inner), f.part(1, inner), f.part(2, inner), h.part(0, inner), h.part(1, inner)));
  if (edge_order == 1)
    parts.push_back((f.part(-1, 1) - f.part(-2, 1)) / h.part(-1, 1));
  else  // the start, seen from the other end
    parts.push_back(-at_the_start(f.part(-1, 1), f.part(-2, 1), f.part(-3, 1), h.part(-1, 1), h.part(-2, 1)));
  return cat(parts, f.dim, f.here);
}

DType derivative_type(const Tensor& self, const Value& spacing) {
  DType dtype = spacing.is_tensor() ? promote(self.dtype(), spacing.tensor().dtype()) : self.dtype();
  return is_floating(dtype) ? dtype : default_dtype;
}

Values run_gradient(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Dims dims = derived_dims(args, self.dim());
  Values spacing = spacings(args, dims);
  check_arguments(args, self, dims, spacing);
  int64_t edge_order = args.integer("edge_order");
  Values results;
  for (size_t i = 0; i < dims.size(); ++i) {
    DType dtype = derivative_type(self, spacing[i]);
    Samples f{widened(self, dtype, args.here()), dims[i], args.here()};
    Tensor derivative = spacing[i].is_tensor()
                            ? by_coordinates(f, widened(spacing[i].tensor(), dtype, args.here()), edge_order)
                            : by_number(f, spacing[i].scalar().to_double(), edge_order);
    results.push_back(derivative.to(dtype, args.here()));
  }
  return results;
}

}  // namespace

namespace op_defs {

constinit const OpDef gradient_scalarint = decomposed(
    "aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]",
    run_gradient);
constinit const OpDef gradient_scalararray =
    decomposed("aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]",
               run_gradient);
constinit const OpDef gradient_array =
    decomposed("aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]", run_gradient);
constinit const OpDef gradient_scalarrayint = decomposed(
    "aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]",
    run_gradient);
constinit const OpDef gradient_scalarrayarray = decomposed(
    "aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]",
    run_gradient);
constinit const OpDef gradient_tensorarrayint = decomposed(
    "aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]",
    run_gradient);
constinit const OpDef gradient_tensorarray =
    decomposed("aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]",
               run_gradient);

}  // namespace op_defs

std::vector<Tensor> gradient(const Tensor& x, Scalar spacing, std::optional<int64_t> dim, int64_t edge_order,
                             Here here) {
  NamedValues keywords = {{"spacing", spacing}, {"dim", optional_dim(dim)}, {"edge_order", edge_order}};
  std::vector<Tensor> derivatives;
  for (const Value& value : apply(op_defs::gradient_scalarint, Values{x}, keywords, here))
    derivatives.push_back(value.tensor());
  return derivatives;
}

}  // namespace sinter
