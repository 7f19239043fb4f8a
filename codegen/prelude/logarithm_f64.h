// log, log1p, log2, log10 and the inverse hyperbolic functions of f64, within 2 ulp of the exact value; every special
// case is IEEE's.
//
// The logarithm is 2 atanh(f / (2 + f)), arranged as in Tang ("Table-driven implementation of the logarithm function",
// 1990), its polynomial a minimax fit of our own (fit.sollya). That of a sum is log(u + c) = log(u) + c / u, where c is
// what rounding took from u. So asinh x = log(1 + (x + x^2 / (1 + sqrt(1 + x^2)))) keeps its relative error near zero.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/pow_f64.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// What log gives outside of the positive numbers; y elsewhere.
// piece: log_limits_f64
inline f64v log_limits(f64v x, f64v y) {
  f64v infinity = splat_f64(__builtin_inf()), nan = splat_f64(__builtin_nan(""));
  f64v beyond = x == infinity ? infinity : y;
  return x > 0 ? beyond : x == 0 ? -infinity : nan;
}
// x = 2^n (1 + f) for a normal x > 0, and log(1 + f) = f - (square - s * inner).
// piece: LogTerms_f64 needs: fma_f64
struct LogTerms_f64 {
  f64v n, f, s, square, inner;
};
inline LogTerms_f64 log_terms(f64v x) {
  u64v i = (u64v)x + 0x00095f619980c433;
  f64v m = (f64v)((i & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
  f64v n = (f64v)(i >> 52 | 0x4330000000000000) - 0x1.00000000003ffp52;
  f64v f = m - 1.0, s = f / (f + 2.0), z = s * s;
  f64v p = fma(z, splat_f64(0x1.2f42aa89800b6p-3), 0x1.399be3580c5e6p-3);
  p = fma(p, z, 0x1.7466766796ffp-3);
  p = fma(p, z, 0x1.c71c51072774bp-3);
  p = fma(p, z, 0x1.249249431f91dp-2);
  p = fma(p, z, 0x1.999999997e969p-2);
  p = fma(p, z, 0x1.5555555555596p-1);
  f64v square = f * 0.5 * f;
  return {n, f, s, square, fma(p, z, square)};
}

// piece: log_f64 needs: fma_f64 log_limits_f64
inline f64v log(f64v x) {
  i64v tiny = x < 0x1p-1022;
  f64v shift = splat_f64(52.0), zero = {};
  LogTerms_f64 l = log_terms(tiny ? x * 0x1p52 : x);
  f64v n = l.n - (tiny ? shift : zero), low = fma(l.s, l.inner, n * 0x1.ef35793c7673p-45);
  return log_limits(x, n * 0x1.62e42fefa38p-1 - ((l.square - low) - l.f));  // the first product is exact
}

// log((u + c) 2^k) for a normal u > 0 and a c below its last place.
// piece: log_of_sum_f64 needs: fma_f64
inline f64v log_of_sum(f64v u, f64v c, f64v k) {
  LogTerms_f64 l = log_terms(u);
  f64v n = l.n + k, low = fma(l.s, l.inner, fma(n, 0x1.ef35793c7673p-45, c / u));
  return n * 0x1.62e42fefa38p-1 - ((l.square - low) - l.f);  // the first product is exact
}
// log(1 + (y + y_low)) for y >= -1, in the sign of y.
// piece: log_of_one_plus_f64 needs: log_of_sum_f64
inline f64v log_of_one_plus(f64v y, f64v y_low, f64v k) {
  f64v u = 1.0 + y, b = u - 1.0;
  return log_of_sum(u, (1.0 - (u - b)) + (y - b) + y_low, k);
}

// piece: log1p_f64 needs: log_of_one_plus_f64 log_limits_f64
inline f64v log1p(f64v x) {
  f64v zero = {}, y = log_limits(x + 1.0, log_of_one_plus(x, zero, zero));
  return (f64v)((i64v)x & 0x7fffffffffffffff) < 0x1p-55 ? x : y;
}

// The logarithm of pow_f64, a sum of two doubles, times log2(e): powers of two give whole numbers.
// piece: log2_f64 needs: fma_f64 log_limits_f64
inline f64v log2(f64v x) {
  LogParts_f64 l = log_parts(x);
  f64v y = l.high * 0x1.71547652b82fep0;
  return log_limits(
      x, y + (fma(l.high, 0x1.71547652b82fep0, -y) + (l.high * 0x1.777d0ffda0d24p-56 + l.low * 0x1.71547652b82fep0)));
}

// piece: log10_f64 needs: fma_f64 log_limits_f64
inline f64v log10(f64v x) {
  LogParts_f64 l = log_parts(x);
  f64v y = l.high * 0x1.bcb7b1526e50ep-2;
  return log_limits(
      x, y + (fma(l.high, 0x1.bcb7b1526e50ep-2, -y) + (l.high * 0x1.95355baaafad3p-57 + l.low * 0x1.bcb7b1526e50ep-2)));
}

// piece: asinh_f64 needs: log_of_one_plus_f64 sqrt_f64 copysign_f64
inline f64v asinh(f64v x) {
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), zero = {}, one = splat_f64(1.0);
  i64v huge = a > 0x1p60;  // the logarithm of 2 |x|
  f64v b = huge ? zero : a, z = b * b, q = z / (1.0 + sqrt(1.0 + z));
  f64v y = b + q, y_low = q - (y - b);
  f64v near = log_of_one_plus(y, y_low, zero), far = log_of_sum(huge ? a : one, zero, one);
  f64v r = huge ? far : near;
  i64v is_itself = (a < 0x1p-28) | (a == __builtin_inf());
  return copysign(is_itself ? a : r, x);
}

// log(x + sqrt((x - 1) (x + 1))), the square root and its argument in two parts.
// piece: acosh_f64 needs: log_of_one_plus_f64 fma_f64 sqrt_f64
inline f64v acosh(f64v x) {
  f64v zero = {}, one = splat_f64(1.0), nan = splat_f64(__builtin_nan(""));
  i64v huge = x > 0x1p60;
  f64v b = huge ? one : x, t = b - 1.0, p = b + 1.0, p_low = 1.0 - (p - b);
  f64v w = t * p, w_low = fma(t, p, -w) + t * p_low, s = sqrt(w);
  f64v s_low = w > 0 ? (fma(-s, s, w) + w_low) * (0.5 / s) : zero;
  f64v y = s + t, y_low = (t - (y - s)) + s_low;
  f64v near = log_of_one_plus(y, y_low, zero), far = log_of_sum(huge ? x : one, zero, one);
  f64v r = huge ? far : near;
  r = x == __builtin_inf() ? x : r;
  return x >= 1.0 ? r : nan;
}

// log(1 + 2 |x| / (1 - |x|)) / 2, the quotient in two parts.
// piece: atanh_f64 needs: log_of_one_plus_f64 fma_f64 copysign_f64
inline f64v atanh(f64v x) {
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), zero = {}, infinity = splat_f64(__builtin_inf()),
       nan = splat_f64(__builtin_nan(""));
  f64v twice = 2.0 * a, d = 1.0 - a, d_low = (1.0 - d) - a;
  f64v q = twice / d, q_low = (fma(-q, d, twice) - q * d_low) / d;
  f64v y = 0.5 * log_of_one_plus(q, q_low, zero);
  y = a < 0x1p-28 ? a : y;
  y = a < 1.0 ? y : a == 1.0 ? infinity : nan;
  return copysign(y, x);
}
// end of pieces

}  // namespace
