// LAPACK as it comes in OpenBLAS, by its Fortran symbols, for which there is no header: each is declared here with
// the hidden lengths of its text arguments at the end.

#include <sinter/runtime/cpu/factorise_with_lapack.h>

#include <cblas.h>

#include <algorithm>
#include <cstddef>
#include <vector>

// NOLINTBEGIN
#define SINTER_DECLARE_LAPACK(T, p)                                                                                   \
  extern "C" {                                                                                                        \
  void p##getrf_(const int* m, const int* n, T* a, const int* lda, int* ipiv, int* info);                             \
  void p##getrs_(const char* trans, const int* n, const int* nrhs, const T* a, const int* lda, const int* ipiv, T* b, \
                 const int* ldb, int* info, size_t);                                                                  \
  void p##getri_(const int* n, T* a, const int* lda, const int* ipiv, T* work, const int* lwork, int* info);          \
  void p##potrf_(const char* uplo, const int* n, T* a, const int* lda, int* info, size_t);                            \
  void p##potrs_(const char* uplo, const int* n, const int* nrhs, const T* a, const int* lda, T* b, const int* ldb,   \
                 int* info, size_t);                                                                                  \
  void p##potri_(const char* uplo, const int* n, T* a, const int* lda, int* info, size_t);                            \
  void p##geqrf_(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, const int* lwork, int* info);     \
  void p##orgqr_(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau, T* work,               \
                 const int* lwork, int* info);                                                                        \
  void p##ormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const T* a,           \
                 const int* lda, const T* tau, T* c, const int* ldc, T* work, const int* lwork, int* info, size_t,    \
                 size_t);                                                                                             \
  void p##gesdd_(const char* jobz, const int* m, const int* n, T* a, const int* lda, T* s, T* u, const int* ldu,      \
                 T* vt, const int* ldvt, T* work, const int* lwork, int* iwork, int* info, size_t);                   \
  void p##syevd_(const char* jobz, const char* uplo, const int* n, T* a, const int* lda, T* w, T* work,               \
                 const int* lwork, int* iwork, const int* liwork, int* info, size_t, size_t);                         \
  void p##gels_(const char* trans, const int* m, const int* n, const int* nrhs, T* a, const int* lda, T* b,           \
                const int* ldb, T* work, const int* lwork, int* info, size_t);                                        \
  void p##gelsy_(const int* m, const int* n, const int* nrhs, T* a, const int* lda, T* b, const int* ldb, int* jpvt,  \
                 const T* rcond, int* rank, T* work, const int* lwork, int* info);                                    \
  void p##gelsd_(const int* m, const int* n, const int* nrhs, T* a, const int* lda, T* b, const int* ldb, T* s,       \
                 const T* rcond, int* rank, T* work, const int* lwork, int* iwork, int* info);                        \
  void p##gelss_(const int* m, const int* n, const int* nrhs, T* a, const int* lda, T* b, const int* ldb, T* s,       \
                 const T* rcond, int* rank, T* work, const int* lwork, int* info);                                    \
  }                                                                                                                   \
  template <>                                                                                                         \
  struct Lapack<T> {                                                                                                  \
    static constexpr auto getrf = p##getrf_;                                                                          \
    static constexpr auto getrs = p##getrs_;                                                                          \
    static constexpr auto getri = p##getri_;                                                                          \
    static constexpr auto potrf = p##potrf_;                                                                          \
    static constexpr auto potrs = p##potrs_;                                                                          \
    static constexpr auto potri = p##potri_;                                                                          \
    static constexpr auto geqrf = p##geqrf_;                                                                          \
    static constexpr auto orgqr = p##orgqr_;                                                                          \
    static constexpr auto ormqr = p##ormqr_;                                                                          \
    static constexpr auto gesdd = p##gesdd_;                                                                          \
    static constexpr auto syevd = p##syevd_;                                                                          \
    static constexpr auto gels = p##gels_;                                                                            \
    static constexpr auto gelsy = p##gelsy_;                                                                          \
    static constexpr auto gelsd = p##gelsd_;                                                                          \
    static constexpr auto gelss = p##gelss_;                                                                          \
    static constexpr auto trsm = cblas_##p##trsm;                                                                     \
  };

