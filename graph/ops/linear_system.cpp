// LU factors and what is made of them: determinants, inverses and solutions of systems of equations.

#include <sinter/graph/ops/linear_system.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/sign.h>
#include <sinter/graph/ops/spatial.h>

#include <algorithm>
#include <limits>

namespace sinter {

void check_info(const Tensor& info, const char* api, Here here) {
  apply(op_defs::linalg_check_errors_default, {info, api, info.dim() == 0}, here);
}

bool is_vector_side(const TensorMeta& a, const TensorMeta& b) {
  const SymDims& sizes = a.layout.sizes;
  return b.layout.rank() == 1 ||
         (a.layout.rank() - 1 == b.layout.rank() && leading(sizes, a.layout.rank() - 1) == b.layout.sizes);
}

namespace {

namespace d = op_defs;

TensorMeta info_meta(const TensorMeta& matrices) {
  return {DType::i32, matrices.device, contiguous_layout(batch_of(matrices.layout.sizes))};
}

Tensor result(const Values& values, size_t i) { return values[i].tensor(); }

// --- LU factors -------------------------------------------------------------------------------------------------

Metas lu_factor_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  check_factorisable(args, a);
  if (!args.flag("pivot")) args.fail(ErrorKind::unsupported, "LU factors without pivoting", "pass pivot=true");
  const SymDims& sizes = a.layout.sizes;
  SymDims pivots = joined(batch_of(sizes), {min(sizes[sizes.size() - 2], sizes.back())});
  return {fresh_columns(a, sizes), {DType::i32, a.device, contiguous_layout(pivots)}, info_meta(a)};
}

Values lu_factors(const Tensor& a, Here here) { return apply(d::linalg_lu_factor_ex_default, {a}, here); }

Values run_lu_factor(const OpArgs& args) {
  Values all = apply(d::linalg_lu_factor_ex_default, args.values(), {}, args.here());
  check_info(result(all, 2), "linalg_lu_factor", args.here());
  return {all[0], all[1]};
}

Values run_lu_with_info(const OpArgs& args) {
  return apply(d::linalg_lu_factor_ex_default, args.values(), {}, args.here());
}

Metas lu_solve_meta(const OpArgs& args) {
  TensorMeta lu = args.meta(0), pivots = args.meta(1), b = args.meta(2);
  check_factorisable(args, lu);
  check_factorisable(args, b);
  check_square(args, lu.layout);
  check_types(args, lu, b);
  if (pivots.dtype != DType::i32)
    args.fail(ErrorKind::dtype, fmt::format("pivots are {}", name(pivots.dtype)), "need i32");
  if (!(pivots.layout.sizes == leading(lu.layout.sizes, lu.layout.rank() - 1)))
    args.fail(ErrorKind::shape, fmt::format("pivots of sizes {} for matrices of {}", to_string(pivots.layout.sizes),
                                            to_string(lu.layout.sizes)));
  bool left = args.flag("left");
  int64_t rank = b.layout.rank();
  check_inner(args, lu.layout.sizes.back(), b.layout.sizes[left ? rank - 2 : rank - 1]);
  SymDims sizes = joined(broadcast_batch(args, batch_of(lu.layout.sizes), batch_of(b.layout.sizes)),
                         {b.layout.sizes[rank - 2], b.layout.sizes[rank - 1]});
  return {left ? fresh_columns(b, sizes) : fresh_like(b, sizes)};
}

Values run_old_lu_solve(const OpArgs& args) {
  return apply(d::linalg_lu_solve_default, {args[1], args[2], args[0]}, args.here());
}

Metas permutation_meta(const OpArgs& args) {
  TensorMeta pivots = args.meta(0);
  SymDims sizes = leading(pivots.layout.sizes, pivots.layout.rank() - 1);
  sizes.push_back(args.size("rows"));
  return {{DType::i64, pivots.device, contiguous_layout(sizes)}};
}

// Column c of P has its 1 in the row that row c of the factors was before.
Tensor permutation_matrix(const Tensor& pivots, SymInt rows, DType dtype, Here here) {
  Tensor places = apply_one(d::permutation_of_pivots_default, {pivots, rows}, here);
  Tensor row = arange(rows.constant(), DType::i64, here).unsqueeze(1, here);
  return contiguous(eq(row, places.unsqueeze(-2, here), here).to(dtype, here), here);
}

Values run_lu_unpack(const OpArgs& args) {
  Tensor lu = args.tensor(0), pivots = args.tensor(1);
  Here here = args.here();
  check_factorisable(args, lu.meta());
  if (pivots.dtype() != DType::i32)
    args.fail(ErrorKind::dtype, fmt::format("pivots are {}", name(pivots.dtype())), "need i32");
  SymInt rows = lu.size(-2), columns = lu.size(-1), least = min(rows, columns);
  Tensor nothing = zeros({0}, lu.dtype(), here), p = nothing, lower = nothing, upper = nothing;
  if (args.flag("unpack_data")) {
    Tensor one = apply_one(d::eye_m, {rows, least, lu.dtype()}, here);
    lower = apply_one(d::tril_default, {lu.slice(-1, 0, least, 1, here), -1}, here) + one;
    upper = apply_one(d::triu_default, {lu.slice(-2, 0, least, 1, here)}, here);
  }
  if (args.flag("unpack_pivots")) p = permutation_matrix(pivots, rows, lu.dtype(), here);
  return {p, contiguous(lower, here), contiguous(upper, here)};
}

Values run_lu(const OpArgs& args) {
  Values all = apply(d::linalg_lu_factor_ex_default, args.values(), {}, args.here());
  return apply(d::lu_unpack_default, {all[0], all[1]}, args.here());
}

// --- Determinants -----------------------------------------------------------------------------------------------

// The factors of A, or of A transposed, which has the same determinant and is what LAPACK reads without a copy.
Values factors_of_either(const Tensor& a, Here here) {
  return lu_factors(a.is_contiguous() ? swapped(a, here) : a, here);
}

Tensor diagonal_of(const Tensor& matrices, Here here) {
  return apply_one(d::diagonal_default, {matrices, 0, -2, -1}, here);
}

// 1 or -1 as the number of rows that were swapped is even or odd.
Tensor sign_of_permutation(const Tensor& pivots, DType dtype, Here here) {
  Tensor own = arange(1, pivots.size(-1).constant() + 1, DType::i32, here);
  Tensor swaps = sum(ne(pivots, own, here), {-1}, false, DType::i64, here);
  return Scalar(1.0) - bitwise_and(swaps, Scalar(1), here).to(dtype, here) * Scalar(2.0);
}

void check_square_factorisable(const OpArgs& args) {
  check_factorisable(args, args.meta(0));
  check_square(args, args.meta(0).layout);
}

Values run_inner_det(const OpArgs& args) {
  check_square_factorisable(args);
  Here here = args.here();
  Values lu = factors_of_either(args.tensor(0), here);
  Tensor factors = prod(diagonal_of(result(lu, 0), here), -1, false, {}, here);
  return {factors * sign_of_permutation(result(lu, 1), factors.dtype(), here), lu[0], lu[1]};
}

Values run_det(const OpArgs& args) { return {apply(d::inner_linalg_det_default, {args[0]}, args.here())[0]}; }

Values run_inner_slogdet(const OpArgs& args) {
  check_square_factorisable(args);
  Here here = args.here();
  Values lu = factors_of_either(args.tensor(0), here);
  Tensor diagonal = diagonal_of(result(lu, 0), here);
  Tensor sign = prod(apply_one(d::sign_default, {diagonal}, here), -1, false, {}, here);
  Tensor logarithm = sum(log(abs(diagonal, here), here), {-1}, false, {}, here);
  return {sign * sign_of_permutation(result(lu, 1), sign.dtype(), here), logarithm, lu[0], lu[1]};
}

Values run_slogdet(const OpArgs& args) {
  Values all = apply(d::inner_linalg_slogdet_default, {args[0]}, args.here());
  return {all[0], all[1]};
}

Values run_logdet(const OpArgs& args) {
  Values all = apply(d::inner_linalg_slogdet_default, {args[0]}, args.here());
  Tensor is_negative = eq(result(all, 0), Scalar(-1.0), args.here());
  return {where(is_negative, Scalar(std::numeric_limits<double>::quiet_NaN()), result(all, 1), args.here())};
}

// --- Inverses ---------------------------------------------------------------------------------------------------

Metas inv_meta(const OpArgs& args) {
  check_square_factorisable(args);
  TensorMeta a = args.meta(0);
  return {fresh_columns(a, a.layout.sizes), info_meta(a)};
}

Values run_inv(const OpArgs& args) {
  Values all = apply(d::linalg_inv_ex_default, {args[0]}, args.here());
  check_info(result(all, 1), "linalg_inv", args.here());
  return {all[0]};
}

Values run_tensorinv(const OpArgs& args) {
  Tensor self = args.tensor(0);
  int64_t ind = args.integer("ind"), rank = self.dim();
  if (ind <= 0) args.fail(ErrorKind::argument, fmt::format("ind is {}", ind), "need a positive number of dims");
  SymDims front = leading(self.sizes(), std::min(ind, rank)), back;
  for (int64_t i = ind; i < rank; ++i) back.push_back(self.sizes()[i]);
  if (!(numel(front) == numel(back)))
    args.fail(
        ErrorKind::shape,
        fmt::format("{} elements in front of dim {}, {} behind", to_string(numel(front)), ind, to_string(numel(back))),
        "need as many");
  Tensor matrix = self.reshape({numel(front), numel(back)}, args.here());
  return {linalg_inv(matrix, args.here()).reshape(joined(back, front), args.here())};
}

// --- Solutions --------------------------------------------------------------------------------------------------

// Of the inner solution for vectors [batch, n]: in memory as LAPACK would leave a matrix of these sizes.
Tensor in_vector_order(const Tensor& x, bool left, Here here) {
  return left && x.dim() >= 2 ? copy_columns(x, here) : contiguous(x, here);
}

Values run_inner_solve(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  Here here = args.here();
  bool left = args.flag("left");
  check_square_factorisable(args);
  check_types(args, a.meta(), b.meta());
  if (b.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim right side", "need a vector or matrices");
  bool is_vector = is_vector_side(a.meta(), b.meta());
  Tensor matrix = is_vector ? b.unsqueeze(-1, here) : b;
  check_inner(args, a.size(-1), matrix.size(left ? -2 : -1));
  Values lu = lu_factors(a, here);
  Tensor x = apply_one(d::linalg_lu_solve_default, {lu[0], lu[1], matrix, left, false}, here);
  if (is_vector) x = in_vector_order(x.squeeze(-1, here), left, here);
  if (args.flag("check_errors")) check_info(result(lu, 2), "linalg_solve_ex", here);
  return {x, lu[0], lu[1], lu[2]};
}

Values run_solve_ex(const OpArgs& args) {
  Values all = apply(d::inner_linalg_solve_ex_default, args.values(), {}, args.here());
  return {all[0], all[3]};
}

Values run_solve(const OpArgs& args) {
  Values all = apply(d::inner_linalg_solve_ex_default, args.values(), {}, args.here());
  check_info(result(all, 3), "linalg_solve", args.here());
  return {all[0]};
}

// The dims of the right side come first, then those of the solution; `dims` are moved behind all others before.
Values run_tensorsolve(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  Here here = args.here();
  if (!args["dims"].is_none()) {
    Dims moved = wrap_dims(args, args.dims("dims"), a.dim()), order;
    for (int64_t i = 0; i < a.dim(); ++i)
      if (std::find(moved.begin(), moved.end(), i) == moved.end()) order.push_back(i);
    for (int64_t dim : moved) order.push_back(dim);
    a = a.permute(order, here);
  }
  SymDims sizes;
  for (int64_t i = b.dim(); i < a.dim(); ++i) sizes.push_back(a.sizes()[i]);
  SymInt unknowns = numel(sizes);
  if (!(unknowns == b.numel()) || !(unknowns * unknowns == a.numel()))
    args.fail(ErrorKind::shape, fmt::format("{} equations for {} unknowns", to_string(b.numel()), to_string(unknowns)),
              "need as many");
  Tensor x = linalg_solve(a.reshape({unknowns, unknowns}, here), b.reshape({unknowns}, here), true, here);
  return {x.reshape(sizes, here)};
}

Metas check_errors_meta(const OpArgs& args) {
  if (args.meta(0).dtype != DType::i32) fail_for_type(args, args.meta(0).dtype);
  return {};
}

}  // namespace

namespace op_defs {

constinit const OpDef linalg_lu_factor_ex_default = routine(
    "aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, "
    "Tensor info)",
    lu_factor_meta);
constinit const OpDef linalg_lu_factor_default =
    composite("aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)", run_lu_factor);
constinit const OpDef lu_with_info_default = composite(
    "aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor "
    "info)",
    run_lu_with_info);
constinit const OpDef linalg_lu_solve_default = routine(
    "aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor",
    lu_solve_meta);
constinit const OpDef lu_solve_default =
    composite("aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", run_old_lu_solve);
constinit const OpDef permutation_of_pivots_default =
    routine("sinter::permutation_of_pivots(Tensor pivots, SymInt rows) -> Tensor", permutation_meta);
constinit const OpDef lu_unpack_default = decomposed(
    "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, "
    "Tensor L, Tensor U)",
    run_lu_unpack);
constinit const OpDef linalg_lu_default =
    composite("aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)", run_lu);

constinit const OpDef inner_linalg_det_default =
    decomposed("aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", run_inner_det);
constinit const OpDef linalg_det_default = composite("aten::linalg_det(Tensor A) -> Tensor", run_det);
constinit const OpDef det_default = composite("aten::det(Tensor self) -> Tensor", run_det);
constinit const OpDef inner_linalg_slogdet_default = decomposed(
    "aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)", run_inner_slogdet);
constinit const OpDef linalg_slogdet_default =
    composite("aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", run_slogdet);
constinit const OpDef slogdet_default =
    composite("aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", run_slogdet);
constinit const OpDef logdet_default = decomposed("aten::logdet(Tensor self) -> Tensor", run_logdet);

constinit const OpDef linalg_inv_ex_default =
    routine("aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)", inv_meta);
constinit const OpDef linalg_inv_default = composite("aten::linalg_inv(Tensor A) -> Tensor", run_inv);
constinit const OpDef inverse_default = composite("aten::inverse(Tensor self) -> Tensor", run_inv);
constinit const OpDef linalg_tensorinv_default =
    composite("aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor", run_tensorinv);

constinit const OpDef inner_linalg_solve_ex_default = decomposed(
    "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor "
    "LU, Tensor pivots, Tensor info)",
    run_inner_solve);
constinit const OpDef linalg_solve_ex_default = composite(
    "aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor "
    "info)",
    run_solve_ex);
constinit const OpDef linalg_solve_default =
    composite("aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", run_solve);
constinit const OpDef linalg_tensorsolve_default =
    composite("aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor", run_tensorsolve);
constinit const OpDef linalg_check_errors_default =
    routine("aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()", check_errors_meta);

}  // namespace op_defs

namespace {

TwoTensors two(const Values& values) { return {values[0].tensor(), values[1].tensor()}; }

}  // namespace

Tensor linalg_inv(const Tensor& x, Here here) { return apply_one(d::linalg_inv_default, {x}, here); }
Tensor linalg_solve(const Tensor& a, const Tensor& b, bool left, Here here) {
  return apply_one(d::linalg_solve_default, {a, b, left}, here);
}
Tensor linalg_det(const Tensor& x, Here here) { return apply_one(d::linalg_det_default, {x}, here); }
TwoTensors linalg_slogdet(const Tensor& x, Here here) { return two(apply(d::linalg_slogdet_default, {x}, here)); }
Tensor logdet(const Tensor& x, Here here) { return apply_one(d::logdet_default, {x}, here); }
ThreeTensors linalg_lu(const Tensor& x, bool pivot, Here here) {
  Values all = apply(d::linalg_lu_default, {x, pivot}, here);
  return {result(all, 0), result(all, 1), result(all, 2)};
}
TwoTensors linalg_lu_factor(const Tensor& x, bool pivot, Here here) {
  return two(apply(d::linalg_lu_factor_default, {x, pivot}, here));
}
Tensor linalg_lu_solve(const Tensor& lu, const Tensor& pivots, const Tensor& b, bool left, bool adjoint, Here here) {
  return apply_one(d::linalg_lu_solve_default, {lu, pivots, b, left, adjoint}, here);
}
Tensor linalg_tensorinv(const Tensor& x, int64_t ind, Here here) {
  return apply_one(d::linalg_tensorinv_default, {x, ind}, here);
}
Tensor linalg_tensorsolve(const Tensor& a, const Tensor& b, std::optional<Dims> dims, Here here) {
  return apply_one(d::linalg_tensorsolve_default, {a, b, dims ? Value(*dims) : Value()}, here);
}

}  // namespace sinter
