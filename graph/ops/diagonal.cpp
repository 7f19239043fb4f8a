// Diagonals and triangles of matrices: as views, as copies, and as masks.

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/factory.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reindex.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace sinter {

namespace {

// --- Masks ------------------------------------------------------------------------------------------------------

// x where low <= (index along `column`) - (index along `row`) <= high, else 0; no bound where there is none.
ScalarExpr kept_in_band(ScalarBuilder& s, ScalarExpr x, int64_t row, int64_t column, std::optional<int64_t> low,
                        std::optional<int64_t> high) {
  ScalarExpr distance = s.index(static_cast<int>(column)) - s.index(static_cast<int>(row));
  std::optional<ScalarExpr> inside;
  if (low) inside = distance >= Scalar(*low);
  if (high) inside = inside ? *inside & (distance <= Scalar(*high)) : distance <= Scalar(*high);
  return inside ? select(*inside, x, s.constant(0, x.dtype())) : x;
}

Metas contiguous_self_meta(const OpArgs& args) {
  TensorMeta self = args.meta(0);
  return {{self.dtype, self.device, contiguous_layout(self.layout.sizes)}};
}

Metas band_meta(const OpArgs& args) {
  int64_t rank = args.meta(0).layout.rank();
  wrap_dims(args, {args.integer("dim1"), args.integer("dim2")}, rank);
  return contiguous_self_meta(args);
}

ScalarExpr band_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  Dims dims = wrap_dims(args, {args.integer("dim1"), args.integer("dim2")}, args.meta(0).layout.rank());
  auto bound = [&](std::string_view name) {
    return args[name].is_none() ? std::nullopt : std::optional(args.integer(name));
  };
  return kept_in_band(s, x[0], dims[0], dims[1], bound("low"), bound("high"));
}

Metas triangle_meta(const OpArgs& args) {
  int64_t rank = args.meta(0).layout.rank();
  if (rank < 2) args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", rank), "need at least 2 dims");
  return contiguous_self_meta(args);
}

enum class Triangle { lower, upper };

template <Triangle triangle>
ScalarExpr triangle_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  int64_t rank = args.meta(0).layout.rank(), diagonal = args.integer("diagonal");
  if (triangle == Triangle::lower) return kept_in_band(s, x[0], rank - 2, rank - 1, std::nullopt, diagonal);
  return kept_in_band(s, x[0], rank - 2, rank - 1, diagonal, std::nullopt);
}

// --- Views and copies -------------------------------------------------------------------------------------------

Layout diagonal_layout(const OpArgs& args, const Layout& self) {
  Dims dims = wrap_dims(args, {args.integer("dim1"), args.integer("dim2")}, self.rank());
  int64_t offset = args.integer("offset");
  SymInt rows = self.sizes[dims[0]], columns = self.sizes[dims[1]];
  SymInt size = offset >= 0 ? min(rows, columns - offset) : min(rows + offset, columns);
  if (!is_surely_at_least(size, 0)) size = max(size, 0);
  Layout result = self;
  // Where nothing begins does not matter if only data tell that it is nothing.
  if (is_unbacked(size) || size > 0)
    result.offset += offset >= 0 ? self.strides[dims[1]] * offset : self.strides[dims[0]] * -offset;
  for (int64_t dim : {std::max(dims[0], dims[1]), std::min(dims[0], dims[1])}) {
    result.sizes.erase(result.sizes.begin() + dim);
    result.strides.erase(result.strides.begin() + dim);
  }
  result.sizes.push_back(size);
  result.strides.push_back(self.strides[dims[0]] + self.strides[dims[1]]);
  return result;
}

Values run_linalg_diagonal(const OpArgs& args) {
  return {apply_one(op_defs::diagonal_default, {args[0], args["offset"], args["dim1"], args["dim2"]}, args.here())};
}

Values run_diagonal_copy(const OpArgs& args) {
  return {clone_contiguous(apply_one(op_defs::diagonal_default, {args[0], args[1], args[2], args[3]}, args.here()),
                           args.here())};
}

