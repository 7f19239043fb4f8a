// Orthogonal polynomials of any degree, by their three-term recurrences; a negative degree gives 0, as in ATen. In
// (-1, 1), where Chebyshev's are sines and cosines, high degrees are taken from those.

#include <sinter/graph/op.h>
#include <sinter/runtime/routines/two_numbers.h>

#include <cmath>
#include <limits>

namespace sinter::runtime::routines {

namespace {

// The degree as ATen reads it: towards zero.
int64_t degree_of(double n) {
  return std::abs(n) < 9e18 ? static_cast<int64_t>(n) : std::numeric_limits<int64_t>::min();
}

// From the polynomials of degree 0 (which is 1) and 1; step(k, now, before) is that of degree k + 1.
template <class Step>
double by_recurrence(int64_t degree, double first, Step&& step) {
  if (degree < 0) return 0;
  double before = 1, now = first;
  if (degree == 0) return before;
  for (int64_t k = 1; k < degree && !std::isnan(now); ++k) {
    double next = step(static_cast<double>(k), now, before);
    before = now;
    now = next;
  }
  return now;
}

double sign_at(double x, int64_t degree) { return x > 0 || degree % 2 == 0 ? 1 : -1; }

double by_chebyshev_recurrence(int64_t degree, double x, double first) {
  return by_recurrence(degree, first, [x](double, double now, double before) { return 2 * x * now - before; });
}

// From this degree on rounding adds up less in the closed forms.
constexpr int64_t closed_from = 9;
bool has_closed_form(double x, int64_t degree) { return degree >= closed_from && std::abs(x) < 1; }

double chebyshev_t(double x, double n) {
  int64_t degree = degree_of(n);
  if (degree >= 0 && std::abs(x) == 1) return sign_at(x, degree);
  if (has_closed_form(x, degree)) return std::cos(n * std::acos(x));
  return by_chebyshev_recurrence(degree, x, x);
}

double chebyshev_u(double x, double n) {
  int64_t degree = degree_of(n);
  double next = static_cast<double>(degree) + 1;
  if (degree >= 0 && std::abs(x) == 1) return sign_at(x, degree) * next;
  if (has_closed_form(x, degree)) return std::sin(next * std::acos(x)) / std::sin(std::acos(x));
  return by_chebyshev_recurrence(degree, x, 2 * x);
}

double chebyshev_v(double x, double n) {
  int64_t degree = degree_of(n);
  double middle = static_cast<double>(degree) + 0.5;
  if (degree >= 0 && std::abs(x) == 1) return x > 0 ? 1 : sign_at(x, degree) * 2 * middle;
  if (has_closed_form(x, degree)) return std::cos(middle * std::acos(x)) / std::cos(std::acos(x) / 2);
  return by_chebyshev_recurrence(degree, x, 2 * x - 1);
}

double chebyshev_w(double x, double n) {
  int64_t degree = degree_of(n);
  double middle = static_cast<double>(degree) + 0.5;
  if (degree >= 0 && std::abs(x) == 1) return x > 0 ? 2 * middle : sign_at(x, degree);
  if (has_closed_form(x, degree)) return std::sin(middle * std::acos(x)) / std::sin(std::acos(x) / 2);
  return by_chebyshev_recurrence(degree, x, 2 * x + 1);
}

// Over [0, 1] in the place of [-1, 1].
template <double (*polynomial)(double, double)>
double shifted(double x, double n) {
  return polynomial(2 * x - 1, n);
}

// Above this degree values leave the range of f64 nearly everywhere, and ATen gives NaN.
constexpr int64_t hermite_limit = 512;

template <class Step>
double hermite(double n, double first, Step&& step) {
  int64_t degree = degree_of(n);
  if (degree > hermite_limit) return std::numeric_limits<double>::quiet_NaN();
  return by_recurrence(degree, first, step);
}
double hermite_h(double x, double n) {
  return hermite(n, 2 * x, [x](double k, double now, double before) { return 2 * x * now - 2 * k * before; });
}
double hermite_he(double x, double n) {
  return hermite(n, x, [x](double k, double now, double before) { return x * now - k * before; });
}

double laguerre_l(double x, double n) {
  int64_t degree = degree_of(n);
  if (degree >= 0 && x == 0) return 1;
  return by_recurrence(degree, 1 - x, [x](double k, double now, double before) {
    return ((2 * k + 1 - x) * now - k * before) / (k + 1);
  });
}

double legendre_p(double x, double n) {
  int64_t degree = degree_of(n);
  if (degree >= 0 && std::abs(x) == 1) return sign_at(x, degree);
  return by_recurrence(
      degree, x, [x](double k, double now, double before) { return ((2 * k + 1) * x * now - k * before) / (k + 1); });
}

}  // namespace

SINTER_ROUTINE(special_chebyshev_polynomial_t_default) { map_two_numbers(args, results, chebyshev_t); }
SINTER_ROUTINE(special_chebyshev_polynomial_u_default) { map_two_numbers(args, results, chebyshev_u); }
SINTER_ROUTINE(special_chebyshev_polynomial_v_default) { map_two_numbers(args, results, chebyshev_v); }
SINTER_ROUTINE(special_chebyshev_polynomial_w_default) { map_two_numbers(args, results, chebyshev_w); }
SINTER_ROUTINE(special_shifted_chebyshev_polynomial_t_default) { map_two_numbers(args, results, shifted<chebyshev_t>); }
SINTER_ROUTINE(special_shifted_chebyshev_polynomial_u_default) { map_two_numbers(args, results, shifted<chebyshev_u>); }
SINTER_ROUTINE(special_shifted_chebyshev_polynomial_v_default) { map_two_numbers(args, results, shifted<chebyshev_v>); }
SINTER_ROUTINE(special_shifted_chebyshev_polynomial_w_default) { map_two_numbers(args, results, shifted<chebyshev_w>); }
SINTER_ROUTINE(special_hermite_polynomial_h_default) { map_two_numbers(args, results, hermite_h); }
SINTER_ROUTINE(special_hermite_polynomial_he_default) { map_two_numbers(args, results, hermite_he); }
SINTER_ROUTINE(special_laguerre_polynomial_l_default) { map_two_numbers(args, results, laguerre_l); }
SINTER_ROUTINE(special_legendre_polynomial_p_default) { map_two_numbers(args, results, legendre_p); }

}  // namespace sinter::runtime::routines
