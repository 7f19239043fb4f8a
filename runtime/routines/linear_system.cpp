// Systems of equations: LU, inverse, Cholesky, triangular and least-squares solutions, by LAPACK.

#include <sinter/runtime/cpu/factorise_with_lapack.h>
#include <sinter/runtime/routines/matrix_stack.h>
#include <sinter/runtime/routines/routine.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace sinter::runtime::routines {

namespace {

double cube(double n) { return n * n * n; }

// x with its batch dims expanded to those of `like`, whose last `rank_like` dims are no batch.
Tensor with_batch(const Tensor& x, int64_t rank, const Tensor& like, int64_t rank_like) {
  SymDims sizes(like.sizes().begin(), like.sizes().end() - rank_like);
  for (int64_t i = x.dim() - rank; i < x.dim(); ++i) sizes.push_back(x.sizes()[i]);
  return x.expand(sizes);
}

// What it means in a function that an element of info is not 0.
std::string failure_text(const std::string& api, int info) {
  auto is_about = [&](const char* word) { return api.find(word) != std::string::npos; };
  if (is_about("cholesky")) return fmt::format("not positive definite: the leading minor of order {} is not", info);
  return fmt::format("singular: pivot {} is zero", info);
}

void check_infos(const Tensor& infos, const std::string& api, bool is_matrix, Here here) {
  MatrixStack stack(infos, 0);
  for (int64_t i = 0; i < stack.count(); ++i) {
    int failed = stack.read<int>(i)[0];
    if (failed == 0) continue;
    std::string which = is_matrix ? "the matrix is " : fmt::format("matrix {} of the batch is ", i);
    throw Error(ErrorKind::argument, here, fmt::format("{}: {}{}", api, which, failure_text(api, failed)));
  }
}

// For ops with a flag that asks for it.
void check_if_asked(const OpArgs& args, const Tensor& infos) {
  if (args.flag("check_errors"))
    check_infos(infos, std::string(args.op().schema().name), infos.dim() == 0, args.here());
}

}  // namespace

SINTER_ROUTINE(linalg_check_errors_default) {
  (void)results;
  check_infos(args[0].tensor(), args["api_name"].string(), args.flag("is_matrix"), args.here());
}

SINTER_ROUTINE(linalg_lu_factor_ex_default) {
  MatrixStack a(args[0].tensor()), lu(results[0]), pivots(results[1], 1), info(results[2], 0);
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), cube(a.rows()), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i);
      std::vector<int> swaps(std::max<size_t>(pivots.elements(), 1));
      int failed = lu_factor(a.rows(), a.columns(), matrix.data(), swaps.data());
      lu.write(i, matrix);
      pivots.write(i, swaps);
      info.write(i, &failed, 1);
    });
  });
  check_if_asked(args, results[2]);
}

namespace {

// LAPACK believes them.
void check_pivots(const OpArgs& args, const std::vector<int>& swaps, int rows) {
  for (size_t k = 0; k < static_cast<size_t>(rows); ++k)
    if (swaps[k] < 1 || swaps[k] > rows)
      args.fail(ErrorKind::argument, fmt::format("pivot {} is {}", k, swaps[k]),
                "need pivots between 1 and the number of rows");
}

}  // namespace

// b is brought to the form a x = b: for x a = b, everything is transposed.
SINTER_ROUTINE(linalg_lu_solve_default) {
  bool left = args.flag("left"), transposed = args.flag("adjoint") == left;
  Tensor result = left ? results[0] : results[0].transpose(-1, -2);
  Tensor right = with_batch(args["B"].tensor(), 2, results[0], 2);
  MatrixStack lu(with_batch(args["LU"].tensor(), 2, results[0], 2)), x(result),
      b(left ? right : right.transpose(-1, -2)), pivots(with_batch(args["pivots"].tensor(), 1, results[0], 2), 1);
  visit_factorised(result.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(x.count(), double(lu.elements()) * x.columns(), [&](int64_t i) {
      std::vector<T> factors = lu.read<T>(i), solution = b.read<T>(i);
      std::vector<int> swaps = pivots.read<int>(i);
      check_pivots(args, swaps, lu.rows());
      lu_solve(lu.rows(), b.columns(), factors.data(), swaps.data(), transposed, solution.data());
      x.write(i, solution);
    });
  });
}

