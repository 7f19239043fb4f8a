// log (within 1 ulp of the exact value), log1p, log2, log10 and the inverse hyperbolic functions (2 ulp, 1.4 seen) of
// f32; every special case is IEEE's.
//
// Arguments are reduced to 2^n (1 + f); the series is a minimax fit of our own (fit.sollya). The logarithm of a sum is
// log(u + c) = log(u) + c / u, where c is what rounding took from u. So asinh x = log(1 + (x + x^2 / (1 + sqrt(1 +
// x^2)))) keeps its relative error near zero.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// x = 2^n (1 + f) for x > 0, with 1 + f between 2/3 and 4/3.
// piece: LogArgument_f32
struct LogArgument_f32 {
  f32v n, f;
};
inline LogArgument_f32 log_argument(f32v x) {
  i32v tiny = x < 0x1p-126f;
  f32v scaled = tiny ? x * 0x1p23f : x;
  i32v i = (i32v)scaled - 0x3f2aaaab, k = (i >> 23) - (tiny & 23);
  return {__builtin_convertvector(k, f32v), (f32v)((i & 0x7fffff) + 0x3f2aaaab) - 1.0f};
}
// (log(1 + f) - f + f^2 / 2) / f^3
// piece: log_series_f32 needs: fma_f32
inline f32v log_series(f32v f) {
  f32v p = fma(f, splat_f32(-0x1.080caap-3f), 0x1.1e73b8p-3f);
  p = fma(p, f, -0x1.f30e34p-4f);
  p = fma(p, f, 0x1.1ed422p-3f);
  p = fma(p, f, -0x1.559de4p-3f);
  p = fma(p, f, 0x1.99d05ep-3f);
  p = fma(p, f, -0x1.fffefp-3f);
  return fma(p, f, 0x1.555506p-2f);
}
// log(1 + f) - f
// piece: log_rest_f32 needs: fma_f32 log_series_f32
inline f32v log_rest(f32v f) { return (f * f) * fma(log_series(f), f, -0.5f); }
// What log gives outside of the positive numbers; y elsewhere.
// piece: log_limits_f32
inline f32v log_limits(f32v x, f32v y) {
  f32v infinity = splat_f32(__builtin_inff()), nan = splat_f32(__builtin_nanf(""));
  f32v beyond = x == infinity ? infinity : y;
  return x > 0 ? beyond : x == 0 ? -infinity : nan;
}

// log(2^n (1 + f)) = n ln 2 + log(1 + f)
// piece: log_f32 needs: fma_f32 log_series_f32 log_limits_f32
inline f32v log(f32v x) {
  LogArgument_f32 a = log_argument(x);
  f32v high = a.n * 0x1.62e4p-1f, sum = high + a.f;  // the product is exact
  f32v low = fma(a.n, 0x1.7f7d1cp-20f, a.f - (sum - high));
  return log_limits(x, sum + fma(a.f * a.f, fma(log_series(a.f), a.f, -0.5f), low));
}

// log((u + c) 2^k) for a normal u > 0 and a c below its last place.
// piece: log_of_sum_f32 needs: fma_f32 log_rest_f32
inline f32v log_of_sum(f32v u, f32v c, f32v k) {
  LogArgument_f32 a = log_argument(u);
  f32v n = a.n + k, high = n * 0x1.62e4p-1f, sum = high + a.f;  // the product is exact
  f32v low = fma(n, 0x1.7f7d1cp-20f, a.f - (sum - high));
  return sum + (log_rest(a.f) + (low + c / u));
}
// log(1 + (y + y_low)) for y >= -1, in the sign of y.
// piece: log_of_one_plus_f32 needs: log_of_sum_f32
inline f32v log_of_one_plus(f32v y, f32v y_low, f32v k) {
  f32v u = 1.0f + y, b = u - 1.0f;
  return log_of_sum(u, (1.0f - (u - b)) + (y - b) + y_low, k);
}

// piece: log1p_f32 needs: log_of_one_plus_f32 log_limits_f32
inline f32v log1p(f32v x) {
  f32v zero = {}, y = log_limits(x + 1.0f, log_of_one_plus(x, zero, zero));
  return (f32v)((i32v)x & 0x7fffffff) < 0x1p-26f ? x : y;
}