// Element (.., i, .., j, ..) of the result, with i along dim1 and j along dim2, is self[.., min(i, j)] on the diagonal.
Tensor embedded(const OpArgs& args, const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  Here here = args.here();
  constexpr int64_t most = std::numeric_limits<int32_t>::max();  // a matrix of as many rows has 2^62 elements
  if (offset < -most || offset > most)
    args.fail(ErrorKind::argument, fmt::format("a diagonal {} off the middle one", offset),
              fmt::format("need one from {} to {}", -most, most));
  SymDims sizes = x.sizes();
  sizes.back() += std::abs(offset);
  Tensor longer = offset == 0 ? x : reindex(x, Reindexing(sizes), here);
  // The longer tensor's last dim stands for the smaller of the two indices' dims, the other one is expanded.
  int64_t along = offset >= 0 ? dim1 : dim2, beside = offset >= 0 ? dim2 : dim1;
  Dims order;
  int64_t rank = x.dim() + 1, next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) order.push_back(dim == along ? rank - 2 : dim == beside ? rank - 1 : next++);
  SymDims expanded = sizes;
  expanded.push_back(sizes.back());
  Tensor matrix = longer.unsqueeze(-1, here).expand(expanded, here).permute(order, here);
  return apply_one(op_defs::band_default, {matrix, dim1, dim2, offset, offset}, here);
}

Values run_diag_embed(const OpArgs& args) {
  Tensor self = args.tensor(0);
  if (self.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim tensor", "need at least 1 dim");
  Dims dims = wrap_dims(args, {args.integer("dim1"), args.integer("dim2")}, self.dim() + 1);
  return {embedded(args, self, args.integer("offset"), dims[0], dims[1])};
}

Values run_diag(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t offset = args.integer("diagonal");
  if (self.dim() != 1 && self.dim() != 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()), "need 1 or 2 dims");
  if (self.dim() == 1) return {embedded(args, self, offset, 0, 1)};
  return {apply_one(op_defs::diagonal_copy_default, {self, offset}, args.here())};
}

Values run_diagflat(const OpArgs& args) {
  Tensor self = args.tensor(0);
  return {embedded(args, self.reshape({self.numel()}, args.here()), args.integer("offset"), 0, 1)};
}

void fill_strided(const Tensor& self, SymInt size, SymInt stride, SymInt offset, Scalar value, Here here) {
  as_strided(self, {size}, {stride}, offset, here).fill_(value, here);
}

Values run_fill_diagonal(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Scalar value = args.scalar("fill_value");
  const SymDims& sizes = self.sizes();
  if (self.dim() < 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()), "need at least 2 dims");
  for (SymInt size : sizes)
    if (self.dim() > 2 && !(size == sizes[0]))
      args.fail(ErrorKind::shape, fmt::format("sizes {} differ", to_string(sizes)), "need all dims of one size");
  SymInt size = min(sizes[0], sizes[1]), stride = 0;
  for (SymInt one : self.strides()) stride += one;
  SymInt offset = self.layout().offset;
  fill_strided(self, size, stride, offset, value, args.here());
  // The diagonal of a tall matrix begins again after a row that it leaves out.
  if (args.flag("wrap") && self.dim() == 2 && sizes[0] > sizes[1] + 1) {
    SymInt wrapped = ceil_div(self.numel(), sizes[1] + 1) - size;
    fill_strided(self, wrapped, stride, offset + self.strides()[0] * (sizes[1] + 1), value, args.here());
  }
  return {self};
}

// --- From nothing -----------------------------------------------------------------------------------------------

Metas eye_meta(const OpArgs& args) {
  SymInt rows = args.size("n"), columns = args.op().schema().find("m") < 0 ? rows : args.size("m");
  return {fresh(args, {rows, columns}, default_dtype)};
}

ScalarExpr eye_formula(ScalarBuilder& s, const OpArgs&, Inputs) { return s.index(0) == s.index(1); }