SINTER_ROUTINE(linalg_inv_ex_default) {
  MatrixStack a(args[0].tensor()), inverse(results[0]), info(results[1], 0);
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), 2 * cube(a.rows()), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i);
      std::vector<int> swaps(static_cast<size_t>(std::max(a.rows(), 1)));
      int failed = lu_factor(a.rows(), a.rows(), matrix.data(), swaps.data());
      if (failed == 0) failed = lu_invert(a.rows(), matrix.data(), swaps.data());
      inverse.write(i, matrix);
      info.write(i, &failed, 1);
    });
  });
  check_if_asked(args, results[1]);
}

// Which row each row of the factors was before.
SINTER_ROUTINE(permutation_of_pivots_default) {
  MatrixStack pivots(args[0].tensor(), 1), permutation(results[0], 1);
  for (int64_t i = 0; i < pivots.count(); ++i) {
    std::vector<int> swaps = pivots.read<int>(i);
    std::vector<int64_t> rows(std::max<size_t>(permutation.elements(), 1));
    std::iota(rows.begin(), rows.end(), 0);
    for (int k = 0; k < pivots.rows(); ++k) {
      int64_t other = swaps[static_cast<size_t>(k)] - 1;
      if (other < 0 || other >= static_cast<int64_t>(rows.size()))
        args.fail(ErrorKind::argument, fmt::format("pivot {} is {}", k, other + 1),
                  "need pivots between 1 and the number of rows");
      std::swap(rows[static_cast<size_t>(k)], rows[static_cast<size_t>(other)]);
    }
    permutation.write(i, rows);
  }
}

// --- Cholesky ---------------------------------------------------------------------------------------------------

namespace {

// Zeros in the triangle that is not the factor's.
template <class T>
void clear_other_triangle(std::vector<T>& matrix, int n, bool upper) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (upper ? i > j : i < j) matrix[static_cast<size_t>(j) * n + i] = 0;
}

template <class T>
void mirror_triangle(std::vector<T>& matrix, int n, bool from_upper) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) {
      T &above = matrix[static_cast<size_t>(j) * n + i], &below = matrix[static_cast<size_t>(i) * n + j];
      (from_upper ? below : above) = from_upper ? above : below;
    }
}

}  // namespace

SINTER_ROUTINE(linalg_cholesky_ex_default) {
  MatrixStack a(args[0].tensor()), factor(results[0]), info(results[1], 0);
  bool upper = args.flag("upper");
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), cube(a.rows()) / 2, [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i);
      clear_other_triangle(matrix, a.rows(), upper);
      int failed = cholesky_factor(a.rows(), upper, matrix.data());
      factor.write(i, matrix);
      info.write(i, &failed, 1);
    });
  });
  check_if_asked(args, results[1]);
}

SINTER_ROUTINE(cholesky_inverse_default) {
  MatrixStack factor(args[0].tensor()), inverse(results[0]);
  bool upper = args.flag("upper");
  int zero_pivot = 0;
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < factor.count(); ++i) {
      std::vector<T> matrix = factor.read<T>(i);
      int failed = cholesky_invert(factor.rows(), upper, matrix.data());
      if (failed != 0 && zero_pivot == 0) zero_pivot = failed;
      mirror_triangle(matrix, factor.rows(), upper);
      inverse.write(i, matrix);
    }
  });
  if (zero_pivot != 0)
    args.fail(ErrorKind::argument, fmt::format("the factor is singular: its diagonal element {} is 0", zero_pivot));
}

SINTER_ROUTINE(cholesky_solve_default) {
  MatrixStack b(with_batch(args[0].tensor(), 2, results[0], 2)), factor(with_batch(args[1].tensor(), 2, results[0], 2)),
      x(results[0]);
  bool upper = args.flag("upper");
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(x.count(), double(factor.elements()) * x.columns(), [&](int64_t i) {
      std::vector<T> matrix = factor.read<T>(i), solution = b.read<T>(i);
      cholesky_solve(factor.rows(), b.columns(), upper, matrix.data(), solution.data());
      x.write(i, solution);
    });
  });
}

SINTER_ROUTINE(linalg_solve_triangular_default) {
  MatrixStack a(with_batch(args[0].tensor(), 2, results[0], 2)), b(with_batch(args[1].tensor(), 2, results[0], 2)),
      x(results[0]);
  TriangularSystem system{args.flag("left"), args.flag("upper"), args.flag("unitriangular")};
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(x.count(), double(a.rows()) * double(x.elements()), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i), solution = b.read<T>(i);
      runtime::solve_triangular(system, b.rows(), b.columns(), matrix.data(), solution.data());
      x.write(i, solution);
    });
  });
}

