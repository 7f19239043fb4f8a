// The distance of a result from the exact value in units of the result type's last place.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

// `exact` in a wider type. What overflows T counts as the power of two after T's largest value; a wrong NaN or a wrong
// sign of zero is infinitely far.
template <class T, class Wide>
double ulp_error(T got, Wide exact) {
  using L = std::numeric_limits<T>;
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : wrong;
  if (got == exact && std::signbit(got) == std::signbit(exact)) return 0;
  if (exact == 0) return wrong;
  auto capped = [](Wide x) {
    const Wide cap = std::ldexp(Wide(1), L::max_exponent);
    return std::fabs(x) < cap ? x : std::copysign(cap, x);
  };
  Wide value = capped(got);
  exact = capped(exact);
  int exponent;
  std::frexp(exact, &exponent);
  exponent = std::max(std::min(exponent, L::max_exponent), L::min_exponent);
  return static_cast<double>(std::fabs(value - exact) / std::ldexp(Wide(1), exponent - L::digits));
}
