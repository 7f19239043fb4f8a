// Products made of mm and bmm, or of a multiplication and a sum that fuse: sums with a product, vectors, chains,
// powers.

#include <sinter/graph/ops/product.h>

#include <sinter/graph/ops/contraction.h>
#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/plain_number.h>

#include <algorithm>
#include <limits>

namespace sinter {

namespace {

// --- Sums with a product ----------------------------------------------------------------------------------------

// The result [batch, n, p], or [n, p] if the batch is summed.
Metas batch_sum_meta(const OpArgs& args, bool sums_batch) {
  check_rank(args, "batch1", 3);
  check_rank(args, "batch2", 3);
  TensorMeta self = args.meta(0), a = args.meta(1), b = args.meta(2);
  if (!(a.layout.sizes[0] == b.layout.sizes[0]))
    args.fail(ErrorKind::shape,
              fmt::format("batch sizes differ ({} vs {})", to_string(a.layout.sizes[0]), to_string(b.layout.sizes[0])));
  check_inner(args, a.layout.sizes[2], b.layout.sizes[1]);
  check_sum_with_product(args, self, a, b);
  SymDims sizes = {a.layout.sizes[1], b.layout.sizes[2]};
  if (!sums_batch) sizes.insert(sizes.begin(), a.layout.sizes[0]);
  check_expands(args, self.layout, sizes);
  return {{a.dtype, a.device, contiguous_layout(sizes)}};
}

Metas baddbmm_meta(const OpArgs& args) { return batch_sum_meta(args, false); }
Metas addbmm_meta(const OpArgs& args) { return batch_sum_meta(args, true); }

Values run_baddbmm(const OpArgs& args) {
  return {sum_with_product(args, args.tensor(0), wide_bmm(args.tensor(1), args.tensor(2), args.here()))};
}

// One product: the batch becomes a part of the inner dim.
Values run_addbmm(const OpArgs& args) {
  Tensor a = args.tensor(1), b = args.tensor(2);
  Here here = args.here();
  SymInt inner = a.size(0) * a.size(2);
  Tensor left = a.permute({1, 0, 2}, here).reshape({a.size(1), inner}, here);
  Tensor right = b.reshape({inner, b.size(2)}, here);
  return {sum_with_product(args, args.tensor(0), wide_mm(left, right, here))};
}

// The matrix in slot `matrix` and the vector behind it.
void check_matrix_and_vector(const OpArgs& args, int matrix) {
  const Schema& schema = args.op().schema();
  check_rank(args, schema.name == "mv" ? "self" : "mat", 2);
  check_rank(args, "vec", 1);
  check_inner(args, args.tensor(matrix).size(1), args.tensor(matrix + 1).size(0));
}

// In compute type. A reduction, as it is bound by memory and fuses with its neighbours.
Tensor wide_mv(const Tensor& matrix, const Tensor& vector, Here here) {
  DType wide = compute_type(matrix.dtype());
  return sum(mul(matrix.to(wide, here), vector.to(wide, here), here), {1}, false, wide, here);
}

Metas addmv_meta(const OpArgs& args) {
  check_matrix_and_vector(args, 1);
  TensorMeta self = args.meta(0), matrix = args.meta(1);
  check_sum_with_product(args, self, matrix, args.meta(2));
  SymDims sizes = {matrix.layout.sizes[0]};
  check_expands(args, self.layout, sizes);
  return {{matrix.dtype, matrix.device, contiguous_layout(sizes)}};
}

Values run_addmv(const OpArgs& args) {
  return {sum_with_product(args, args.tensor(0), wide_mv(args.tensor(1), args.tensor(2), args.here()))};
}

// For bool, + is "or" and * is "and"; other types are promoted. Each step is rounded to the type, as in ATen's kernel.
Values run_addr(const OpArgs& args) {
  check_rank(args, "vec1", 1);
  check_rank(args, "vec2", 1);
  Here here = args.here();
  TypedOperand operands[] = {args.typed(0), args.typed(1), args.typed(2)};
  DType dtype = result_type(operands);
  Tensor self = args.tensor(0).to(dtype, here), rows = args.tensor(1).to(dtype, here).unsqueeze(1, here),
         columns = args.tensor(2).to(dtype, here);
  check_factor(args, "beta", dtype);
  check_factor(args, "alpha", dtype);
  check_expands(args, self.layout(), {rows.size(0), columns.size(0)});
  auto factor = [&](std::string_view parameter) { return full({}, args.scalar(parameter), dtype, here); };
  bool adds_self = !args.asks(graph::NumberQuestion::is_zero, "beta");
  auto is_one = [&](std::string_view parameter) {
    Scalar number = args.scalar(parameter);
    return is_plain(number) && number.to_double() == 1;
  };
  if (dtype == DType::boolean) {
    Tensor product = logical_and(logical_and(rows, factor("alpha"), here), columns, here);
    return {contiguous(adds_self ? logical_or(product, self, here) : product, here)};
  }
  Tensor product = is_one("alpha") ? rows * columns : factor("alpha") * rows * columns;
  if (adds_self) product = (is_one("beta") ? self : factor("beta") * self) + product;
  return {contiguous(product, here)};
}

// --- Vectors ----------------------------------------------------------------------------------------------------

Metas mv_meta(const OpArgs& args) {
  check_matrix_and_vector(args, 0);
  TensorMeta self = args.meta(0);
  check_types(args, self, args.meta(1));
  check_number_type(args, self.dtype);
  return {{self.dtype, self.device, contiguous_layout({self.layout.sizes[0]})}};
}

Values run_mv(const OpArgs& args) {
  return {wide_mv(args.tensor(0), args.tensor(1), args.here()).to(args.meta(0).dtype, args.here())};
}

Metas dot_meta(const OpArgs& args) {
  TensorMeta a = args.meta(0), b = args.meta(1);
  if (a.layout.rank() != 1 || b.layout.rank() != 1)
    args.fail(ErrorKind::shape, fmt::format("tensors of {} and {} dims", a.layout.rank(), b.layout.rank()),
              "need two vectors");
  check_inner(args, a.layout.sizes[0], b.layout.sizes[0]);
  check_types(args, a, b);
  check_number_type(args, a.dtype);
  return {{a.dtype, a.device, {}}};
}

// The sum of products along a dim, rounded once.
Tensor dot_along(const Tensor& a, const Tensor& b, int64_t dim, Here here) {
  DType wide = compute_type(a.dtype());
  return sum(mul(a.to(wide, here), b.to(wide, here), here), {dim}, false, wide, here).to(a.dtype(), here);
}

Values run_dot(const OpArgs& args) { return {dot_along(args.tensor(0), args.tensor(1), 0, args.here())}; }

Values run_vecdot(const OpArgs& args) {
  Tensor x = args.tensor(0), y = args.tensor(1);
  if (!is_floating(x.dtype())) fail_for_type(args, x.dtype());
  check_types(args, x.meta(), y.meta());
  return {dot_along(x, y, args.integer("dim"), args.here())};
}

Values run_outer(const OpArgs& args) {
  check_rank(args, "self", 1);
  check_rank(args, "vec2", 1);
  return {mul(args.tensor(0).unsqueeze(1, args.here()), args.tensor(1), args.here())};
}

Values run_inner(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  if (a.dim() == 0 || b.dim() == 0) return {mul(a, b, args.here())};
  check_inner(args, a.size(-1), b.size(-1));
  return {tensordot(a, b, {-1}, {-1}, args.here())};
}

// Element (i, j) of a times element (k, l) of b stands at (i * rows of b + k, ...).
Values run_kron(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  int64_t rank = std::max(a.dim(), b.dim());
  auto size_at = [&](const Tensor& x, int64_t dim) {
    int64_t own = dim - (rank - x.dim());
    return own < 0 ? SymInt(1) : x.sizes()[own];
  };
  SymDims left, right, sizes;
  for (int64_t dim = 0; dim < rank; ++dim) {
    SymInt outer = size_at(a, dim), inner = size_at(b, dim);
    left.push_back(outer);
    left.push_back(1);
    right.push_back(1);
    right.push_back(inner);
    sizes.push_back(outer * inner);
  }
  Here here = args.here();
  return {mul(a.reshape(left, here), b.reshape(right, here), here).reshape(sizes, here)};
}

// --- Chains and powers ------------------------------------------------------------------------------------------

// The cheapest order of a chain of matrices: the last product of matrices i .. j is behind matrix split[i][j].
std::vector<std::vector<size_t>> best_splits(const std::vector<Tensor>& matrices) {
  size_t n = matrices.size();
  auto rows = [&](size_t i) { return static_cast<double>(matrices[i].size(0).constant()); };
  auto columns = [&](size_t i) { return static_cast<double>(matrices[i].size(1).constant()); };
  std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
  std::vector<std::vector<size_t>> split(n, std::vector<size_t>(n, 0));
  for (size_t length = 1; length < n; ++length) {
    for (size_t i = 0; i + length < n; ++i) {
      size_t j = i + length;
      cost[i][j] = std::numeric_limits<double>::infinity();
      for (size_t k = i; k < j; ++k) {
        double here = cost[i][k] + cost[k + 1][j] + rows(i) * columns(k) * columns(j);
        if (here < cost[i][j]) {
          cost[i][j] = here;
          split[i][j] = k;
        }
      }
    }
  }
  return split;
}

Tensor product_of(const std::vector<Tensor>& matrices, const std::vector<std::vector<size_t>>& split, size_t i,
                  size_t j, Here here) {
  if (i == j) return matrices[i];
  size_t k = split[i][j];
  return mm(product_of(matrices, split, i, k, here), product_of(matrices, split, k + 1, j, here), here);
}

Tensor chain_product(const OpArgs& args, const std::vector<Tensor>& matrices) {
  for (size_t i = 0; i + 1 < matrices.size(); ++i) {
    check_inner(args, matrices[i].size(1), matrices[i + 1].size(0));
    check_types(args, matrices[i].meta(), matrices[i + 1].meta());
  }
  return product_of(matrices, best_splits(matrices), 0, matrices.size() - 1, args.here());
}

void check_matrix(const OpArgs& args, const Tensor& x, size_t position) {
  if (x.dim() != 2)
    args.fail(ErrorKind::shape, fmt::format("tensor {} of the chain has {} dims", position, x.dim()), "need 2 dims");
}

// The first and the last may be vectors.
Values run_multi_dot(const OpArgs& args) {
  std::vector<Tensor> matrices = args.tensors("tensors");
  Here here = args.here();
  if (matrices.size() < 2)
    args.fail(ErrorKind::argument, fmt::format("a chain of {} tensors", matrices.size()), "need at least 2");
  bool drops_rows = matrices.front().dim() == 1, drops_columns = matrices.back().dim() == 1;
  if (drops_rows) matrices.front() = matrices.front().unsqueeze(0, here);
  if (drops_columns) matrices.back() = matrices.back().unsqueeze(1, here);
  for (size_t i = 0; i < matrices.size(); ++i) check_matrix(args, matrices[i], i);
  Tensor product = chain_product(args, matrices);
  if (drops_columns) product = product.squeeze(-1, here);
  if (drops_rows) product = product.squeeze(0, here);
  return {product};
}

Values run_chain_matmul(const OpArgs& args) {
  std::vector<Tensor> matrices = args.tensors("matrices");
  if (matrices.empty()) args.fail(ErrorKind::argument, "a chain of no matrices", "need at least 1");
  for (size_t i = 0; i < matrices.size(); ++i) check_matrix(args, matrices[i], i);
  return {chain_product(args, matrices)};
}

// By squaring.
Values run_matrix_power(const OpArgs& args) {
  Tensor base = args.tensor(0);
  Here here = args.here();
  int64_t n = args.integer("n");
  if (base.dim() < 2 || !(base.size(-1) == base.size(-2)))
    args.fail(ErrorKind::shape, fmt::format("sizes {}", to_string(base.sizes())), "need square matrices");
  if (n == 0) {
    Tensor one = apply_one(op_defs::eye_default, {base.size(-1), base.dtype()}, here);
    return {clone_contiguous(one.expand(base.sizes(), here), here)};
  }
  if (n < 0) base = linalg_inv(base, here);
  uint64_t exponent = n < 0 ? uint64_t{0} - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  if (exponent == 1) return {n < 0 ? base : clone_contiguous(base, here)};
  Tensor power;
  for (Tensor square = base;; square = matmul(square, square, here)) {
    if (exponent & 1) power = power.defined() ? matmul(power, square, here) : square;
    exponent >>= 1;
    if (exponent == 0) return {power};
  }
}

}  // namespace

namespace op_defs {

constinit const OpDef baddbmm_default =
    decomposed("aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
               run_baddbmm, baddbmm_meta);
constinit const OpDef baddbmm_inplace_default = inplace(
    "aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
    baddbmm_default);
constinit const OpDef addbmm_default =
    decomposed("aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
               run_addbmm, addbmm_meta);
constinit const OpDef addbmm_inplace_default = inplace(
    "aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
    addbmm_default);
constinit const OpDef addmv_default =
    decomposed("aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
               run_addmv, addmv_meta);
constinit const OpDef addmv_inplace_default =
    inplace("aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
            addmv_default);
constinit const OpDef addr_default = decomposed(
    "aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", run_addr);
constinit const OpDef addr_inplace_default =
    inplace("aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
            addr_default);

constinit const OpDef mv_default = decomposed("aten::mv(Tensor self, Tensor vec) -> Tensor", run_mv, mv_meta);
constinit const OpDef dot_default = decomposed("aten::dot(Tensor self, Tensor tensor) -> Tensor", run_dot, dot_meta);
constinit const OpDef vdot_default = decomposed("aten::vdot(Tensor self, Tensor other) -> Tensor", run_dot, dot_meta);
constinit const OpDef linalg_vecdot_default =
    decomposed("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", run_vecdot);
constinit const OpDef outer_default = decomposed("aten::outer(Tensor self, Tensor vec2) -> Tensor", run_outer);
constinit const OpDef ger_default = decomposed("aten::ger(Tensor self, Tensor vec2) -> Tensor", run_outer);
constinit const OpDef inner_default = decomposed("aten::inner(Tensor self, Tensor other) -> Tensor", run_inner);
constinit const OpDef kron_default = decomposed("aten::kron(Tensor self, Tensor other) -> Tensor", run_kron);

constinit const OpDef linalg_multi_dot_default =
    composite("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor", run_multi_dot);
// The product of one matrix is that matrix itself.
constinit const OpDef chain_matmul_default =
    composite("aten::chain_matmul(Tensor[] matrices) -> Tensor", run_chain_matmul);
constinit const OpDef linalg_matrix_power_default =
    composite("aten::linalg_matrix_power(Tensor self, int n) -> Tensor", run_matrix_power);
constinit const OpDef matrix_power_default =
    composite("aten::matrix_power(Tensor self, int n) -> Tensor", run_matrix_power);

}  // namespace op_defs

Tensor baddbmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha, Here here) {
  return apply_one(op_defs::baddbmm_default, {self, a, b, beta, alpha}, here);
}
Tensor addbmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha, Here here) {
  return apply_one(op_defs::addbmm_default, {self, a, b, beta, alpha}, here);
}
Tensor addmv(const Tensor& self, const Tensor& matrix, const Tensor& vector, Scalar beta, Scalar alpha, Here here) {
  return apply_one(op_defs::addmv_default, {self, matrix, vector, beta, alpha}, here);
}
Tensor addr(const Tensor& self, const Tensor& rows, const Tensor& columns, Scalar beta, Scalar alpha, Here here) {
  return apply_one(op_defs::addr_default, {self, rows, columns, beta, alpha}, here);
}
Tensor mv(const Tensor& matrix, const Tensor& vector, Here here) {
  return apply_one(op_defs::mv_default, {matrix, vector}, here);
}
Tensor dot(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::dot_default, {a, b}, here); }
Tensor vdot(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::vdot_default, {a, b}, here); }
Tensor linalg_vecdot(const Tensor& a, const Tensor& b, int64_t dim, Here here) {
  return apply_one(op_defs::linalg_vecdot_default, {a, b, dim}, here);
}
Tensor outer(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::outer_default, {a, b}, here); }
Tensor inner(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::inner_default, {a, b}, here); }
Tensor kron(const Tensor& a, const Tensor& b, Here here) { return apply_one(op_defs::kron_default, {a, b}, here); }
Tensor linalg_multi_dot(const std::vector<Tensor>& tensors, Here here) {
  return apply_one(op_defs::linalg_multi_dot_default, {tensors}, here);
}
Tensor linalg_matrix_power(const Tensor& x, int64_t n, Here here) {
  return apply_one(op_defs::linalg_matrix_power_default, {x, n}, here);
}

}  // namespace sinter
