// The derivatives of the logarithm of the gamma function, of any order.

#include <sinter/graph/ops/functions/special.h>
#include <sinter/graph/ops/gamma.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/polygamma.h>
#include <sinter/graph/ops/series.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace sinter {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;
// From here on Euler and Maclaurin's formula is exact for low orders.
constexpr int asymptotic_from = 10;

ScalarExpr to_integer_power(ScalarExpr x, int64_t power) {
  ScalarExpr result = number_beside(x, 1);
  for (; power > 0; power /= 2, x = x * x)
    if (power % 2 == 1) result = result * x;
  return result;
}

// Hurwitz's zeta, the sum of (x + k)^-s, for x > 0: the first terms, and Euler and Maclaurin's formula for the rest.
ScalarExpr zeta_of_positive(ScalarExpr x, int64_t s) {
  int64_t steps = asymptotic_from + std::min<int64_t>(s / 2, 90);
  ScalarExpr one = number_beside(x, 1), sum = number_beside(x, 0);
  for (int64_t k = 0; k < steps; ++k) sum = sum + one / to_integer_power(x + Scalar(double(k)), s);
  ScalarExpr inverse = one / (x + Scalar(double(steps)));
  double coefficients[bernoulli.size()];
  double n = double(s), factor = n / 2;
  for (size_t k = 0; k < bernoulli.size(); ++k) {
    coefficients[k] = bernoulli[k] * factor;
    double next = double(2 * k + 2);
    factor *= (n + next - 1) * (n + next) / ((next + 1) * (next + 2));
  }
  ScalarExpr corrections = polynomial(inverse * inverse, coefficients) * inverse;
  ScalarExpr integral = (x + Scalar(double(steps))) * Scalar(1 / (n - 1));
  ScalarExpr rest = to_integer_power(inverse, s) * (integral + Scalar(0.5) + corrections);
  return sum + select(x == Scalar(infinity), number_beside(x, 0), rest);
}

// The coefficients of P, where pi^order P(cot(pi x)) is the order-th derivative of cot(pi x).
std::vector<double> cotangent_derivative(int64_t order) {
  std::vector<double> p = {0, 1};
  for (int64_t i = 0; i < order; ++i) {
    std::vector<double> next(p.size() + 1);
    for (size_t k = 1; k < p.size(); ++k) {
      next[k - 1] -= p[k] * double(k);
      next[k + 1] -= p[k] * double(k);
    }
    p = std::move(next);
  }
  return p;
}

// psi^(n)(x) = (-1)^(n + 1) n! zeta(n + 1, x) for x > 0; beyond, (-1)^n psi^(n)(1 - x) less a derivative of
// pi cot(pi x).
ScalarExpr polygamma_of(ScalarExpr x, int64_t n) {
  if (n == 0) return digamma_formula(x);
  ScalarExpr zero = number_beside(x, 0), one = number_beside(x, 1);
  double sign = n % 2 == 0 ? 1 : -1;
  // Infinite above order 170, whatever the derivative of the cotangent.
  double factor = std::tgamma(double(n) + 1);
  ScalarExpr reflects = x < zero;
  ScalarExpr zeta = zeta_of_positive(select(reflects, one - x, x), n + 1) * Scalar(factor);
  ScalarExpr cotangent = one / tan(from_nearest_integer(x) * Scalar(pi));
  ScalarExpr derivative =
      polynomial(cotangent, cotangent_derivative(std::min(n, 170 + n % 2))) * Scalar(std::pow(pi, double(n + 1)));
  ScalarExpr is_pole = (x <= zero) & (x == trunc(x));
  ScalarExpr value = select(reflects, -zeta - derivative, zeta * Scalar(-sign));
  return select(is_pole, number_beside(x, -sign * infinity), value);
}

PointwiseTypes types_polygamma(const OpArgs& args) {
  int64_t n = args.integer("n");
  if (n < 0) args.fail(ErrorKind::argument, fmt::format("the order n is {}", n), "need n >= 0");
  return types_float(args);
}

ScalarExpr polygamma_formula(ScalarBuilder& s, const OpArgs& args, Inputs x) {
  return s.convert(polygamma_of(s.convert(x[0], DType::f64), args.integer("n")), x[0].dtype());
}

}  // namespace

namespace op_defs {

constinit const OpDef polygamma_default =
    pointwise("aten::polygamma(int n, Tensor self) -> Tensor", types_polygamma, polygamma_formula);
// What polygamma_ does, with its order of arguments.
constinit const OpDef ordered_polygamma_default =
    pointwise("sinter::polygamma(Tensor self, int n) -> Tensor", types_polygamma, polygamma_formula);
constinit const OpDef polygamma_inplace_default =
    inplace("aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", ordered_polygamma_default);
constinit const OpDef special_polygamma_default =
    alias<polygamma_default>("aten::special_polygamma(int n, Tensor self) -> Tensor");

}  // namespace op_defs

Tensor polygamma(int64_t n, const Tensor& x, Here here) { return apply_one(op_defs::polygamma_default, {n, x}, here); }

}  // namespace sinter
