// Views by other names: dims moved, swapped, joined, split and added; windows; and what gives back its argument.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/change_handle.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/rearrange.h>
#include <sinter/graph/ops/reduction.h>
#include <sinter/graph/ops/view.h>

#include <algorithm>

namespace sinter {

namespace {

// --- Order of the dims ------------------------------------------------------------------------------------------

// The op named `op`, called with the arguments as they are.
template <const OpDef& op>
Values run_as(const OpArgs& args) {
  return apply(op, args.values(), {}, args.here());
}

Tensor moved(const OpArgs& args, const Dims& source, const Dims& destination) {
  Tensor self = args.tensor(0);
  if (source.size() != destination.size())
    args.fail(ErrorKind::argument, fmt::format("{} dims are moved to {} places", source.size(), destination.size()));
  int64_t rank = self.dim();
  Dims from = wrap_dims(args, source, rank), to = wrap_dims(args, destination, rank);
  if (rank == 0) return alias(self, args.here());
  Dims order(rank, -1);
  for (size_t i = 0; i < from.size(); ++i) order[to[i]] = from[i];
  int64_t next = 0;
  for (int64_t& place : order) {
    if (place >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    place = next++;
  }
  return self.permute(order, args.here());
}

Values run_movedim_int(const OpArgs& args) {
  return {moved(args, {args.integer("source")}, {args.integer("destination")})};
}
Values run_movedim(const OpArgs& args) { return {moved(args, args.dims("source"), args.dims("destination"))}; }

Values run_numpy_t(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Dims order;
  for (int64_t dim = self.dim(); dim-- > 0;) order.push_back(dim);
  return {self.permute(order, args.here())};
}

Values run_matrix_transpose(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (self.dim() == 1) args.fail(ErrorKind::shape, "a tensor of rank 1", "need matrices");
  return {self.dim() == 0 ? self : self.transpose(-2, -1, args.here())};
}

Values run_matrix_h(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (self.dim() != 0 && self.dim() != 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()), "need a matrix");
  return {self.dim() == 0 ? self : self.transpose(0, 1, args.here())};
}

// --- Sizes ------------------------------------------------------------------------------------------------------

Values run_ravel(const OpArgs& args) { return {args.tensor(0).contiguous(args.here()).view({-1}, args.here())}; }

Values run_unflatten(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor has no dim to split");
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim());
  SymDims inner = args.sizes("sizes"), sizes = self.sizes();
  if (inner.empty()) args.fail(ErrorKind::argument, "no sizes are given");
  SymInt known = 1;
  int64_t unknown = -1;
  for (size_t i = 0; i < inner.size(); ++i) {
    if (!(inner[i] == -1))
      known *= inner[i];
    else if (unknown >= 0)
      args.fail(ErrorKind::shape, "more than one size is -1", "at most one size can be inferred");
    else
      unknown = static_cast<int64_t>(i);
  }
  bool fits = unknown < 0 ? known == sizes[dim] : !(known == 0) && mod(sizes[dim], max(known, 1)) == 0;
  if (!fits)
    args.fail(ErrorKind::shape, fmt::format("dim {} of size {} does not split into sizes {}", dim,
                                            to_string(sizes[dim]), to_string(inner)));
  if (unknown >= 0) inner[unknown] = floor_div(sizes[dim], known);
  sizes.erase(sizes.begin() + dim);
  for (size_t i = 0; i < inner.size(); ++i) sizes.insert(sizes.begin() + dim + static_cast<int64_t>(i), inner[i]);
  return {self.view(sizes, args.here())};
}

Values run_view_as(const OpArgs& args) { return {args.tensor(0).view(args.meta(1).layout.sizes, args.here())}; }
Values run_reshape_as(const OpArgs& args) { return {args.tensor(0).reshape(args.meta(1).layout.sizes, args.here())}; }
Values run_expand_as(const OpArgs& args) { return {args.tensor(0).expand(args.meta(1).layout.sizes, args.here())}; }
Values run_expand(const OpArgs& args) { return {args.tensor(0).expand(args.sizes("size"), args.here())}; }
Values run_view(const OpArgs& args) { return {args.tensor(0).view(args.sizes("size"), args.here())}; }

template <int64_t rank>
Tensor with_at_least(const Tensor& x, Here here) {
  if (x.dim() >= rank) return x;
  if (x.dim() == 0) return x.reshape(SymDims(rank, 1), here);
  if (rank == 2) return x.unsqueeze(0, here);
  return x.dim() == 1 ? x.unsqueeze(0, here).unsqueeze(-1, here) : x.unsqueeze(-1, here);
}
template <int64_t rank>
Values run_atleast(const OpArgs& args) {
  return {with_at_least<rank>(args.tensor(0), args.here())};
}
template <int64_t rank>
Values run_atleast_each(const OpArgs& args) {
  Values results;
  for (const Tensor& tensor : args.tensors("tensors")) results.push_back(with_at_least<rank>(tensor, args.here()));
  return results;
}

// Sums what broadcasting from these sizes would have repeated.
Values run_sum_to_size(const OpArgs& args) {
  Tensor self = args.tensor(0);
  SymDims sizes = args.sizes("size");
  if (sizes.empty()) return {sum(self, args.here())};  // a fresh tensor, also of a zero-dim one
  if (!expand_layout(contiguous_layout(sizes), self.sizes()))
    args.fail(ErrorKind::shape, fmt::format("sizes {} do not expand to {}", to_string(sizes), to_string(self.sizes())));
  int64_t lead = self.dim() - static_cast<int64_t>(sizes.size());
  Dims reduced;
  for (int64_t dim = 0; dim < self.dim(); ++dim)
    if (dim < lead || (sizes[dim - lead] == 1 && !(self.sizes()[dim] == 1))) reduced.push_back(dim);
  if (reduced.empty()) return {self};
  Tensor sums = apply_one(op_defs::sum_dim_intlist, {self, reduced, true}, args.here());
  return {lead > 0 ? sums.view(sizes, args.here()) : sums};
}

// --- Windows ----------------------------------------------------------------------------------------------------

Layout unfold_layout(const OpArgs& args, const Layout& self) {
  int64_t rank = self.rank(), dim = wrap_dim(args, args.integer("dimension"), rank);
  int64_t size = args.integer("size"), step = args.integer("step");
  SymInt whole = rank == 0 ? SymInt(1) : self.sizes[dim];
  if (size < 0) args.fail(ErrorKind::argument, fmt::format("size {} is negative", size));
  if (whole < size)
    args.fail(ErrorKind::argument, fmt::format("windows of {} in a dim of size {}", size, to_string(whole)));
  if (step <= 0) args.fail(ErrorKind::argument, fmt::format("step {}", step), "need a positive step");
  Layout result = self;
  result.sizes.push_back(size);
  result.strides.push_back(rank == 0 ? SymInt(1) : self.strides[dim]);
  if (rank == 0) return result;
  result.sizes[dim] = floor_div(whole - size, step) + 1;
  result.strides[dim] *= step;
  return result;
}

// Where the window begins is data here.
Values run_narrow_tensor(const OpArgs& args) {
  Tensor self = args.tensor(0), start = args.tensor(2);
  if (start.dim() != 0 || !is_integer(start.dtype()))
    args.fail(ErrorKind::argument, "start is no single integer", "need a zero-dim integer tensor");
  SymInt at = start.item(args.here()).size(), length = args.size("length");
  if (is_unbacked(at) && self.dim() > 0) {
    SymInt size = self.sizes()[wrap_dim(args, args.integer("dim"), self.dim())];
    SymInt counted = counted_from_front(at, size), inside = min(max(counted, 0), size - length);
    must_equal(counted, inside, args.here());
    at = inside;
  }
  return {narrow(self, args.integer("dim"), at, length, args.here())};
}

Values run_as_strided_inplace(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Tensor seen = apply_one(op_defs::as_strided_default, {self, args[1], args[2], args[3]}, args.here());
  change_handle(self, seen, args.op().schema().name, args.here());
  return {self};
}

Values run_reshape_alias(const OpArgs& args) {
  return {as_strided(args.tensor(0), args.sizes("size"), args.sizes("stride"), {}, args.here())};
}

Values run_itself(const OpArgs& args) { return {args.tensor(0)}; }

}  // namespace