namespace {

template <class T>
struct Lapack;

}  // namespace

namespace {
SINTER_DECLARE_LAPACK(float, s)
SINTER_DECLARE_LAPACK(double, d)
}  // namespace
// NOLINTEND

namespace sinter::runtime {

namespace {

// Its own threads would make results depend on their number.
void use_one_thread() { [[maybe_unused]] static const bool is_single = (openblas_set_num_threads(1), true); }

// A leading dimension is at least 1.
int leading(int rows) { return std::max(rows, 1); }

const char* triangle(bool upper) { return upper ? "U" : "L"; }

// Asks call(work, length) for the length it wants, then calls it with that much.
template <class T, class Call>
void with_workspace(const Call& call) {
  T wanted = 0;
  call(&wanted, -1);
  std::vector<T> work(static_cast<size_t>(std::max(wanted, T(1))));
  call(work.data(), static_cast<int>(work.size()));
}

}  // namespace

template <class T>
int lu_factor(int rows, int columns, T* a, int* pivots) {
  use_one_thread();
  int info = 0, lda = leading(rows);
  Lapack<T>::getrf(&rows, &columns, a, &lda, pivots, &info);
  return info;
}

template <class T>
void lu_solve(int n, int columns, const T* lu, const int* pivots, bool transposed, T* b) {
  use_one_thread();
  int info = 0, ld = leading(n);
  Lapack<T>::getrs(transposed ? "T" : "N", &n, &columns, lu, &ld, pivots, b, &ld, &info, 1);
}

template <class T>
int lu_invert(int n, T* lu, const int* pivots) {
  use_one_thread();
  int info = 0, lda = leading(n);
  with_workspace<T>([&](T* work, int length) { Lapack<T>::getri(&n, lu, &lda, pivots, work, &length, &info); });
  return info;
}

template <class T>
int cholesky_factor(int n, bool upper, T* a) {
  use_one_thread();
  int info = 0, lda = leading(n);
  Lapack<T>::potrf(triangle(upper), &n, a, &lda, &info, 1);
  return info;
}

template <class T>
void cholesky_solve(int n, int columns, bool upper, const T* factor, T* b) {
  use_one_thread();
  int info = 0, ld = leading(n);
  Lapack<T>::potrs(triangle(upper), &n, &columns, factor, &ld, b, &ld, &info, 1);
}

template <class T>
int cholesky_invert(int n, bool upper, T* factor) {
  use_one_thread();
  int info = 0, lda = leading(n);
  Lapack<T>::potri(triangle(upper), &n, factor, &lda, &info, 1);
  return info;
}

template <class T>
void solve_triangular(const TriangularSystem& system, int rows, int columns, const T* a, T* b) {
  use_one_thread();
  int lda = leading(system.left ? rows : columns), ldb = leading(rows);
  Lapack<T>::trsm(CblasColMajor, system.left ? CblasLeft : CblasRight, system.upper ? CblasUpper : CblasLower,
                  CblasNoTrans, system.unit ? CblasUnit : CblasNonUnit, rows, columns, T(1), a, lda, b, ldb);
}

template <class T>
void qr_factor(int rows, int columns, T* a, T* tau) {
  use_one_thread();
  int info = 0, lda = leading(rows);
  with_workspace<T>(
      [&](T* work, int length) { Lapack<T>::geqrf(&rows, &columns, a, &lda, tau, work, &length, &info); });
}

template <class T>
void expand_reflections(int rows, int columns, int count, T* a, const T* tau) {
  use_one_thread();
  int info = 0, lda = leading(rows);
  with_workspace<T>(
      [&](T* work, int length) { Lapack<T>::orgqr(&rows, &columns, &count, a, &lda, tau, work, &length, &info); });
}

template <class T>
void apply_reflections(bool left, bool transposed, int rows, int columns, int count, const T* a, const T* tau, T* c) {
  use_one_thread();
  int info = 0, lda = leading(left ? rows : columns), ldc = leading(rows);
  with_workspace<T>([&](T* work, int length) {
    Lapack<T>::ormqr(left ? "L" : "R", transposed ? "T" : "N", &rows, &columns, &count, a, &lda, tau, c, &ldc, work,
                     &length, &info, 1, 1);
  });
}

template <class T>
int singular_value_decomposition(SingularVectors vectors, int rows, int columns, T* a, T* values, T* u, T* vt) {
  use_one_thread();
  const char* job = vectors == SingularVectors::none ? "N" : vectors == SingularVectors::reduced ? "S" : "A";
  int least = std::min(rows, columns);
  int info = 0, lda = leading(rows), ldu = leading(rows);
  int ldvt = leading(vectors == SingularVectors::full ? columns : least);
  std::vector<int> integers(static_cast<size_t>(8 * std::max(least, 1)));
  with_workspace<T>([&](T* work, int length) {
    Lapack<T>::gesdd(job, &rows, &columns, a, &lda, values, u, &ldu, vt, &ldvt, work, &length, integers.data(), &info,
                     1);
  });
  return info;
}

template <class T>
int symmetric_eigenvalues(bool wants_vectors, bool upper, int n, T* a, T* values) {
  use_one_thread();
  int info = 0, lda = leading(n);
  std::vector<int> integers(static_cast<size_t>(3 + 5 * std::max(n, 1)));
  int integer_length = static_cast<int>(integers.size());
  with_workspace<T>([&](T* work, int length) {
    Lapack<T>::syevd(wants_vectors ? "V" : "N", triangle(upper), &n, a, &lda, values, work, &length, integers.data(),
                     &integer_length, &info, 1, 1);
  });
  return info;
}

template <class T>
int least_squares(LeastSquares method, int rows, int columns, int right_sides, T* a, T* b, T rcond, int* rank,
                  T* values) {
  use_one_thread();
  int info = 0, lda = leading(rows), ldb = leading(std::max(rows, columns));
  const int *m = &rows, *n = &columns, *sides = &right_sides;
  std::vector<int> order(static_cast<size_t>(std::max(columns, 1)), 0);
  std::vector<int> integers(1);
  auto call = [&](T* work, int length) {
    switch (method) {
      case LeastSquares::gels: return Lapack<T>::gels("N", m, n, sides, a, &lda, b, &ldb, work, &length, &info, 1);
      case LeastSquares::gelsy:
        return Lapack<T>::gelsy(m, n, sides, a, &lda, b, &ldb, order.data(), &rcond, rank, work, &length, &info);
      case LeastSquares::gelsd:
        Lapack<T>::gelsd(m, n, sides, a, &lda, b, &ldb, values, &rcond, rank, work, &length, integers.data(), &info);
        if (length == -1) integers.resize(static_cast<size_t>(std::max(integers[0], 1)));
        return;
      case LeastSquares::gelss:
        return Lapack<T>::gelss(m, n, sides, a, &lda, b, &ldb, values, &rcond, rank, work, &length, &info);
    }
  };
  with_workspace<T>(call);
  return info;
}

#define SINTER_INSTANTIATE(T)                                                           \
  template int lu_factor(int, int, T*, int*);                                           \
  template void lu_solve(int, int, const T*, const int*, bool, T*);                     \
  template int lu_invert(int, T*, const int*);                                          \
  template int cholesky_factor(int, bool, T*);                                          \
  template void cholesky_solve(int, int, bool, const T*, T*);                           \
  template int cholesky_invert(int, bool, T*);                                          \
  template void solve_triangular(const TriangularSystem&, int, int, const T*, T*);      \
  template void qr_factor(int, int, T*, T*);                                            \
  template void expand_reflections(int, int, int, T*, const T*);                        \
  template void apply_reflections(bool, bool, int, int, int, const T*, const T*, T*);   \
  template int singular_value_decomposition(SingularVectors, int, int, T*, T*, T*, T*); \
  template int symmetric_eigenvalues(bool, bool, int, T*, T*);                          \
  template int least_squares(LeastSquares, int, int, int, T*, T*, T, int*, T*);

SINTER_INSTANTIATE(float)
SINTER_INSTANTIATE(double)
#undef SINTER_INSTANTIATE

}  // namespace sinter::runtime
