// The logarithm of the gamma function and its derivative.
//
// The coefficients are Chebyshev interpolations of the functions (made with mpmath at 50 digits), written in powers;
// those of the asymptotic series are Bernoulli numbers.

#include <sinter/graph/ops/functions/special.h>
#include <sinter/graph/ops/gamma.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/series.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace sinter {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;
// From here on the asymptotic series are exact.
constexpr int asymptotic_from = 10;

// log(gamma(x)) / ((x - 1) (x - 2)) in 2x - 3, x in [1, 2] (polynomial)
constexpr double log_gamma_fit[] = {0.48312895054098087,     -0.072979947957152971,   0.015727850268641094,
                                    -0.0039135609376317691,  0.0010498186644547402,   -0.00029455070139898493,
                                    8.5100903734994319e-05,  -2.5094329864078195e-05, 7.5113918556418828e-06,
                                    -2.2742409034140543e-06, 6.9484280641863117e-07,  -2.1388452890262906e-07,
                                    6.623878077265301e-08,   -2.0577345254471981e-08, 6.4302607276369653e-09,
                                    -2.0735267758524892e-09, 6.5664038192631118e-10,  -1.6381596734648426e-10,
                                    5.0258222095609345e-11,  -3.53647433811882e-11,   1.1586115295157278e-11};

// Sum of bernoulli[k] factor(2k + 2) / x^(2k).
ScalarExpr bernoulli_series(ScalarExpr x, double (*factor)(double)) {
  double coefficients[bernoulli.size()];
  for (size_t k = 0; k < bernoulli.size(); ++k)
    coefficients[k] = bernoulli[k] * factor(static_cast<double>(2 * (k + 1)));
  return polynomial(number_beside(x, 1) / (x * x), coefficients);
}

// --- lgamma -----------------------------------------------------------------------------------------------------

// Stirling's series; arranged so that infinity stays infinity.
ScalarExpr log_gamma_of_large(ScalarExpr x) {
  ScalarExpr series = bernoulli_series(x, [](double n) { return 1 / (n * (n - 1)); }) / x;
  // log(2 pi) / 2 - 1 / 2
  constexpr double rest = 0.41893853320467274178;
  return (x - Scalar(0.5)) * (log(x) - Scalar(1.0)) + (series + Scalar(rest));
}

// Of 0 < x < 10: one step up below 1; steps down to [1, 2], whose factors are gathered.
ScalarExpr log_gamma_of_small(ScalarExpr x) {
  ScalarExpr one = number_beside(x, 1), factor = one, at = x;
  for (int step = 2; step < asymptotic_from; ++step) {
    ScalarExpr is_above = at > Scalar(2.0), lower = at - one;
    factor = select(is_above, factor * lower, factor);
    at = select(is_above, lower, at);
  }
  ScalarExpr is_below = x < one;
  factor = select(is_below, one / x, factor);
  at = select(is_below, x + one, at);
  ScalarExpr fit = polynomial(at * Scalar(2.0) - Scalar(3.0), log_gamma_fit);
  // Below 1, x = at - 1 is exact where the sum is not.
  ScalarExpr from_one = select(is_below, x, at - one);
  return from_one * (at - Scalar(2.0)) * fit + log(factor);
}

ScalarExpr log_gamma_of_positive(ScalarExpr x) {
  return select(x < Scalar(double(asymptotic_from)), log_gamma_of_small(x), log_gamma_of_large(x));
}

// gamma(x) gamma(1 - x) = pi / sin(pi x)
ScalarExpr log_gamma(ScalarExpr x) {
  ScalarExpr reflects = x < Scalar(0.5);
  ScalarExpr positive = log_gamma_of_positive(select(reflects, number_beside(x, 1) - x, x));
  ScalarExpr sine = abs(sin(from_nearest_integer(x) * Scalar(pi)));
  ScalarExpr reflected = log(number_beside(x, pi) / sine) - positive;
  ScalarExpr is_infinite = abs(x) == Scalar(infinity);
  return select(is_infinite, number_beside(x, infinity), select(reflects, reflected, positive));
}

// --- digamma ----------------------------------------------------------------------------------------------------

