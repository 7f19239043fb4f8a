// The regularised incomplete gamma functions and Hurwitz's zeta function.
//
// Below x = a + 1 the power series of the lower function converges, above it the continued fraction of the upper one
// (by Lentz's method); both start from x^a exp(-x) / gamma(a), which for large a is taken from Stirling's series around
// x = a, where nothing overflows and little cancels.

#include <sinter/graph/ops/series.h>
#include <sinter/runtime/routines/two_numbers.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace sinter::runtime::routines {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// log(gamma(a)) - ((a - 1/2) log(a) - a + log(2 pi) / 2), a >= 10
double stirling_rest(double a) {
  double rest = 0, square = a * a, power = a;
  for (size_t k = 0; k < bernoulli.size(); ++k, power *= square) {
    double n = 2 * static_cast<double>(k + 1);
    rest += bernoulli[k] / (n * (n - 1) * power);
  }
  return rest;
}

// x^a exp(-x) / gamma(a)
double leading_factor(double a, double x) {
  if (a < 10) return std::exp(a * std::log(x) - x) / std::tgamma(a);
  double mu = (x - a) / a;
  double exponent = std::abs(mu) < 0.5 ? a * (std::log1p(mu) - mu) : a * std::log(x / a) - (x - a);
  return std::exp(exponent - stirling_rest(a)) * std::sqrt(a / (2 * std::numbers::pi));
}

// x < a + 1: the sum of x^k / (a (a + 1) ... (a + k)).
double lower_by_series(double a, double x) {
  double term = 1 / a, sum = term;
  for (double at = a + 1; term > sum * epsilon / 4; ++at) {
    term *= x / at;
    sum += term;
  }
  return sum * leading_factor(a, x);
}

// x >= a + 1: 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...
double upper_by_fraction(double a, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;
  for (double k = 1;; ++k) {
    double numerator = -k * (k - a);
    b += 2;
    d = numerator * d + b;
    c = b + numerator / c;
    if (std::abs(d) < tiny) d = tiny;
    if (std::abs(c) < tiny) c = tiny;
    d = 1 / d;
    double change = d * c;
    value *= change;
    if (!(std::abs(change - 1) > epsilon)) break;
  }
  return value * leading_factor(a, x);
}

// The values that both functions have at the ends of their domain, given as the lower one's; else -1.
double lower_at_limits(double a, double x) {
  if (!(a >= 0) || !(x >= 0) || (a == 0 && x == 0)) return not_a_number;
  if (a == 0) return 1;
  if (x == 0) return 0;
  if (std::isinf(a)) return std::isinf(x) ? not_a_number : 0;
  if (std::isinf(x)) return 1;
  return -1;
}

double lower_gamma(double a, double x) {
  double limit = lower_at_limits(a, x);
  if (limit != -1) return limit;
  return x < a + 1 ? lower_by_series(a, x) : 1 - upper_by_fraction(a, x);
}

// For small a and x below 1 the series would leave 1 - nearly 1: 1 - x^a / gamma(a + 1) is then taken apart.
double upper_by_small_series(double a, double x) {
  double log_power = a * std::log(x), log_gamma = std::log(std::tgamma(1 + a));
  double term = 1, sum = 0;  // of a (-x)^k / (k! (a + k))
  for (double k = 1; k < 200; ++k) {
    term *= -x / k;
    double added = a * term / (a + k);
    sum += added;
    if (std::abs(added) < std::abs(sum) * epsilon / 4) break;
  }
  double scale = std::exp(log_power - log_gamma);
  return -std::expm1(log_power - log_gamma) - scale * sum;
}

double upper_gamma(double a, double x) {
  double limit = lower_at_limits(a, x);
  if (limit != -1) return 1 - limit;
  if (x >= a + 1) return upper_by_fraction(a, x);
  if (x < 1 && a < 1) return upper_by_small_series(a, x);
  return 1 - lower_by_series(a, x);
}

// The sum of (q + k)^-x, q > 0, x > 1: the first terms, and Euler and Maclaurin's formula for the rest.
double zeta_of_positive(double x, double q) {
  double at = q, sum = 0;
  for (int k = 0; k < 12; ++k, ++at) sum += std::pow(at, -x);
  double power = std::pow(at, -x);
  sum += at * power / (x - 1) + power / 2;
  double factor = x / 2;
  for (size_t k = 0; k < bernoulli.size(); ++k) {
    power /= at;
    sum += bernoulli[k] * factor * power;
    power /= at;
    double n = 2 * static_cast<double>(k + 1);
    factor *= (x + n - 1) * (x + n) / ((n + 1) * (n + 2));
  }
  return sum;
}

// The terms below zero are those of two sums above it, for a whole x. NaN at infinities, as in ATen.
double hurwitz_zeta(double x, double q) {
  if (x == 1) return infinity;
  if (!(x > 1) || std::isnan(q)) return not_a_number;
  if (q <= 0 && q == std::floor(q)) return infinity;
  if (q < 0 && x != std::floor(x)) return not_a_number;
  if (std::isinf(x) || std::isinf(q)) return not_a_number;
  if (q > 0) return zeta_of_positive(x, q);
  double nearest = q - std::floor(q);  // to zero from above; from below it is 1 - nearest
  double below = zeta_of_positive(x, 1 - nearest) - zeta_of_positive(x, 1 - q);
  return zeta_of_positive(x, nearest) + (std::fmod(x, 2) == 0 ? below : -below);
}

}  // namespace

SINTER_ROUTINE(igamma_default) { map_two_numbers(args, results, lower_gamma); }
SINTER_ROUTINE(igammac_default) { map_two_numbers(args, results, upper_gamma); }
SINTER_ROUTINE(special_zeta_default) { map_two_numbers(args, results, hurwitz_zeta); }

}  // namespace sinter::runtime::routines
