// Factors, systems, norms and spectra of well-conditioned matrices.

#include "properties/plans/plans.h"

#include <limits>

namespace sinter::test {

namespace {

enum class Shape { general, symmetric, lower, upper };

// A stack of matrices with a heavy diagonal: far from singular, and positive definite if symmetric.
Known heavy_diagonal(Draw& draw, DType dtype, const Sizes& batch, int64_t rows, int64_t columns, Shape shape) {
  int64_t count = 1;
  for (int64_t size : batch) count *= size;
  std::vector<double> elements;
  for (int64_t matrix = 0; matrix < count; ++matrix) {
    std::vector<double> values(rows * columns);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        double value = draw.random.unit() - 0.5;
        if (i == j) value += 3 + static_cast<double>(i) / 4;
        if (shape == Shape::symmetric && j < i) value = values[j * columns + i];
        if ((shape == Shape::lower && j > i) || (shape == Shape::upper && j < i)) value = 0;
        values[i * columns + j] = value;
      }
    elements.insert(elements.end(), values.begin(), values.end());
  }
  Sizes sizes = batch;
  sizes.insert(sizes.end(), {rows, columns});
  return draw.tensor(dtype, sizes, elements);
}

Sizes batch_of(Draw& draw) {
  Sizes batch = draw.small_sizes(0, 2, 2);
  return draw.random.chance(0.6) ? Sizes{} : batch;
}

Sizes with(Sizes batch, std::initializer_list<int64_t> sizes) {
  batch.insert(batch.end(), sizes);
  return batch;
}

DType matrix_type(Draw& draw) { return draw.dtype(Types::matrix); }
int64_t side(Draw& draw) { return draw.random.between(1, 5); }

void plan_square(Draw& draw) {
  int64_t n = side(draw);
  draw.set_first(heavy_diagonal(draw, matrix_type(draw), batch_of(draw), n, n, Shape::general));
  draw.set("check_errors", Value(false));
  draw.set("pivot", Value(true));
}

void plan_square_pair(Draw& draw) {
  int64_t n = side(draw);
  Known self = heavy_diagonal(draw, matrix_type(draw), batch_of(draw), n, n, Shape::general);
  draw.set_first(self);
  draw.set("grad", draw.tensor(self.dtype(), self.sizes()));
}

void plan_symmetric(Draw& draw) {
  int64_t n = side(draw);
  draw.set_first(heavy_diagonal(draw, matrix_type(draw), batch_of(draw), n, n, Shape::symmetric));
  draw.set("check_errors", Value(false));
  draw.set("UPLO", Value(draw.flag() ? "L" : "U"));
}

void plan_rectangle(Draw& draw) {
  draw.set_first(heavy_diagonal(draw, matrix_type(draw), batch_of(draw), side(draw), side(draw), Shape::general));
  draw.set("mode", Value(draw.random.pick({"reduced", "complete", "r"})));
  draw.set("driver", Value());
}

void plan_system(Draw& draw) {
  DType dtype = matrix_type(draw);
  Sizes batch = batch_of(draw);
  int64_t n = side(draw), columns = side(draw);
  bool left = !draw.has("left") || draw.flag();
  draw.set("A", heavy_diagonal(draw, dtype, batch, n, n, Shape::general));
  draw.set("B", draw.tensor(dtype, left ? with(batch, {n, columns}) : with(batch, {columns, n})));
  draw.set("left", Value(left));
  draw.set("check_errors", Value(false));
}

void plan_triangular(Draw& draw) {
  DType dtype = matrix_type(draw);
  Sizes batch = batch_of(draw);
  int64_t n = side(draw), columns = side(draw);
  bool upper = draw.flag(), left = !draw.has("left") || draw.flag();
  Known triangle = heavy_diagonal(draw, dtype, batch, n, n,
                                  draw.random.chance(0.8) ? upper ? Shape::upper : Shape::lower : Shape::general);
  Known right = draw.tensor(dtype, left ? with(batch, {n, columns}) : with(batch, {columns, n}));
  draw.set("self", draw.has("A") ? right : triangle);
  draw.set("A", triangle);
  draw.set("B", right);
  draw.set("upper", Value(upper));
  draw.set("left", Value(left));
}

void plan_cholesky(Draw& draw) {
  DType dtype = matrix_type(draw);
  Sizes batch = batch_of(draw);
  int64_t n = side(draw);
  bool upper = draw.flag();
  Known factor = heavy_diagonal(draw, dtype, batch, n, n, upper ? Shape::upper : Shape::lower);
  bool solves = draw.has("input2");
  draw.set("self", solves ? draw.tensor(dtype, with(batch, {n, side(draw)})) : factor);
  draw.set("input2", factor);
  draw.set("upper", Value(upper));
}

void plan_lu(Draw& draw) {
  DType dtype = matrix_type(draw);
  Sizes batch = batch_of(draw);
  bool is_square = draw.op.schema().name != "lu_unpack";
  int64_t n = side(draw), columns = is_square ? n : side(draw);
  Known A = heavy_diagonal(draw, dtype, batch, n, columns, Shape::general);
  auto factors = draw.call("aten::linalg_lu_factor", {A.operand});
  draw.set("LU", factors[0]);
  draw.set("LU_data", factors[0]);
  draw.set("pivots", factors[1]);
  draw.set("LU_pivots", factors[1]);
  bool left = !draw.has("left") || draw.flag();
  Sizes right = left ? with(batch, {n, side(draw)}) : with(batch, {side(draw), n});
  draw.set("left", Value(left));
  draw.set("B", draw.tensor(dtype, right));
  draw.set("self", draw.tensor(dtype, right));
}

void plan_tensor_inverse(Draw& draw) {
  int64_t n = draw.random.pick({4, 6});
  Known square = heavy_diagonal(draw, matrix_type(draw), {}, n, n, Shape::general);
  Known cube = draw.call("aten::reshape", {square.operand, operand(Sizes{2, n / 2, n})})[0];
  draw.set_first(cube);
  draw.set("ind", Value(2));
  draw.set("other", draw.tensor(square.dtype(), {2, n / 2}));
  draw.set("dims", Value());
}

void plan_reflectors(Draw& draw) {
  DType dtype = matrix_type(draw);
  Sizes batch = batch_of(draw);
  int64_t columns = side(draw), rows = columns + draw.random.between(0, 2);
  Known A = heavy_diagonal(draw, dtype, batch, rows, columns, Shape::general);
  auto factors = draw.call("aten::geqrf", {A.operand});
  draw.set_first(factors[0]);
  draw.set("tau", factors[1]);
  draw.set("input2", factors[1]);
  if (!draw.has("input3")) return;
  bool left = draw.flag();
  draw.set("left", Value(left));
  draw.set("input3", draw.tensor(dtype, left ? with(batch, {rows, side(draw)}) : with(batch, {side(draw), rows})));
}

void plan_least_squares(Draw& draw) {
  DType dtype = matrix_type(draw);
  Sizes batch = batch_of(draw);
  int64_t columns = side(draw), rows = columns + draw.random.between(0, 3);
  draw.set("self", heavy_diagonal(draw, dtype, batch, rows, columns, Shape::general));
  draw.set("b", draw.tensor(dtype, with(batch, {rows, side(draw)})));
  draw.set("rcond", Value());
  draw.set("driver", draw.flag() ? Value() : Value(draw.random.pick({"gels", "gelsy", "gelsd", "gelss"})));
}

void plan_norm(Draw& draw) {
  Known self = heavy_diagonal(draw, matrix_type(draw), batch_of(draw), side(draw), side(draw), Shape::general);
  draw.set_first(self);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const char* name : {"ord", "p"}) {
    if (!draw.has(name)) continue;
    if (draw.parameter(name).type == ArgType::string)
      draw.set(name, Value(draw.random.pick({"fro", "nuc"})));
    else
      draw.set(name, Value(draw.random.pick({1.0, -1.0, 2.0, -2.0, infinity, -infinity})));
  }
  draw.set("dim", draw.has("dim") && draw.random.chance(0.7) ? Value(Dims{-2, -1}) : Value(Dims{-1, -2}));
  if (draw.has("dtype")) draw.set("dtype", Value());
}

