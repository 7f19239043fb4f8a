// Orthogonal factors, singular values, eigenvalues of symmetric matrices by LAPACK, and the exponential.

#include <sinter/runtime/cpu/factorise_with_lapack.h>
#include <sinter/runtime/cpu/matrix_product.h>
#include <sinter/runtime/routines/matrix_stack.h>
#include <sinter/runtime/routines/routine.h>

#include <cmath>

namespace sinter::runtime::routines {

namespace {

double cube(double n) { return n * n * n; }

void check_convergence(const OpArgs& args, const std::vector<int>& infos) {
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i] != 0)
      args.fail(ErrorKind::argument, fmt::format("matrix {} of the batch: its spectrum did not converge", i),
                "need finite elements");
}

template <class T>
std::vector<T> identity(int64_t rows, int64_t columns) {
  std::vector<T> matrix(static_cast<size_t>(std::max<int64_t>(rows * columns, 1)), T(0));
  for (int64_t i = 0; i < std::min(rows, columns); ++i) matrix[static_cast<size_t>(i * rows + i)] = 1;
  return matrix;
}

}  // namespace

// --- Reflections ------------------------------------------------------------------------------------------------

SINTER_ROUTINE(geqrf_default) {
  MatrixStack a(args[0].tensor()), factored(results[0]), factors(results[1], 1);
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), 2 * cube(a.columns()), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i), tau(std::max<size_t>(factors.elements(), 1));
      qr_factor(a.rows(), a.columns(), matrix.data(), tau.data());
      factored.write(i, matrix);
      factors.write(i, tau);
    });
  });
}

SINTER_ROUTINE(linalg_householder_product_default) {
  MatrixStack a(args[0].tensor()), factors(args[1].tensor(), 1), product(results[0]);
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), 2 * cube(a.columns()), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i), tau = factors.read<T>(i);
      expand_reflections(a.rows(), a.columns(), factors.rows(), matrix.data(), tau.data());
      product.write(i, matrix);
    });
  });
}

SINTER_ROUTINE(ormqr_default) {
  MatrixStack a(args[0].tensor()), factors(args[1].tensor(), 1), c(args[2].tensor()), product(results[0]);
  bool left = args.flag("left"), transposed = args.flag("transpose");
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(c.count(), 2 * cube(c.columns()), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i), tau = factors.read<T>(i), other = c.read<T>(i);
      apply_reflections(left, transposed, c.rows(), c.columns(), factors.rows(), matrix.data(), tau.data(),
                        other.data());
      product.write(i, other);
    });
  });
}

SINTER_ROUTINE(linalg_qr_default) {
  MatrixStack a(args[0].tensor()), r(results[1]);
  bool wants_q = args["mode"].string() != "r";
  int m = a.rows(), n = a.columns(), k = std::min(m, n);
  visit_factorised(results[1].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), 4 * cube(n), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i), tau(static_cast<size_t>(std::max(k, 1)));
      qr_factor(m, n, matrix.data(), tau.data());
      std::vector<T> upper(std::max<size_t>(r.elements(), 1), T(0));
      for (int column = 0; column < n; ++column)
        for (int row = 0; row <= std::min(column, r.rows() - 1); ++row)
          upper[static_cast<size_t>(column) * r.rows() + row] = matrix[static_cast<size_t>(column) * m + row];
      r.write(i, upper);
      if (!wants_q) return;
      MatrixStack q(results[0]);
      matrix.resize(std::max<size_t>(q.elements(), matrix.size()));
      expand_reflections(m, q.columns(), k, matrix.data(), tau.data());
      q.write(i, matrix.data(), m);
    });
  });
}

// --- Spectra ----------------------------------------------------------------------------------------------------

SINTER_ROUTINE(inner_linalg_svd_default) {
  MatrixStack a(args[0].tensor()), values(results[1], 1);
  int m = a.rows(), n = a.columns(), k = std::min(m, n);
  bool wants_vectors = args.flag("compute_uv"), is_full = args.flag("full_matrices");
  SingularVectors vectors = !wants_vectors ? SingularVectors::none
                            : is_full      ? SingularVectors::full
                                           : SingularVectors::reduced;
  int left_columns = !wants_vectors ? 1 : is_full ? m : k, right_rows = !wants_vectors ? 1 : is_full ? n : k;
  std::vector<int> infos(static_cast<size_t>(a.count()));
  visit_factorised(results[1].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), 10 * cube(std::max(m, n)), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i), s(static_cast<size_t>(std::max(k, 1)));
      std::vector<T> u = identity<T>(m, left_columns), vt = identity<T>(right_rows, n);
      if (k > 0)
        infos[static_cast<size_t>(i)] =
            singular_value_decomposition(vectors, m, n, matrix.data(), s.data(), u.data(), vt.data());
      values.write(i, s);
      if (!wants_vectors) return;
      MatrixStack(results[0]).write(i, u);
      MatrixStack(results[2]).write(i, vt);
    });
  });
  check_convergence(args, infos);
}

