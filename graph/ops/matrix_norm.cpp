// What singular values tell of matrices: norms, condition, rank, pseudo-inverse.

#include <sinter/graph/ops/matrix_norm.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/functions/statistics.h>
#include <sinter/graph/ops/linear_system.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/reduce_rules.h>
#include <sinter/graph/ops/vector_norm.h>

#include <cmath>
#include <limits>

namespace sinter {

namespace {

namespace d = op_defs;

// --- Norms of matrices ------------------------------------------------------------------------------------------

// The norm is asked for by a number (1, 2, infinity and their negatives) or by a name.
struct Order {
  double number = 2;
  std::string name;  // "fro", "nuc" or empty
};

Order order_of(const OpArgs& args, const Value& value) {
  Order order;
  if (value.is_string()) {
    order.name = value.string();
    if (order.name != "fro" && order.name != "nuc")
      args.fail(ErrorKind::argument, fmt::format("order {}", order.name), "need fro, nuc or a number");
    return order;
  }
  order.number = value.scalar().to_double();
  double size = std::abs(order.number);
  if (size != 1 && size != 2 && !std::isinf(size))
    args.fail(ErrorKind::argument, fmt::format("order {}", order.number),
              "need 1, 2, infinity or one of -1, -2, -infinity");
  return order;
}

bool is_spectral(const Order& order) {
  return order.name == "nuc" || (order.name.empty() && std::abs(order.number) == 2);
}

// What is reduced over no elements is 0, as in ATen.
Tensor extreme(const Tensor& x, bool greatest, Here here) {
  if (x.size(-1) == 0) return zeros(leading(x.sizes(), x.dim() - 1), x.dtype(), here);
  return greatest ? amax(x, {-1}, false, here) : amin(x, {-1}, false, here);
}

// Of the last two dims.
Tensor norm_of_matrices(const OpArgs& args, const Tensor& x, const Order& order) {
  Here here = args.here();
  if (order.name == "fro") return linalg_vector_norm(x, 2, {-2, -1}, false, here);
  if (is_spectral(order)) {
    check_factorisable(args, x.meta());
    Tensor values = linalg_svdvals(x, here);
    if (order.name == "nuc") return sum(values, {-1}, false, {}, here);
    return extreme(values, order.number > 0, here);
  }
  DType wide = compute_type(x.dtype());
  int64_t summed = std::isinf(order.number) ? -1 : -2;
  Tensor sums = sum(abs(x.to(wide, here), here), {summed}, false, {}, here);
  return extreme(sums, order.number > 0, here).to(x.dtype(), here);
}

// x in the type asked for, which must hold its own.
Tensor in_asked_type(const OpArgs& args, const Tensor& x) {
  DType dtype = asked_type(args).value_or(x.dtype());
  if (!is_floating(x.dtype()) || !is_floating(dtype)) fail_for_type(args, is_floating(x.dtype()) ? dtype : x.dtype());
  if (promote(x.dtype(), dtype) != dtype)
    args.fail(ErrorKind::dtype, fmt::format("a norm of {} in {}", name(x.dtype()), name(dtype)),
              "ask for a dtype that holds self's");
  return x.to(dtype, args.here());
}

Tensor matrix_norm_along(const OpArgs& args, const Tensor& self, const Order& order, const Dims& asked, bool keepdim) {
  Here here = args.here();
  if (self.dim() < 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()), "need at least 2 dims");
  if (asked.size() != 2) args.fail(ErrorKind::argument, fmt::format("{} dims", asked.size()), "need 2");
  Dims dims = wrap_dims(args, asked, self.dim()), order_of_dims;
  for (int64_t i = 0; i < self.dim(); ++i)
    if (i != dims[0] && i != dims[1]) order_of_dims.push_back(i);
  for (int64_t dim : dims) order_of_dims.push_back(dim);
  Tensor norm = norm_of_matrices(args, in_asked_type(args, self).permute(order_of_dims, here), order);
  if (!keepdim) return norm;
  return norm.unsqueeze(std::min(dims[0], dims[1]), here).unsqueeze(std::max(dims[0], dims[1]), here);
}

Values run_matrix_norm(const OpArgs& args) {
  Order order = order_of(args, args["ord"]);
  return {matrix_norm_along(args, args.tensor(0), order, args.dims("dim"), args.flag("keepdim"))};
}

// Without an order: of all elements as a vector. Else of vectors or matrices, as there are one or two dims.
Values run_norm(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  const Value& order = args["ord"];
  std::optional<Dims> dims;
  if (!args["dim"].is_none()) dims = args.dims("dim");
  if (!order.is_none() && dims && dims->size() != 1 && dims->size() != 2)
    args.fail(ErrorKind::argument, fmt::format("{} dims", dims->size()), "need one for vectors or two for matrices");
  if (!order.is_none() && !dims && self.dim() != 1 && self.dim() != 2)
    args.fail(ErrorKind::shape, fmt::format("a tensor of rank {}", self.dim()), "need 1 or 2 dims, or a dim argument");
  bool is_matrix = !order.is_none() && (dims ? dims->size() == 2 : self.dim() == 2);
  if (is_matrix)
    return {matrix_norm_along(args, self, order_of(args, order), dims.value_or(Dims{0, 1}), args.flag("keepdim"))};
  if (order.is_string())
    args.fail(ErrorKind::argument, fmt::format("order {} of vectors", order.string()), "need a number");
  return apply(d::linalg_vector_norm_default,
               {self, order.is_none() ? Value(2) : order, args["dim"], args["keepdim"], args["dtype"]}, here);
}

Values run_nuclear_norm(const OpArgs& args) {
  Order order;
  order.name = "nuc";
  Dims dims = args.op().schema().find("dim") < 0 ? Dims{-2, -1} : args.dims("dim");
  return {matrix_norm_along(args, args.tensor(0), order, dims, args.flag("keepdim"))};
}

// --- Condition --------------------------------------------------------------------------------------------------

// For other norms than the spectral ones: by the inverse, and infinite where there is none.
Tensor condition_by_inverse(const OpArgs& args, const Tensor& self, const Order& order) {
  Here here = args.here();
  check_square(args, self.layout());
  Values inverse = apply(d::linalg_inv_ex_default, {self}, here);
  Tensor condition = norm_of_matrices(args, self, order) * norm_of_matrices(args, inverse[0].tensor(), order);
  Tensor is_regular = eq(inverse[1].tensor(), Scalar(0), here);
  return where(is_regular, condition, Scalar(std::numeric_limits<double>::infinity()), here);
}

Values run_cond(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  check_factorisable(args, self.meta());
  Order order = order_of(args, args["p"].is_none() ? Value(2) : args["p"]);
  if (self.numel() == 0) return {zeros(batch_of(self.sizes()), self.dtype(), here)};
  if (!order.name.empty() || std::abs(order.number) != 2) return {condition_by_inverse(args, self, order)};
  Tensor values = linalg_svdvals(self, here);
  Tensor greatest = extreme(values, true, here), smallest = extreme(values, false, here);
  return {order.number > 0 ? greatest / smallest : smallest / greatest};
}

// --- Rank and pseudo-inverse ------------------------------------------------------------------------------------

// Singular values up to max(atol, rtol * the greatest) count as 0. By default atol is 0, and rtol the type's precision
// times the longer side, or 0 where there is an atol.
struct Tolerance {
  Value absolute, relative;  // a number or a tensor, none: the default
};

Tensor threshold_of(const Tensor& self, const Tensor& greatest, const Tolerance& tolerance, Here here) {
  double precision =
      self.dtype() == DType::f64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  double usual = precision * static_cast<double>(max(self.size(-2), self.size(-1)).constant());
  auto as_tensor = [&](const Value& value) {
    return value.is_tensor() ? value.tensor().to(greatest.dtype(), here)
                             : full({}, value.scalar(), greatest.dtype(), here);
  };
  Tensor absolute = as_tensor(tolerance.absolute.is_none() ? Value(0.0) : tolerance.absolute), relative;
  if (!tolerance.relative.is_none())
    relative = as_tensor(tolerance.relative);
  else if (tolerance.absolute.is_none())
    relative = as_tensor(Value(usual));
  else
    relative = where(gt(absolute, Scalar(0.0), here), Scalar(0.0), as_tensor(Value(usual)), here);
  return maximum(absolute, relative * greatest, here);
}

// How the op calls its tolerances: atol and rtol, or tol (absolute), or rcond (relative).
Tolerance tolerance_of(const OpArgs& args) {
  const Schema& schema = args.op().schema();
  if (schema.find("tol") >= 0) return {args["tol"], Value(0.0)};
  if (schema.find("rcond") >= 0) return {Value(0.0), args["rcond"]};
  return {args["atol"], args["rtol"]};
}

bool is_hermitian(const OpArgs& args) { return args.op().schema().find("hermitian") >= 0 && args.flag("hermitian"); }

Values run_matrix_rank(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  check_factorisable(args, self.meta());
  if (self.numel() == 0) return {zeros(batch_of(self.sizes()), DType::i64, here)};
  Tensor values = is_hermitian(args) ? abs(linalg_eigvalsh(self, "L", here), here) : linalg_svdvals(self, here);
  Tensor threshold = threshold_of(self, extreme(values, true, here), tolerance_of(args), here);
  return {sum(gt(values, threshold.unsqueeze(-1, here), here), {-1}, false, {}, here)};
}

// 1 / value, and 0 for what counts as 0.
Tensor inverted(const Tensor& values, const Tensor& threshold, Here here) {
  Tensor counts = gt(abs(values, here), threshold.unsqueeze(-1, here), here);
  return where(counts, reciprocal(values, here), Scalar(0.0), here);
}

Values run_pinv(const OpArgs& args) {
  Tensor self = args.tensor(0);
  Here here = args.here();
  check_factorisable(args, self.meta());
  SymDims sizes = joined(batch_of(self.sizes()), {self.size(-1), self.size(-2)});
  if (self.numel() == 0) return {zeros(sizes, self.dtype(), here)};
  Tensor left, values, right;  // self = left @ diagonal(values) @ right
  if (is_hermitian(args)) {
    check_square(args, self.layout());
    std::tie(values, left) = linalg_eigh(self, "L", here);
    right = swapped(left, here);
  } else {
    std::tie(left, values, right) = linalg_svd(self, false, here);
  }
  Tensor greatest = extreme(is_hermitian(args) ? abs(values, here) : values, true, here);
  Tensor factors = inverted(values, threshold_of(self, greatest, tolerance_of(args), here), here);
  return {matmul(swapped(right, here) * factors.unsqueeze(-2, here), swapped(left, here), here)};
}

}  // namespace