void plan_condition(Draw& draw) {
  int64_t n = side(draw);
  draw.set_first(heavy_diagonal(draw, matrix_type(draw), batch_of(draw), n, n, Shape::general));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (draw.parameter("p").type == ArgType::string)
    draw.set("p", Value(draw.random.pick({"fro", "nuc"})));
  else
    draw.set("p", draw.flag() ? Value() : Value(draw.random.pick({1.0, -1.0, 2.0, -2.0, infinity, -infinity})));
}

void plan_rank(Draw& draw) {
  int64_t n = side(draw);
  bool hermitian = draw.flag();
  Known self = heavy_diagonal(draw, matrix_type(draw), batch_of(draw), n, hermitian ? n : side(draw),
                              hermitian ? Shape::symmetric : Shape::general);
  draw.set_first(self);
  draw.set("hermitian", Value(hermitian));
  for (const char* name : {"tol", "rcond", "atol", "rtol"}) {
    if (!draw.has(name)) continue;
    if (draw.parameter(name).type == ArgType::tensor)
      draw.set(name, draw.tensor(self.dtype(), {}, std::vector<double>{0.01}));
    else
      draw.set(name, Value(draw.random.pick({1e-6, 0.01, 1e-15})));
  }
}

void plan_check(Draw& draw) {
  draw.set("info", draw.tensor(i32, draw.small_sizes(0, 2), std::function<double()>([] { return 0.0; })));
  draw.set("api_name", Value("linalg_inv"));
  draw.set("is_matrix", Value(draw.flag()));
}

constexpr PlanEntry plans[] = {
    {"linalg_lu_factor_ex linalg_lu_factor _lu_with_info linalg_lu _linalg_det linalg_det det _linalg_slogdet "
     "linalg_slogdet slogdet logdet linalg_inv_ex linalg_inv inverse linalg_matrix_exp matrix_exp",
     plan_square},
    {"matrix_exp_backward", plan_square_pair},
    {"linalg_cholesky_ex linalg_cholesky cholesky _linalg_eigh linalg_eigh linalg_eigvalsh linalg_matrix_sqrth",
     plan_symmetric},
    {"geqrf linalg_qr qr _linalg_svd linalg_svd linalg_svdvals svd pinverse", plan_rectangle},
    {"_linalg_solve_ex linalg_solve_ex linalg_solve", plan_system},
    {"linalg_solve_triangular triangular_solve", plan_triangular},
    {"cholesky_solve cholesky_inverse", plan_cholesky},
    {"linalg_lu_solve lu_solve lu_unpack", plan_lu},
    {"linalg_tensorinv linalg_tensorsolve", plan_tensor_inverse},
    {"linalg_householder_product orgqr ormqr", plan_reflectors},
    {"linalg_lstsq", plan_least_squares},
    {"linalg_matrix_norm linalg_norm nuclear_norm", plan_norm},
    {"linalg_cond", plan_condition},
    {"linalg_matrix_rank linalg_pinv", plan_rank},
    {"_linalg_check_errors", plan_check},
};

}  // namespace

std::span<const PlanEntry> matrix_plans() { return plans; }

}  // namespace sinter::test
