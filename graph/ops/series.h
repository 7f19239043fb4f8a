// What the formulas of special functions share: they are computed in f64 for every type, out of sums of powers.

#pragma once

#include <sinter/graph/ops/define.h>

#include <array>
#include <span>

namespace sinter {

// A number of the same builder and type.
inline ScalarExpr number_beside(ScalarExpr x, double value) { return x.builder->constant(value, x.dtype()); }

// coefficients[0] + coefficients[1] x + ..., by Horner's rule.
inline ScalarExpr polynomial(ScalarExpr x, std::span<const double> coefficients) {
  ScalarExpr sum = number_beside(x, coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) sum = sum * x + Scalar(coefficients[i]);
  return sum;
}

// A function of f64 as the formula of an op: the result is rounded once.
template <ScalarExpr (*function)(ScalarExpr)>
ScalarExpr through_f64(ScalarBuilder& s, const OpArgs&, Inputs x) {
  return s.convert(function(s.convert(x[0], DType::f64)), x[0].dtype());
}

// B2, B4, ...
inline constexpr std::array<double, 10> bernoulli = {1.0 / 6,         -1.0 / 30,        1.0 / 42, -1.0 / 30,
                                                     5.0 / 66,        -691.0 / 2730,    7.0 / 6,  -3617.0 / 510.0,
                                                     43867.0 / 798.0, -174611.0 / 330.0};

// The derivative of the logarithm of the gamma function (f64).
ScalarExpr digamma_formula(ScalarExpr x);

// How far x is from the nearest integer: sin(pi x) keeps its size, tan(pi x) its value.
inline ScalarExpr from_nearest_integer(ScalarExpr x) { return x - round(x); }

}  // namespace sinter