// The product of log(1 + f) and log2(e) or log10(e) in two parts, to n or n log10(2) in two parts.
// piece: log2_f32 needs: fma_f32 log_rest_f32 log_limits_f32
inline f32v log2(f32v x) {
  LogArgument_f32 a = log_argument(x);
  f32v high = a.f * 0x1.715476p0f, low = fma(a.f, 0x1.715476p0f, -high);
  low = low + fma(log_rest(a.f), 0x1.715476p0f, a.f * 0x1.4ae0cp-26f);
  f32v sum = a.n + high;
  return log_limits(x, sum + ((high - (sum - a.n)) + low));
}

// piece: log10_f32 needs: fma_f32 log_rest_f32 log_limits_f32
inline f32v log10(f32v x) {
  LogArgument_f32 a = log_argument(x);
  f32v high = a.f * 0x1.bcb7b2p-2f, low = fma(a.f, 0x1.bcb7b2p-2f, -high);
  low = low + fma(log_rest(a.f), 0x1.bcb7b2p-2f, a.f * -0x1.5b235ep-27f);
  f32v whole = a.n * 0x1.344p-2f, sum = whole + high;  // the product is exact
  return log_limits(x, sum + ((high - (sum - whole)) + fma(a.n, 0x1.3509f8p-18f, low)));
}

// piece: asinh_f32 needs: log_of_one_plus_f32 sqrt_f32 copysign_f32
inline f32v asinh(f32v x) {
  f32v a = (f32v)((i32v)x & 0x7fffffff), zero = {}, one = splat_f32(1.0f);
  i32v huge = a > 0x1p30f;  // the logarithm of 2 |x|
  f32v b = huge ? zero : a, z = b * b, q = z / (1.0f + sqrt(1.0f + z));
  f32v y = b + q, y_low = q - (y - b);
  f32v near = log_of_one_plus(y, y_low, zero), far = log_of_sum(huge ? a : one, zero, one);
  f32v r = huge ? far : near;
  i32v is_itself = (a < 0x1p-13f) | (a == __builtin_inff());
  return copysign(is_itself ? a : r, x);
}

// log(x + sqrt((x - 1) (x + 1))), the square root and its argument in two parts.
// piece: acosh_f32 needs: log_of_one_plus_f32 fma_f32 sqrt_f32
inline f32v acosh(f32v x) {
  f32v zero = {}, one = splat_f32(1.0f), nan = splat_f32(__builtin_nanf(""));
  i32v huge = x > 0x1p30f;
  f32v b = huge ? one : x, t = b - 1.0f, p = b + 1.0f, p_low = 1.0f - (p - b);
  f32v w = t * p, w_low = fma(t, p, -w) + t * p_low, s = sqrt(w);
  f32v s_low = w > 0 ? (fma(-s, s, w) + w_low) * (0.5f / s) : zero;
  f32v y = s + t, y_low = (t - (y - s)) + s_low;
  f32v near = log_of_one_plus(y, y_low, zero), far = log_of_sum(huge ? x : one, zero, one);
  f32v r = huge ? far : near;
  r = x == __builtin_inff() ? x : r;
  return x >= 1.0f ? r : nan;
}

// log(1 + 2 |x| / (1 - |x|)) / 2, the quotient in two parts.
// piece: atanh_f32 needs: log_of_one_plus_f32 fma_f32 copysign_f32
inline f32v atanh(f32v x) {
  f32v a = (f32v)((i32v)x & 0x7fffffff), zero = {}, infinity = splat_f32(__builtin_inff()),
       nan = splat_f32(__builtin_nanf(""));
  f32v twice = 2.0f * a, d = 1.0f - a, d_low = (1.0f - d) - a;
  f32v q = twice / d, q_low = (fma(-q, d, twice) - q * d_low) / d;
  f32v y = 0.5f * log_of_one_plus(q, q_low, zero);
  y = a < 0x1p-13f ? a : y;
  y = a < 1.0f ? y : a == 1.0f ? infinity : nan;
  return copysign(y, x);
}
// end of pieces

}  // namespace
