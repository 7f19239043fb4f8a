// Factorisations of dense matrices by LAPACK, in one thread: batches are shared by our own loops, so that results do
// not depend on the number of threads.
//
// T is float or double. Matrices are column-major without gaps. Where an int is returned, 0 means success; a positive
// one is LAPACK's info: the pivot, minor or value that failed, counted from 1. LAPACK's own argument checks never fail
// here.

#pragma once

namespace sinter::runtime {

// --- Square systems ---------------------------------------------------------------------------------------------

// a := L and U, where row i was swapped with row pivots[i] - 1. A zero pivot is reported, the factors are right still.
template <class T>
int lu_factor(int rows, int columns, T* a, int* pivots);
// b := inverse(A) b, or that of A transposed; b has n rows.
template <class T>
void lu_solve(int n, int columns, const T* lu, const int* pivots, bool transposed, T* b);
// lu := inverse(A)
template <class T>
int lu_invert(int n, T* lu, const int* pivots);

// One triangle of a := the factor; the other is left alone.
template <class T>
int cholesky_factor(int n, bool upper, T* a);
template <class T>
void cholesky_solve(int n, int columns, bool upper, const T* factor, T* b);
// One triangle of factor := that of the inverse of the factored matrix.
template <class T>
int cholesky_invert(int n, bool upper, T* factor);

struct TriangularSystem {
  bool left = true;  // a x = b, else x a = b
  bool upper = true;
  bool unit = false;  // the diagonal counts as 1
};
// b, of rows x columns, := x.
template <class T>
void solve_triangular(const TriangularSystem& system, int rows, int columns, const T* a, T* b);

// --- Orthogonal factors and spectra -----------------------------------------------------------------------------

// a := R in the upper triangle, Householder vectors below; min(rows, columns) factors tau.
template <class T>
void qr_factor(int rows, int columns, T* a, T* tau);
// a := the first `columns` columns of the product of `count` reflections that qr_factor left in it.
template <class T>
void expand_reflections(int rows, int columns, int count, T* a, const T* tau);
// c := Q c, c Q, or with Q transposed; the reflections have as many rows as that side of c.
template <class T>
void apply_reflections(bool left, bool transposed, int rows, int columns, int count, const T* a, const T* tau, T* c);

enum class SingularVectors { none, reduced, full };
// Singular values, greatest first, and vectors. a is overwritten.
template <class T>
int singular_value_decomposition(SingularVectors vectors, int rows, int columns, T* a, T* values, T* u, T* vt);
// Of a symmetric matrix of which one triangle is read: values, smallest first; a := vectors if they are wanted.
template <class T>
int symmetric_eigenvalues(bool wants_vectors, bool upper, int n, T* a, T* values);

// --- Least squares ----------------------------------------------------------------------------------------------

enum class LeastSquares { gels, gelsy, gelsd, gelss };
// The x of least norm among those that minimise |a x - b|. b has max(rows, columns) rows, of which the first `columns`
// become x; for a of full rank with more rows than columns, the sum of squares of the others is the residual. gels
// needs full rank and leaves rank and values alone; only gelsd and gelss give singular values.
template <class T>
int least_squares(LeastSquares method, int rows, int columns, int right_sides, T* a, T* b, T rcond, int* rank,
                  T* values);

}  // namespace sinter::runtime