// How many elements of the matrix lie left of the diagonal that begins at column `offset`: rows of none, rows of one
// more each, whole rows.
__int128 left_of_diagonal(__int128 rows, __int128 columns, __int128 offset) {
  __int128 none = std::clamp<__int128>(-offset, 0, rows),
           growing_end = std::clamp<__int128>(columns - offset, none, rows);
  __int128 growing = growing_end - none, first = none + offset;
  return (growing > 0 ? growing * first + growing * (growing - 1) / 2 : 0) + (rows - growing_end) * columns;
}

template <Triangle triangle>
Metas triangle_indices_meta(const OpArgs& args) {
  int64_t rows = args.integer("row"), columns = args.integer("col"), offset = args.integer("offset");
  if (rows < 0 || columns < 0) args.fail(ErrorKind::argument, fmt::format("a matrix of {} by {}", rows, columns));
  bool is_lower = triangle == Triangle::lower;
  __int128 left = left_of_diagonal(rows, columns, __int128(offset) + (is_lower ? 1 : 0));
  __int128 count = is_lower ? left : __int128(rows) * columns - left;
  if (count > std::numeric_limits<int64_t>::max())
    args.fail(ErrorKind::argument, fmt::format("a matrix of {} by {} has too many places", rows, columns));
  TensorMeta meta = fresh(args, {2, static_cast<int64_t>(count)}, DType::i64);
  if (meta.dtype != DType::i32 && meta.dtype != DType::i64) fail_for_type(args, meta.dtype);
  return {meta};
}

}  // namespace

namespace op_defs {

constinit const OpDef band_default =
    pointwise("sinter::band(Tensor self, int dim1, int dim2, int? low=None, int? high=None) -> Tensor", types_of_self,
              band_formula, band_meta);
constinit const OpDef tril_default = pointwise("aten::tril(Tensor self, SymInt diagonal=0) -> Tensor", types_of_self,
                                               triangle_formula<Triangle::lower>, triangle_meta);
constinit const OpDef triu_default = pointwise("aten::triu(Tensor self, SymInt diagonal=0) -> Tensor", types_of_self,
                                               triangle_formula<Triangle::upper>, triangle_meta);
constinit const OpDef tril_inplace_default =
    inplace("aten::tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)", tril_default);
constinit const OpDef triu_inplace_default =
    inplace("aten::triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)", triu_default);

constinit const OpDef diagonal_default =
    view("aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", diagonal_layout);
constinit const OpDef linalg_diagonal_default = composite(
    "aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)", run_linalg_diagonal);
constinit const OpDef diagonal_copy_default =
    decomposed("aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", run_diagonal_copy);
constinit const OpDef diag_default = decomposed("aten::diag(Tensor self, int diagonal=0) -> Tensor", run_diag);
constinit const OpDef diag_embed_default =
    decomposed("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", run_diag_embed);
constinit const OpDef diagflat_default =
    decomposed("aten::diagflat(Tensor self, int offset=0) -> Tensor", run_diagflat);
constinit const OpDef fill_diagonal_inplace_default = composite(
    "aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)", run_fill_diagonal);

constinit const OpDef eye_default =
    generator("aten::eye(SymInt n, *, " SINTER_FACTORY ") -> Tensor", eye_meta, eye_formula);
constinit const OpDef eye_m =
    generator("aten::eye.m(SymInt n, SymInt m, *, " SINTER_FACTORY ") -> Tensor", eye_meta, eye_formula);
constinit const OpDef tril_indices_default =
    routine("aten::tril_indices(int row, int col, int offset=0, *, " SINTER_FACTORY ") -> Tensor",
            triangle_indices_meta<Triangle::lower>);
constinit const OpDef triu_indices_default =
    routine("aten::triu_indices(int row, int col, int offset=0, *, " SINTER_FACTORY ") -> Tensor",
            triangle_indices_meta<Triangle::upper>);

}  // namespace op_defs

}  // namespace sinter