SINTER_ROUTINE(inner_linalg_eigh_default) {
  MatrixStack a(args[0].tensor()), values(results[0], 1);
  bool wants_vectors = args.flag("compute_v"), upper = args["UPLO"].string() == "U" || args["UPLO"].string() == "u";
  std::vector<int> infos(static_cast<size_t>(a.count()));
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), 9 * cube(a.rows()), [&](int64_t i) {
      std::vector<T> matrix = a.read<T>(i), w(static_cast<size_t>(std::max(a.rows(), 1)));
      if (a.rows() > 0)
        infos[static_cast<size_t>(i)] = symmetric_eigenvalues(wants_vectors, upper, a.rows(), matrix.data(), w.data());
      values.write(i, w);
      if (wants_vectors) MatrixStack(results[1]).write(i, matrix);
    });
  });
  check_convergence(args, infos);
}

// --- The exponential --------------------------------------------------------------------------------------------

namespace {

// N. Higham, "The scaling and squaring method for the matrix exponential revisited": the degree of the Pade
// approximant, and the norm up to which it is exact to the type's precision.
template <class T>
struct Pade;
template <>
struct Pade<float> {
  static constexpr int degree = 7;
  static constexpr double norm = 3.925724783138660;
};
template <>
struct Pade<double> {
  static constexpr int degree = 13;
  static constexpr double norm = 5.371920351148152;
};

// Square matrices of n rows, row-major or column-major alike: a product of both in the same order is the same.
template <class T>
struct Square {
  explicit Square(int64_t n) : n(n), elements(static_cast<size_t>(std::max<int64_t>(n * n, 1)), T(0)) {}

  int64_t n;
  std::vector<T> elements;

  void add_to_diagonal(T value) {
    for (int64_t i = 0; i < n; ++i) elements[static_cast<size_t>(i * n + i)] += value;
  }
};

// a @ b of column-major matrices is b @ a of row-major ones.
template <class T>
Square<T> times(const Square<T>& a, const Square<T>& b) {
  Square<T> c(a.n);
  auto as_batch = [](const Square<T>& x) {
    MatrixBatch batch;
    batch.data = const_cast<T*>(x.elements.data());
    batch.dtype = dtype_of<T>;
    batch.rows = batch.columns = batch.row_stride = x.n;
    return batch;
  };
  multiply(as_batch(b), as_batch(a), as_batch(c));
  return c;
}

// The greatest sum of a column's absolute values; NaN if there is one.
template <class T>
double norm_of(const Square<T>& a) {
  double greatest = 0;
  for (int64_t j = 0; j < a.n; ++j) {
    double total = 0;
    for (int64_t i = 0; i < a.n; ++i)
      total += std::abs(static_cast<double>(a.elements[static_cast<size_t>(j * a.n + i)]));
    if (!(total <= greatest)) greatest = total;
  }
  return greatest;
}

// c0 + c_step x + ..., every other coefficient of the approximant from `first` on, in x = a squared.
template <class T>
Square<T> half_of_polynomial(const Square<T>& squared, const std::vector<double>& coefficients, size_t first) {
  Square<T> sum(squared.n);
  size_t last = (coefficients.size() - 1 - first) / 2 * 2 + first;
  sum.add_to_diagonal(T(coefficients[last]));
  for (size_t k = last; k > first; k -= 2) {
    sum = times(sum, squared);
    sum.add_to_diagonal(T(coefficients[k - 2]));
  }
  return sum;
}

// Of the polynomial N with exp(x) = N(x) / N(-x), N(0) = 1.
std::vector<double> pade_coefficients(int degree) {
  std::vector<double> c = {1};
  for (int j = 1; j <= degree; ++j) c.push_back(c.back() * (degree - j + 1) / (double(j) * (2 * degree - j + 1)));
  return c;
}

template <class T>
Square<T> exponential(Square<T> a) {
  double norm = norm_of(a);
  Square<T> result(a.n);
  if (!std::isfinite(norm)) {
    std::fill(result.elements.begin(), result.elements.end(), std::numeric_limits<T>::quiet_NaN());
    return result;
  }
  int squarings = norm > Pade<T>::norm ? static_cast<int>(std::ceil(std::log2(norm / Pade<T>::norm))) : 0;
  for (T& x : a.elements) x = std::ldexp(x, -squarings);
  Square<T> squared = times(a, a);
  std::vector<double> coefficients = pade_coefficients(Pade<T>::degree);
  Square<T> even = half_of_polynomial(squared, coefficients, 0);
  Square<T> odd = times(a, half_of_polynomial(squared, coefficients, 1));
  Square<T> denominator(a.n);
  for (size_t i = 0; i < even.elements.size(); ++i) {
    denominator.elements[i] = even.elements[i] - odd.elements[i];
    result.elements[i] = even.elements[i] + odd.elements[i];
  }
  std::vector<int> pivots(static_cast<size_t>(a.n));
  int n = static_cast<int>(a.n);
  lu_factor(n, n, denominator.elements.data(), pivots.data());
  lu_solve(n, n, denominator.elements.data(), pivots.data(), false, result.elements.data());
  for (int i = 0; i < squarings; ++i) result = times(result, result);
  return result;
}

}  // namespace

SINTER_ROUTINE(matrix_exponential_default) {
  MatrixStack a(args[0].tensor()), result(results[0]);
  if (a.rows() == 0) return;
  visit_factorised(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_matrix(a.count(), 20 * cube(a.rows()), [&](int64_t i) {
      Square<T> matrix(a.rows());
      a.read(i, matrix.elements.data(), a.rows());
      result.write(i, exponential(std::move(matrix)).elements);
    });
  });
}

}  // namespace sinter::runtime::routines
