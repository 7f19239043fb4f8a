// Differences of neighbours along a dim, and what is made of them: derivatives and integrals of samples.

#include <sinter/graph/ops/difference.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>

namespace sinter {

namespace {

SymInt size_of(const Tensor& x, int64_t dim) { return x.sizes()[dim]; }

// All but the last `count` and all but the first `count` along the dim.
Tensor leading(const Tensor& x, int64_t dim, int64_t count, Here here) {
  return narrow(x, dim, 0, size_of(x, dim) - count, here);
}
Tensor trailing(const Tensor& x, int64_t dim, int64_t count, Here here) {
  return narrow(x, dim, count, size_of(x, dim) - count, here);
}

// --- diff -------------------------------------------------------------------------------------------------------

Tensor difference(const Tensor& x, int64_t dim, Here here) {
  bool may_be_empty = is_unbacked(size_of(x, dim));  // then slices are cut to what there is
  Tensor next = may_be_empty ? x.slice(dim, 1, {}, 1, here) : trailing(x, dim, 1, here);
  Tensor previous = may_be_empty ? x.slice(dim, 0, -1, 1, here) : leading(x, dim, 1, here);
  return x.dtype() == DType::boolean ? logical_xor(next, previous, here) : next - previous;
}

void check_joins(const OpArgs& args, std::string_view parameter, int64_t dim) {
  if (args[parameter].is_none()) return;
  SymDims self = args.meta(0).layout.sizes, other = args[parameter].tensor().sizes();
  bool fits = self.size() == other.size();
  for (size_t i = 0; fits && i < self.size(); ++i) fits = static_cast<int64_t>(i) == dim || self[i] == other[i];
  if (!fits)
    args.fail(ErrorKind::shape, fmt::format("{} has sizes {}", parameter, to_string(other)),
              fmt::format("need self's sizes {} beside dim {}", to_string(self), dim));
}

Values run_diff(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t order = args.integer("n");
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no neighbours", "need at least one dim");
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  if (order < 0) args.fail(ErrorKind::argument, fmt::format("n is {}", order), "need n >= 0");
  check_joins(args, "prepend", dim);
  check_joins(args, "append", dim);
  if (order == 0) return {clone(self, args.here())};
  std::vector<Tensor> parts;
  if (!args["prepend"].is_none()) parts.push_back(args["prepend"].tensor());
  parts.push_back(self);
  if (!args["append"].is_none()) parts.push_back(args["append"].tensor());
  if (parts.size() > 1) self = cat(parts, dim, args.here());
  if (!is_unbacked(size_of(self, dim)) && order >= size_of(self, dim))
    return {clone_contiguous(narrow(self, dim, 0, 0, args.here()), args.here())};
  for (int64_t i = 0; i < order; ++i) self = difference(self, dim, args.here());
  return {self};
}

// --- Integrals by the trapezoidal rule --------------------------------------------------------------------------

DType integral_type(DType dtype) { return is_floating(dtype) ? dtype : default_dtype; }

void check_samples(const OpArgs& args) {
  for (int slot : args.tensor_slots())
    if (args.meta(slot).dtype == DType::boolean)
      args.fail(ErrorKind::argument, "samples of bool have no integral", "convert them to a number type");
}

Tensor neighbour_sums(const Tensor& y, int64_t dim, Here here) {
  return leading(y, dim, 1, here) + trailing(y, dim, 1, here);
}

// The distances of neighbouring sample points, shaped so as to broadcast against those of y.
Tensor spacings(const OpArgs& args, const Tensor& y, Tensor x, int64_t dim) {
  Here here = args.here();
  if (x.dim() != 1) {
    while (x.dim() < y.dim()) x = x.unsqueeze(0, here);
    return difference(x, dim, here);
  }
  if (!(x.sizes()[0] == y.sizes()[dim]))
    args.fail(ErrorKind::shape, fmt::format("there are {} sample points for {} samples", to_string(x.sizes()[0]),
                                            to_string(y.sizes()[dim])));
  SymDims sizes(y.dim(), SymInt(1));
  sizes[dim] = x.sizes()[0] - 1;
  return difference(x, 0, here).view(sizes, here);
}

bool has_points(const OpArgs& args) { return args.op().schema().find("x") >= 0; }

DType samples_type(const OpArgs& args) {
  TypedOperand y = args.typed(0);
  if (!has_points(args)) return integral_type(y.dtype);
  TypedOperand operands[] = {y, args.typed(1)};
  return integral_type(result_type(operands));
}

int64_t sampled_dim(const OpArgs& args) {
  int64_t rank = args.meta(0).layout.rank();
  if (rank == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no samples", "need at least one dim");
  return wrap_dim(args, args.integer("dim"), rank);
}

// Samples as they are added: halves in f32.
Tensor samples(const OpArgs& args, int slot) {
  Tensor x = args.tensor(slot);
  return is_floating(x.dtype()) ? widened(x, args.here()) : x;
}

// Without samples ATen's integral has the type of the samples.
Values nothing_to_integrate(const OpArgs& args, const Tensor& y, int64_t dim, bool keeps_dim) {
  SymDims sizes;
  for (int64_t i = 0; i < y.dim(); ++i)
    if (i != dim || keeps_dim) sizes.push_back(y.sizes()[i]);
  return {zeros(sizes, keeps_dim ? samples_type(args) : args.meta(0).dtype, args.here())};
}

Values run_trapezoid(const OpArgs& args) {
  check_samples(args);
  Here here = args.here();
  DType dtype = samples_type(args);
  Tensor y = samples(args, 0);
  int64_t dim = sampled_dim(args);
  if (size_of(y, dim) == 0) return nothing_to_integrate(args, y, dim, false);
  if (has_points(args)) {
    Tensor areas = spacings(args, y, samples(args, 1), dim) * neighbour_sums(y, dim, here);
    return {(sum(areas, {dim}, false, {}, here) / Scalar(2.0)).to(dtype, here)};
  }
  Tensor ends = y.select(dim, 0, here) + y.select(dim, size_of(y, dim) - 1, here);
  Tensor total = sum(y, {dim}, false, {}, here) - ends * Scalar(0.5);
  return {(total * args.scalar("dx")).to(dtype, here)};
}

Values run_cumulative_trapezoid(const OpArgs& args) {
  check_samples(args);
  Here here = args.here();
  DType dtype = samples_type(args);
  Tensor y = samples(args, 0);
  int64_t dim = sampled_dim(args);
  if (size_of(y, dim) == 0) return nothing_to_integrate(args, y, dim, true);
  Tensor areas = neighbour_sums(y, dim, here);
  if (has_points(args)) areas = spacings(args, y, samples(args, 1), dim) * areas;
  // Each area by itself, then their sums: doubled areas may overflow where these do not.
  Scalar factor = has_points(args) ? Scalar(0.5) : Scalar(args.number("dx") * 0.5);
  return {cumsum(areas * factor, dim, {}, here).to(dtype, here)};
}

}  // namespace

namespace op_defs {

constinit const OpDef diff_default = decomposed(
    "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor", run_diff);

constinit const OpDef trapezoid_x =
    decomposed("aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", run_trapezoid);
constinit const OpDef trapezoid_dx =
    decomposed("aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", run_trapezoid);
constinit const OpDef trapz_x = decomposed("aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", run_trapezoid);
constinit const OpDef trapz_dx =
    decomposed("aten::trapz.dx(Tensor y, *, float dx=1, int dim=-1) -> Tensor", run_trapezoid);
constinit const OpDef cumulative_trapezoid_x =
    decomposed("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", run_cumulative_trapezoid);
constinit const OpDef cumulative_trapezoid_dx = decomposed(
    "aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", run_cumulative_trapezoid);

}  // namespace op_defs

Tensor diff(const Tensor& x, int64_t n, int64_t dim, const Tensor& prepend, const Tensor& append, Here here) {
  return apply_one(op_defs::diff_default, {x, n, dim, prepend, append}, here);
}

namespace {

Tensor apply_along(const OpDef& op, Values positional, NamedValues keywords, Here here) {
  return apply(op, positional, keywords, here)[0].tensor();
}

}  // namespace

Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim, Here here) {
  return apply_along(op_defs::trapezoid_x, {y, x}, {{"dim", dim}}, here);
}
Tensor trapezoid(const Tensor& y, Scalar dx, int64_t dim, Here here) {
  return apply_along(op_defs::trapezoid_dx, {y}, {{"dx", dx}, {"dim", dim}}, here);
}
Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim, Here here) {
  return apply_along(op_defs::cumulative_trapezoid_x, {y, x}, {{"dim", dim}}, here);
}
Tensor cumulative_trapezoid(const Tensor& y, Scalar dx, int64_t dim, Here here) {
  return apply_along(op_defs::cumulative_trapezoid_dx, {y}, {{"dx", dx}, {"dim", dim}}, here);
}

}  // namespace sinter
