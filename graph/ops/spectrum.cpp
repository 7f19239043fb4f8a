// Orthogonal factors, singular values, eigenvalues of symmetric matrices, and functions of matrices made of them.

#include <sinter/graph/ops/spectrum.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/spatial.h>

namespace sinter {

namespace {

namespace d = op_defs;

SymInt rows_of(const TensorMeta& meta) { return meta.layout.sizes[meta.layout.rank() - 2]; }
SymInt columns_of(const TensorMeta& meta) { return meta.layout.sizes.back(); }

TensorMeta nothing_like(const TensorMeta& meta) { return fresh_like(meta, {0}); }

// --- Reflections ------------------------------------------------------------------------------------------------

Metas geqrf_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  check_factorisable(args, a);
  const SymDims& sizes = a.layout.sizes;
  return {fresh_columns(a, sizes), fresh_like(a, joined(batch_of(sizes), {min(rows_of(a), columns_of(a))}))};
}

void check_reflections(const OpArgs& args, const TensorMeta& a, const TensorMeta& tau) {
  check_factorisable(args, a);
  check_types(args, a, tau);
  bool fits = tau.layout.rank() == a.layout.rank() - 1 &&
              leading(tau.layout.sizes, tau.layout.rank() - 1) == batch_of(a.layout.sizes) &&
              tau.layout.sizes.back() <= columns_of(a);
  if (!fits)
    args.fail(ErrorKind::shape,
              fmt::format("tau of sizes {} for matrices of {}", to_string(tau.layout.sizes), to_string(a.layout.sizes)),
              "need a factor for each of some columns");
}

Metas householder_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  check_reflections(args, a, args.meta(1));
  if (rows_of(a) < columns_of(a))
    args.fail(ErrorKind::shape, fmt::format("matrices of {} by {}", to_string(rows_of(a)), to_string(columns_of(a))),
              "need at least as many rows as columns");
  return {fresh_columns(a, a.layout.sizes)};
}

Metas ormqr_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0), c = args.meta(2);
  check_reflections(args, a, args.meta(1));
  check_factorisable(args, c);
  check_types(args, a, c);
  check_inner(args, rows_of(a), args.flag("left") ? rows_of(c) : columns_of(c));
  if (!(batch_of(a.layout.sizes) == batch_of(c.layout.sizes)))
    args.fail(ErrorKind::shape, fmt::format("batch sizes differ ({} vs {})", to_string(batch_of(a.layout.sizes)),
                                            to_string(batch_of(c.layout.sizes))));
  return {fresh_columns(c, c.layout.sizes)};
}

Metas qr_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  check_factorisable(args, a);
  const std::string& mode = args["mode"].string();
  if (mode != "reduced" && mode != "complete" && mode != "r")
    args.fail(ErrorKind::argument, fmt::format("mode is {}", mode), "need reduced, complete or r");
  SymDims batch = batch_of(a.layout.sizes);
  SymInt inner = mode == "complete" ? rows_of(a) : min(rows_of(a), columns_of(a));
  TensorMeta q = mode == "r" ? nothing_like(a) : fresh_columns(a, joined(batch, {rows_of(a), inner}));
  return {q, fresh_columns(a, joined(batch, {inner, columns_of(a)}))};
}

// --- Spectra ----------------------------------------------------------------------------------------------------

Metas svd_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  check_factorisable(args, a);
  if (!args["driver"].is_none())
    args.fail(ErrorKind::argument, fmt::format("driver is {}", args["driver"].string()),
              "need none: drivers are for CUDA tensors");
  SymDims batch = batch_of(a.layout.sizes);
  SymInt m = rows_of(a), n = columns_of(a), k = min(m, n);
  TensorMeta values = fresh_like(a, joined(batch, {k}));
  if (!args.flag("compute_uv")) return {nothing_like(a), values, nothing_like(a)};
  bool is_full = args.flag("full_matrices");
  return {fresh_columns(a, joined(batch, {m, is_full ? m : k})), values,
          fresh_columns(a, joined(batch, {is_full ? n : k, n}))};
}