// psi(x) = psi(x + 10) - 1 / x - ... - 1 / (x + 9), the fractions gathered into one.
ScalarExpr digamma_of_positive(ScalarExpr x) {
  ScalarExpr is_small = x < Scalar(double(asymptotic_from));
  ScalarExpr numerator = number_beside(x, 1), denominator = x;
  for (int i = 1; i < asymptotic_from; ++i) {
    ScalarExpr at = x + Scalar(double(i));
    numerator = numerator * at + denominator;
    denominator = denominator * at;
  }
  ScalarExpr large = select(is_small, x + Scalar(double(asymptotic_from)), x);
  ScalarExpr series = bernoulli_series(large, [](double n) { return 1 / n; }) / (large * large);
  ScalarExpr value = log(large) - number_beside(x, 0.5) / large - series;
  return select(is_small, value - numerator / denominator, value);
}

}  // namespace

// psi(x) = psi(1 - x) - pi / tan(pi x); a pole's side is told by the sign of 0, other poles have no value.
ScalarExpr digamma_formula(ScalarExpr x) {
  ScalarExpr zero = number_beside(x, 0), infinite = number_beside(x, infinity);
  ScalarExpr reflects = x < zero;
  ScalarExpr positive = digamma_of_positive(select(reflects, number_beside(x, 1) - x, x));
  ScalarExpr slope = number_beside(x, pi) / tan(from_nearest_integer(x) * Scalar(pi));
  ScalarExpr reflected = select(x == trunc(x), infinite - infinite, positive - slope);
  ScalarExpr value = select(reflects, reflected, select(x == infinite, x, positive));
  return select(x == zero, copysign(infinite, -x), value);
}

namespace {

// --- mvlgamma ---------------------------------------------------------------------------------------------------

PointwiseTypes types_mvlgamma(const OpArgs& args) {
  constexpr int64_t most = 1024;  // each is a term of the formula
  if (args.integer("p") < 1) args.fail(ErrorKind::argument, "p is less than 1", "need p >= 1");
  if (args.integer("p") > most)
    args.fail(ErrorKind::unsupported, fmt::format("p is {}", args.integer("p")), fmt::format("need p <= {}", most));
  if (args.meta(0).dtype == DType::boolean) fail_for_type(args, DType::boolean);
  return types_float(args);
}

// log gamma(x) + log gamma(x - 1/2) + ... of p terms, and a constant.
ScalarExpr mvlgamma_formula(ScalarBuilder& s, const OpArgs& args, Inputs inputs) {
  int64_t p = args.integer("p");
  ScalarExpr x = s.convert(inputs[0], DType::f64);
  ScalarExpr sum = s.constant(double(p) * double(p - 1) / 4 * std::log(pi), DType::f64);
  for (int64_t i = 0; i < p; ++i) sum = sum + log_gamma(x - Scalar(double(i) / 2));
  return s.convert(sum, inputs[0].dtype());
}

}  // namespace

namespace op_defs {

constinit const OpDef lgamma_default =
    pointwise("aten::lgamma(Tensor self) -> Tensor", types_float, through_f64<log_gamma>);
constinit const OpDef lgamma_inplace_default = inplace("aten::lgamma_(Tensor(a!) self) -> Tensor(a!)", lgamma_default);
constinit const OpDef special_gammaln_default = alias<lgamma_default>("aten::special_gammaln(Tensor self) -> Tensor");
constinit const OpDef digamma_default =
    pointwise("aten::digamma(Tensor self) -> Tensor", types_float, through_f64<digamma_formula>);
constinit const OpDef digamma_inplace_default =
    inplace("aten::digamma_(Tensor(a!) self) -> Tensor(a!)", digamma_default);
constinit const OpDef special_digamma_default = alias<digamma_default>("aten::special_digamma(Tensor self) -> Tensor");
constinit const OpDef special_psi_default = alias<digamma_default>("aten::special_psi(Tensor self) -> Tensor");
constinit const OpDef mvlgamma_default =
    pointwise("aten::mvlgamma(Tensor self, int p) -> Tensor", types_mvlgamma, mvlgamma_formula);
constinit const OpDef mvlgamma_inplace_default =
    inplace("aten::mvlgamma_(Tensor(a!) self, int p) -> Tensor(a!)", mvlgamma_default);
constinit const OpDef special_multigammaln_default =
    alias<mvlgamma_default>("aten::special_multigammaln(Tensor self, int p) -> Tensor");

}  // namespace op_defs

Tensor lgamma(const Tensor& x, Here here) { return apply_one(op_defs::lgamma_default, {x}, here); }
Tensor digamma(const Tensor& x, Here here) { return apply_one(op_defs::digamma_default, {x}, here); }

}  // namespace sinter
