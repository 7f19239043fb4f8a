// expm1, exp2, sinh and cosh of f32, within 2 ulp (1.01 seen) of the exact value; every special case is IEEE's.
//
// The method of exp in math_f32: x = n ln 2 + r, and what rounding took from e^r is added back where terms cancel.
// Polynomials: minimax fits of our own (fit.sollya).

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/math_f32.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// e^x / 2 as a sum.
// piece: HalfExp_f32 needs: times_two_to_f32
struct HalfExp_f32 {
  f32v high, low;
};
inline HalfExp_f32 half_exp(f32v x) {
  ExpParts_f32 e = exp_parts(x);
  f32v n = e.whole_n - 1.0f, p = 1.0f + e.t, p_low = (e.t - (p - 1.0f)) + e.t_low;
  return {times_two_to(p, n), times_two_to(p_low, n)};
}

// Twice the sum of 2^(n-1) - 1/2 and 2^(n-1) t, each with what rounding took from it.
// piece: expm1_f32 needs: fma_f32
inline f32v expm1(f32v x) {
  f32v low = splat_f32(-20.0f), high = splat_f32(89.0f);
  f32v c = low > x ? low : x;  // NaN stays
  c = high < c ? high : c;
  ExpParts_f32 e = exp_parts(c);
  f32v s = (f32v)((u32v)(e.n + 126) << 23), t = e.t, t_low = e.t_low;
  f32v d = s - 0.5f, back = d - s, d_low = (s - (d - back)) + (-0.5f - back);
  f32v y = fma(s, t, d), y_low = fma(s, t, d - y) + fma(s, t_low, d_low);
  f32v small = (f32v)((i32v)x & 0x7fffffff);
  return small < 0x1p-26f ? x : 2.0f * (y + y_low);
}

// piece: exp2_f32 needs: times_two_to_f32 fraction_of_two_f32
inline f32v exp2(f32v x) {
  f32v low = splat_f32(-152.0f), high = splat_f32(130.0f);
  x = low > x ? low : x;  // NaN stays
  x = high < x ? high : x;
  f32v n = (x + 0x1.8p23f) - 0x1.8p23f;
  return times_two_to(fraction_of_two(x - n), n);
}

// Near zero x + x^3 P(x^2); further out e^|x| / 2 - 1 / (2 e^|x|).
// piece: sinh_f32 needs: fma_f32 copysign_f32
inline f32v sinh(f32v x) {
  f32v z = x * x;
  f32v p = fma(z, splat_f32(0x1.76e9b6p-19f), 0x1.a01966p-13f);
  p = fma(p, z, 0x1.1110eep-7f);
  p = fma(p, z, 0x1.555556p-3f);
  f32v near = fma(p * z, x, x);
  f32v a = (f32v)((i32v)x & 0x7fffffff), end = splat_f32(91.0f);
  HalfExp_f32 e = half_exp(end < a ? end : a);
  f32v far = copysign(e.high + (e.low - 0.25f / e.high), x);
  return a >= 1.0f ? far : near;  // NaN goes near
}

// piece: cosh_f32 needs: fma_f32
inline f32v cosh(f32v x) {
  f32v a = (f32v)((i32v)x & 0x7fffffff), end = splat_f32(91.0f);
  HalfExp_f32 e = half_exp(end < a ? end : a);  // NaN stays
  return e.high + (e.low + 0.25f / e.high);
}
// end of pieces

}  // namespace