Values run_svd(const OpArgs& args) {
  return apply(d::inner_linalg_svd_default, {args[0], args["full_matrices"], true, args["driver"]}, args.here());
}

Values run_svdvals(const OpArgs& args) {
  return {apply(d::inner_linalg_svd_default, {args[0], false, false, args["driver"]}, args.here())[1]};
}

// With V, not its transpose; without vectors, matrices of zeros stand for them.
Values run_old_svd(const OpArgs& args) {
  Here here = args.here();
  bool wants_vectors = args.flag("compute_uv");
  Values all = apply(d::inner_linalg_svd_default, {args[0], !args.flag("some"), wants_vectors}, here);
  if (wants_vectors) return {all[0], all[1], swapped(all[2].tensor(), here)};
  TensorMeta a = args.meta(0);
  auto square = [&](SymInt n) { return zeros(joined(batch_of(a.layout.sizes), {n, n}), a.dtype, here); };
  return {square(rows_of(a)), all[1], square(columns_of(a))};
}

Metas eigh_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  check_factorisable(args, a);
  check_square(args, a.layout);
  const std::string& uplo = args["UPLO"].string();
  if (uplo != "L" && uplo != "U" && uplo != "l" && uplo != "u")
    args.fail(ErrorKind::argument, fmt::format("UPLO is {}", uplo), "need L or U");
  const SymDims& sizes = a.layout.sizes;
  TensorMeta values = fresh_like(a, leading(sizes, a.layout.rank() - 1));
  return {values, args.flag("compute_v") ? fresh_columns(a, sizes) : nothing_like(a)};
}

Values run_eigh(const OpArgs& args) {
  return apply(d::inner_linalg_eigh_default, {args[0], args["UPLO"], true}, args.here());
}

Values run_eigvalsh(const OpArgs& args) {
  return {apply(d::inner_linalg_eigh_default, {args[0], args["UPLO"], false}, args.here())[0]};
}

// --- Functions of matrices --------------------------------------------------------------------------------------

void check_square_floating(const OpArgs& args) {
  TensorMeta a = args.meta(0);
  if (!is_floating(a.dtype)) fail_for_type(args, a.dtype);
  if (a.layout.rank() < 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", a.layout.rank()), "need at least 2 dims");
  check_square(args, a.layout);
}

Metas matrix_exp_meta(const OpArgs& args) {
  check_square_floating(args);
  TensorMeta a = args.meta(0);
  return {fresh_like(a, a.layout.sizes)};
}

Values run_matrix_exp(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  Tensor wide = apply_one(d::matrix_exponential_default, {self.to(compute_type(self.dtype()), here)}, here);
  return {wide.to(self.dtype(), here)};
}

// By the exponential of [[x', grad], [0, x']], x' being x transposed, whose upper right block it is.
Values run_matrix_exp_backward(const OpArgs& args) {
  check_square_floating(args);
  Tensor self = args.tensor(0), grad = args.tensor(1);
  Here here = args.here();
  check_types(args, self.meta(), grad.meta());
  Tensor x = swapped(self, here);
  Tensor above = cat({x, grad}, -1, here), below = cat({zeros(x.sizes(), x.dtype(), here), x}, -1, here);
  Tensor whole = linalg_matrix_exp(cat({above, below}, -2, here), here);
  SymInt n = self.size(-1);
  return {clone_contiguous(whole.slice(-2, 0, n, 1, here).slice(-1, n, n * 2, 1, here), here)};
}

// The square root of a symmetric matrix; negative eigenvalues count as 0.
Values run_matrix_sqrth(const OpArgs& args) {
  Here here = args.here();
  Values all = apply(d::inner_linalg_eigh_default, {args[0], "L", true}, here);
  Tensor values = all[0].tensor(), vectors = all[1].tensor();
  Tensor roots = sqrt(clamp_min(values, Scalar(0.0), here), here);
  return {matmul(vectors * roots.unsqueeze(-2, here), swapped(vectors, here), here)};
}

}  // namespace