namespace op_defs {

constinit const OpDef swapaxes_default =
    composite("aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", run_as<transpose_int>);
constinit const OpDef swapdims_default =
    composite("aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", run_as<transpose_int>);
constinit const OpDef swapaxes_inplace_default = composite(
    "aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", run_as<transpose_inplace_default>);
constinit const OpDef swapdims_inplace_default =
    composite("aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", run_as<transpose_inplace_default>);
constinit const OpDef movedim_int =
    composite("aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", run_movedim_int);
constinit const OpDef movedim_intlist =
    composite("aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", run_movedim);
constinit const OpDef moveaxis_int =
    composite("aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", run_movedim_int);
constinit const OpDef moveaxis_intlist =
    composite("aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", run_movedim);
constinit const OpDef numpy_T_default = composite("aten::numpy_T(Tensor(a) self) -> Tensor(a)", run_numpy_t);
constinit const OpDef mT_default = composite("aten::mT(Tensor(a) self) -> Tensor(a)", run_matrix_transpose);
constinit const OpDef mH_default = composite("aten::mH(Tensor(a) self) -> Tensor(a)", run_matrix_transpose);
constinit const OpDef matrix_H_default = composite("aten::matrix_H(Tensor(a) self) -> Tensor(a)", run_matrix_h);
constinit const OpDef adjoint_default = composite("aten::adjoint(Tensor(a) self) -> Tensor(a)", run_matrix_transpose);

constinit const OpDef ravel_default = composite("aten::ravel(Tensor(a) self) -> Tensor(a)", run_ravel);
constinit const OpDef unflatten_int =
    composite("aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", run_unflatten);
constinit const OpDef view_as_default =
    composite("aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", run_view_as);
constinit const OpDef reshape_as_default =
    composite("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", run_reshape_as);
constinit const OpDef expand_as_default =
    composite("aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", run_expand_as);
constinit const OpDef broadcast_to_default =
    composite("aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", run_expand);
constinit const OpDef unsafe_view_default =
    composite("aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", run_view);
constinit const OpDef reshape_alias_default =
    composite("aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)", run_reshape_alias);
constinit const OpDef atleast_1d_default = composite("aten::atleast_1d(Tensor self) -> Tensor", run_atleast<1>);
constinit const OpDef atleast_2d_default = composite("aten::atleast_2d(Tensor self) -> Tensor", run_atleast<2>);
constinit const OpDef atleast_3d_default = composite("aten::atleast_3d(Tensor self) -> Tensor", run_atleast<3>);
constinit const OpDef atleast_1d_sequence =
    composite("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", run_atleast_each<1>);
constinit const OpDef atleast_2d_sequence =
    composite("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", run_atleast_each<2>);
constinit const OpDef atleast_3d_sequence =
    composite("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", run_atleast_each<3>);
constinit const OpDef sum_to_size_default =
    composite("aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor", run_sum_to_size);

constinit const OpDef unfold_default =
    view("aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", unfold_layout);
constinit const OpDef narrow_tensor = composite(
    "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)", run_narrow_tensor);
constinit const OpDef as_strided_inplace_default = composite(
    "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)",
    run_as_strided_inplace);

constinit const OpDef detach_inplace_default = composite("aten::detach_(Tensor(a!) self) -> Tensor(a!)", run_itself);
constinit const OpDef lift_default = composite("aten::lift(Tensor self) -> Tensor", run_itself);
constinit const OpDef lift_fresh_default = composite("aten::lift_fresh(Tensor(a) self) -> Tensor(a)", run_itself);

}  // namespace op_defs

}  // namespace sinter
