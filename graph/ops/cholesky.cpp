// Systems with a special form: Cholesky factors, triangular systems, and more or fewer equations than unknowns.

#include <sinter/graph/ops/cholesky.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/linear_system.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/spatial.h>

namespace sinter {

namespace {

namespace d = op_defs;

// --- Cholesky ---------------------------------------------------------------------------------------------------

Metas cholesky_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  check_factorisable(args, a);
  check_square(args, a.layout);
  return {fresh_columns(a, a.layout.sizes), {DType::i32, a.device, contiguous_layout(batch_of(a.layout.sizes))}};
}

Values run_cholesky(const OpArgs& args) {
  Values all = apply(d::linalg_cholesky_ex_default, {args[0], args["upper"]}, args.here());
  check_info(all[1].tensor(), "linalg_cholesky", args.here());
  return {all[0]};
}

// b and a matrix of its rows: the sizes of x with a @ x = b (or x @ a = b).
SymDims solution_sizes(const OpArgs& args, const TensorMeta& a, const TensorMeta& b, bool left) {
  check_factorisable(args, a);
  check_factorisable(args, b);
  check_square(args, a.layout);
  check_types(args, a, b);
  const SymDims& sizes = b.layout.sizes;
  SymInt rows = sizes[sizes.size() - 2], columns = sizes.back();
  check_inner(args, a.layout.sizes.back(), left ? rows : columns);
  return joined(broadcast_batch(args, batch_of(a.layout.sizes), batch_of(sizes)), {rows, columns});
}

Metas cholesky_solve_meta(const OpArgs& args) {
  return {fresh_columns(args.meta(0), solution_sizes(args, args.meta(1), args.meta(0), true))};
}

Metas cholesky_inverse_meta(const OpArgs& args) { return {cholesky_meta(args)[0]}; }

// --- Triangles --------------------------------------------------------------------------------------------------

Metas solve_triangular_meta(const OpArgs& args) {
  return {fresh_columns(args.meta(1), solution_sizes(args, args.meta(0), args.meta(1), args.flag("left")))};
}

// Also a copy of the matrix.
Values run_triangular_solve(const OpArgs& args) {
  Tensor b = args.tensor(0), a = args.tensor(1);
  Here here = args.here();
  SymDims sizes = solution_sizes(args, a.meta(), b.meta(), true);
  bool is_transposed = args.flag("transpose"), upper = args.flag("upper") != is_transposed;
  Tensor x =
      linalg_solve_triangular(is_transposed ? swapped(a, here) : a, b, upper, true, args.flag("unitriangular"), here);
  Tensor expanded = a.expand(joined(batch_of(sizes), {a.size(-2), a.size(-1)}), here);
  return {x, copy_columns(expanded, here)};
}

// --- Least squares ----------------------------------------------------------------------------------------------

std::string driver_of(const OpArgs& args) {
  std::string driver = args["driver"].is_none() ? "gelsy" : args["driver"].string();
  if (driver != "gels" && driver != "gelsy" && driver != "gelsd" && driver != "gelss")
    args.fail(ErrorKind::argument, fmt::format("driver is {}", driver), "need gels, gelsy, gelsd or gelss");
  return driver;
}

// What a driver does not give has no elements.
Metas least_squares_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0), b = args.meta(1);
  std::string driver = args["driver"].string();
  SymDims batch = batch_of(a.layout.sizes);
  SymInt rows = a.layout.sizes[a.layout.rank() - 2], columns = a.layout.sizes.back(), sides = b.layout.sizes.back();
  bool gives_residuals = driver != "gelsy" && rows > columns, gives_values = driver == "gelsd" || driver == "gelss";
  TensorMeta rank = fresh_like(a, driver == "gels" ? SymDims{0} : batch);
  rank.dtype = DType::i64;
  return {fresh_columns(b, joined(batch, {max(rows, columns), sides})),
          fresh_like(a, gives_residuals ? joined(batch, {sides}) : SymDims{0}), rank,
          fresh_like(a, gives_values ? joined(batch, {min(rows, columns)}) : SymDims{0})};
}

Values run_lstsq(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  Here here = args.here();
  check_factorisable(args, a.meta());
  check_types(args, a.meta(), b.meta());
  if (b.dim() == 0) args.fail(ErrorKind::shape, "a zero-dim right side", "need a vector or matrices");
  bool is_vector = is_vector_side(a.meta(), b.meta());
  if (is_vector) b = b.unsqueeze(-1, here);
  check_inner(args, a.size(-2), b.size(-2));
  SymDims batch = broadcast_batch(args, batch_of(a.sizes()), batch_of(b.sizes()));
  Tensor left = a.expand(joined(batch, {a.size(-2), a.size(-1)}), here);
  Tensor right = b.expand(joined(batch, {b.size(-2), b.size(-1)}), here);
  Values all = apply(d::least_squares_default, {left, right, args["rcond"], driver_of(args)}, here);
  Tensor x = all[0].tensor().slice(-2, 0, a.size(-1), 1, here);
  return {is_vector ? x.squeeze(-1, here) : x, all[1], all[2], all[3]};
}

}  // namespace

namespace op_defs {

constinit const OpDef linalg_cholesky_ex_default = routine(
    "aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
    cholesky_meta);
constinit const OpDef linalg_cholesky_default =
    composite("aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", run_cholesky);
constinit const OpDef cholesky_solve_default =
    total_routine("aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor", cholesky_solve_meta);
constinit const OpDef cholesky_inverse_default =
    routine("aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor", cholesky_inverse_meta);

constinit const OpDef linalg_solve_triangular_default = total_routine(
    "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> "
    "Tensor",
    solve_triangular_meta);
constinit const OpDef triangular_solve_default = decomposed(
    "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> "
    "(Tensor solution, Tensor cloned_coefficient)",
    run_triangular_solve);

// Batches are of equal sizes; the first result has max(rows, columns) rows, of which the first are the solution.
constinit const OpDef least_squares_default = routine(
    "sinter::least_squares(Tensor self, Tensor b, float? rcond, str driver) -> (Tensor, Tensor, Tensor, Tensor)",
    least_squares_meta);
constinit const OpDef linalg_lstsq_default = composite(
    "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor "
    "residuals, Tensor rank, Tensor singular_values)",
    run_lstsq);

}  // namespace op_defs

Tensor linalg_cholesky(const Tensor& x, bool upper, Here here) {
  return apply_one(d::linalg_cholesky_default, {x, upper}, here);
}
Tensor cholesky_solve(const Tensor& b, const Tensor& factor, bool upper, Here here) {
  return apply_one(d::cholesky_solve_default, {b, factor, upper}, here);
}
Tensor cholesky_inverse(const Tensor& factor, bool upper, Here here) {
  return apply_one(d::cholesky_inverse_default, {factor, upper}, here);
}
Tensor linalg_solve_triangular(const Tensor& a, const Tensor& b, bool upper, bool left, bool unitriangular, Here here) {
  return apply_one(d::linalg_solve_triangular_default, {a, b, upper, left, unitriangular}, here);
}
std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& a, const Tensor& b, std::optional<double> rcond,
                                                        std::optional<std::string> driver, Here here) {
  Values all =
      apply(d::linalg_lstsq_default, {a, b, rcond ? Value(*rcond) : Value(), driver ? Value(*driver) : Value()}, here);
  return {all[0].tensor(), all[1].tensor(), all[2].tensor(), all[3].tensor()};
}

}  // namespace sinter