namespace op_defs {

constinit const OpDef linalg_matrix_norm_default = decomposed(
    "aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? "
    "dtype=None) -> Tensor",
    run_matrix_norm);
constinit const OpDef linalg_matrix_norm_str_ord = decomposed(
    "aten::linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2, -1], bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    run_matrix_norm);
constinit const OpDef linalg_norm_default = decomposed(
    "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor",
    run_norm);
constinit const OpDef linalg_norm_ord_str = decomposed(
    "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor",
    run_norm);
constinit const OpDef nuclear_norm_default =
    decomposed("aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", run_nuclear_norm);
constinit const OpDef nuclear_norm_dim =
    decomposed("aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", run_nuclear_norm);

constinit const OpDef linalg_cond_default =
    decomposed("aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor", run_cond);
constinit const OpDef linalg_cond_p_str = decomposed("aten::linalg_cond.p_str(Tensor self, str p) -> Tensor", run_cond);

constinit const OpDef linalg_matrix_rank_default =
    decomposed("aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor", run_matrix_rank);
constinit const OpDef linalg_matrix_rank_tol_tensor = decomposed(
    "aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor", run_matrix_rank);
constinit const OpDef linalg_matrix_rank_atol_rtol_float = decomposed(
    "aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
    "hermitian=False) -> Tensor",
    run_matrix_rank);
constinit const OpDef linalg_matrix_rank_atol_rtol_tensor = decomposed(
    "aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool "
    "hermitian=False) -> Tensor",
    run_matrix_rank);
constinit const OpDef linalg_pinv_default =
    decomposed("aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", run_pinv);
constinit const OpDef linalg_pinv_rcond_tensor =
    decomposed("aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor", run_pinv);
constinit const OpDef linalg_pinv_atol_rtol_float = decomposed(
    "aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> "
    "Tensor",
    run_pinv);
constinit const OpDef linalg_pinv_atol_rtol_tensor = decomposed(
    "aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) "
    "-> Tensor",
    run_pinv);
constinit const OpDef pinverse_default =
    decomposed("aten::pinverse(Tensor self, float rcond=1e-15) -> Tensor", run_pinv);

}  // namespace op_defs

Tensor linalg_matrix_rank(const Tensor& x, std::optional<double> atol, std::optional<double> rtol, bool hermitian,
                          Here here) {
  return apply_one(d::linalg_matrix_rank_atol_rtol_float,
                   {x, atol ? Value(*atol) : Value(), rtol ? Value(*rtol) : Value(), hermitian}, here);
}
Tensor linalg_pinv(const Tensor& x, std::optional<double> atol, std::optional<double> rtol, bool hermitian, Here here) {
  return apply_one(d::linalg_pinv_atol_rtol_float,
                   {x, atol ? Value(*atol) : Value(), rtol ? Value(*rtol) : Value(), hermitian}, here);
}
Tensor linalg_cond(const Tensor& x, std::optional<Scalar> p, Here here) {
  return apply_one(d::linalg_cond_default, {x, p}, here);
}
Tensor linalg_cond(const Tensor& x, const char* p, Here here) { return apply_one(d::linalg_cond_p_str, {x, p}, here); }
Tensor linalg_matrix_norm(const Tensor& x, Scalar ord, Dims dims, bool keepdim, Here here) {
  return apply_one(d::linalg_matrix_norm_default, {x, ord, dims, keepdim}, here);
}
Tensor linalg_matrix_norm(const Tensor& x, const char* ord, Dims dims, bool keepdim, Here here) {
  return apply_one(d::linalg_matrix_norm_str_ord, {x, ord, dims, keepdim}, here);
}

}  // namespace sinter