// --- Least squares ----------------------------------------------------------------------------------------------

namespace {

LeastSquares method_of(const OpArgs& args) {
  const std::string& driver = args["driver"].string();
  if (driver == "gels") return LeastSquares::gels;
  if (driver == "gelsd") return LeastSquares::gelsd;
  return driver == "gelss" ? LeastSquares::gelss : LeastSquares::gelsy;
}

template <class T>
struct Fit {
  std::vector<T> b;  // of max(rows, columns) rows
  std::vector<T> singular_values;
  int rank = 0;
};

template <class T>
int fit_matrix(LeastSquares method, const MatrixStack& a, int64_t matrix, int right_sides, T rcond, Fit<T>& fit) {
  if (a.elements() == 0 || right_sides == 0) {
    if (a.rows() == 0) std::fill(fit.b.begin(), fit.b.end(), T(0));
    return 0;
  }
  std::vector<T> left = a.read<T>(matrix);
  return least_squares(method, a.rows(), a.columns(), right_sides, left.data(), fit.b.data(), rcond, &fit.rank,
                       fit.singular_values.data());
}

// Of each right side: the rows of b behind the solution, or for deficient rank what a x leaves of b.
template <class T>
std::vector<T> residuals_of(const MatrixStack& a, const MatrixStack& b, int64_t matrix, const Fit<T>& fit,
                            bool has_full_rank) {
  int m = a.rows(), n = a.columns(), longest = std::max(m, n);
  std::vector<T> left = a.read<T>(matrix), right = b.read<T>(matrix), residuals;
  for (int side = 0; side < b.columns(); ++side) {
    const T* x = fit.b.data() + static_cast<size_t>(side) * longest;
    T total = 0;
    for (int i = has_full_rank ? n : 0; i < m; ++i) {
      T rest = has_full_rank ? x[i] : right[static_cast<size_t>(side) * m + i];
      for (int j = 0; j < n && !has_full_rank; ++j) rest -= left[static_cast<size_t>(j) * m + i] * x[j];
      total += rest * rest;
    }
    residuals.push_back(total);
  }
  residuals.resize(std::max<size_t>(residuals.size(), 1));
  return residuals;
}

}  // namespace

// A result that the driver does not give has no elements.
SINTER_ROUTINE(least_squares_default) {
  LeastSquares method = method_of(args);
  MatrixStack a(args[0].tensor()), b(args[1].tensor()), x(results[0]);
  int longest = std::max(a.rows(), a.columns());
  bool gives_residuals = method != LeastSquares::gelsy && a.rows() > a.columns();
  bool gives_values = method == LeastSquares::gelsd || method == LeastSquares::gelss;
  std::vector<int> infos(static_cast<size_t>(a.count()));
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    T rcond = args["rcond"].is_none() ? std::numeric_limits<T>::epsilon() * T(longest) : T(args.number("rcond"));
    for_each_matrix(a.count(), 4 * cube(longest), [&](int64_t i) {
      Fit<T> fit;
      fit.b.resize(std::max<size_t>(static_cast<size_t>(longest) * b.columns(), 1));
      fit.singular_values.resize(static_cast<size_t>(std::max(std::min(a.rows(), a.columns()), 1)));
      b.read(i, fit.b.data(), longest);
      infos[static_cast<size_t>(i)] = fit_matrix(method, a, i, b.columns(), rcond, fit);
      x.write(i, fit.b);
      int64_t rank = fit.rank;
      if (gives_residuals) {
        bool has_full_rank = method == LeastSquares::gels || rank == a.columns();
        MatrixStack(results[1], 1).write(i, residuals_of(a, b, i, fit, has_full_rank));
      }
      if (method != LeastSquares::gels) MatrixStack(results[2], 0).write(i, &rank, 1);
      if (gives_values) MatrixStack(results[3], 1).write(i, fit.singular_values);
    });
  });
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i] == 0) continue;
    throw Error(ErrorKind::argument, args.here(),
                fmt::format("linalg_lstsq: matrix {} of the batch: {}", i,
                            method == LeastSquares::gels ? "it has no full rank" : "its spectrum did not converge"),
                {}, method == LeastSquares::gels ? "take another driver" : "need finite elements");
  }
}

}  // namespace sinter::runtime::routines
