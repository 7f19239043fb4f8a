// What the formulas of special functions share: they are computed in f64 for every type, out of sums of powers.

#pragma once

#include <sinter/graph/ops/define.h>

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

// How far x is from the nearest integer: sin(pi x) keeps its size, tan(pi x) its value.
inline ScalarExpr from_nearest_integer(ScalarExpr x) { return x - round(x); }

}  // namespace sinter