namespace op_defs {

constinit const OpDef geqrf_default = total_routine("aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)", geqrf_meta);
constinit const OpDef linalg_householder_product_default =
    total_routine("aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor", householder_meta);
constinit const OpDef orgqr_default = composite(
    "aten::orgqr(Tensor self, Tensor input2) -> Tensor",
    [](const OpArgs& args) { return apply(linalg_householder_product_default, args.values(), {}, args.here()); });
constinit const OpDef ormqr_default = total_routine(
    "aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor",
    ormqr_meta);
constinit const OpDef linalg_qr_default =
    total_routine("aten::linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)", qr_meta);

constinit const OpDef inner_linalg_svd_default = routine(
    "aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, "
    "Tensor S, Tensor Vh)",
    svd_meta);
constinit const OpDef linalg_svd_default = composite(
    "aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
    run_svd);
constinit const OpDef linalg_svdvals_default =
    composite("aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", run_svdvals);
constinit const OpDef svd_default = composite(
    "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)", run_old_svd);
constinit const OpDef inner_linalg_eigh_default = routine(
    "aten::_linalg_eigh(Tensor A, str UPLO='L', bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)",
    eigh_meta);
constinit const OpDef linalg_eigh_default =
    composite("aten::linalg_eigh(Tensor self, str UPLO='L') -> (Tensor eigenvalues, Tensor eigenvectors)", run_eigh);
constinit const OpDef linalg_eigvalsh_default =
    composite("aten::linalg_eigvalsh(Tensor self, str UPLO='L') -> Tensor", run_eigvalsh);

// In f32 or f64.
constinit const OpDef matrix_exponential_default =
    total_routine("sinter::matrix_exponential(Tensor self) -> Tensor", matrix_exp_meta);
constinit const OpDef linalg_matrix_exp_default =
    decomposed("aten::linalg_matrix_exp(Tensor self) -> Tensor", run_matrix_exp, matrix_exp_meta);
constinit const OpDef matrix_exp_default = composite("aten::matrix_exp(Tensor self) -> Tensor", [](const OpArgs& args) {
  return apply(linalg_matrix_exp_default, args.values(), {}, args.here());
});
constinit const OpDef matrix_exp_backward_default =
    decomposed("aten::matrix_exp_backward(Tensor self, Tensor grad) -> Tensor", run_matrix_exp_backward);
constinit const OpDef linalg_matrix_sqrth_default =
    decomposed("aten::linalg_matrix_sqrth(Tensor self) -> Tensor", run_matrix_sqrth);

}  // namespace op_defs

TwoTensors linalg_qr(const Tensor& x, std::string mode, Here here) {
  Values all = apply(d::linalg_qr_default, {x, std::move(mode)}, here);
  return {all[0].tensor(), all[1].tensor()};
}
Tensor linalg_householder_product(const Tensor& x, const Tensor& tau, Here here) {
  return apply_one(d::linalg_householder_product_default, {x, tau}, here);
}
ThreeTensors linalg_svd(const Tensor& x, bool full_matrices, Here here) {
  Values all = apply(d::linalg_svd_default, {x, full_matrices}, here);
  return {all[0].tensor(), all[1].tensor(), all[2].tensor()};
}
Tensor linalg_svdvals(const Tensor& x, Here here) { return apply_one(d::linalg_svdvals_default, {x}, here); }
TwoTensors linalg_eigh(const Tensor& x, std::string uplo, Here here) {
  Values all = apply(d::linalg_eigh_default, {x, std::move(uplo)}, here);
  return {all[0].tensor(), all[1].tensor()};
}
Tensor linalg_eigvalsh(const Tensor& x, std::string uplo, Here here) {
  return apply_one(d::linalg_eigvalsh_default, {x, std::move(uplo)}, here);
}
Tensor linalg_matrix_exp(const Tensor& x, Here here) { return apply_one(d::linalg_matrix_exp_default, {x}, here); }

}  // namespace sinter
