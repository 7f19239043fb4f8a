// exp, erf, sigmoid, tanh and pow of f32: within 1 ulp of the exact value, pow within 2, every special case
// IEEE's.
//
// Arguments are reduced after Cody and Waite ("Software manual for the elementary functions", 1980); the polynomials
// are minimax fits of our own with f32 coefficients (fit.sollya). Only +, -, *, /, fma and integer operations are used,
// so the bits are the same on every instruction set.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// 2^n as two factors, each in range for n from -252 to 254.
// piece: TwoFactors_f32
struct TwoFactors_f32 {
  f32v first, second;
};
inline TwoFactors_f32 two_factors(i32v n) {
  i32v half = n >> 1;
  return {(f32v)((u32v)(half + 127) << 23), (f32v)((u32v)(n - half + 127) << 23)};
}

// y * 2^n, rounded once, for a whole number n from -252 to 254.
// piece: times_two_to_f32
inline f32v times_two_to(f32v y, f32v n) {
#ifdef __AVX512F__
  if (N % 16 == 0) {
    typedef float f32x16 __attribute__((vector_size(64)));
    f32x16 ys[N / 16 + 1], ns[N / 16 + 1];
    __builtin_memcpy(ys, &y, sizeof y);
    __builtin_memcpy(ns, &n, sizeof n);
    for (int i = 0; i < N / 16; ++i)
      ys[i] = (f32x16)__builtin_ia32_scalefps512_mask(ys[i], ns[i], ys[i], (unsigned short)-1, 4);
    __builtin_memcpy(&y, ys, sizeof y);
    return y;
  }
#endif
  TwoFactors_f32 scale = two_factors((i32v)(n + 0x1.8p23f) - 0x4b400000);
  return y * scale.first * scale.second;
}

// 2^r for |r| <= 1/2.
// piece: fraction_of_two_f32 needs: fma_f32
inline f32v fraction_of_two(f32v r) {
  f32v e = fma(r, splat_f32(0x1.3fad5cp-13f), 0x1.5f0ca8p-10f);
  e = fma(e, r, 0x1.3b3096p-7f);
  e = fma(e, r, 0x1.c6af74p-5f);
  e = fma(e, r, 0x1.ebfbd8p-3f);
  e = fma(e, r, 0x1.62e43p-1f);
  return fma(e, r, 1.0f);
}

// exp(x) = 2^n * (1 + t) with |t| < 0.42; t_low is what rounding took from t.
// piece: ExpParts_f32 needs: fma_f32
struct ExpParts_f32 {
  i32v n;
  f32v whole_n, t, t_low;
};
inline ExpParts_f32 exp_parts(f32v x) {
  f32v shifted = fma(x, 0x1.715476p+0f, splat_f32(0x1.8p23f)), n = shifted - 0x1.8p23f;
  f32v near = fma(n, -0x1.62e43p-1f, x), shift = n * 0x1.05c61p-29f, r = near + shift;  // near is exact
  f32v q = fma(r, splat_f32(0x1.6a5e34p-10f), 0x1.123adp-7f);
  q = fma(q, r, 0x1.5558a2p-5f);
  q = fma(q, r, 0x1.55549p-3f);
  q = fma(q, r, 0x1.fffffcp-2f);
  f32v rest = fma(q, r * r, shift), t = near + rest;
  return {(i32v)shifted - 0x4b400000, n, t, rest - (t - near)};
}

// piece: exp_f32 needs: times_two_to_f32
inline f32v exp(f32v x) {
  f32v low = splat_f32(-104.0f), high = splat_f32(89.0f);
  x = low > x ? low : x;  // NaN stays
  x = high < x ? high : x;
  ExpParts_f32 e = exp_parts(x);
  return times_two_to(1.0f + e.t, e.whole_n);
}

// Near zero x + x P(x^2); further out 1 - 2^Q / 8, where Q is a fit of log2(erfc |x|) + 3 in powers of |x| - 1.085.
// There it is zero, so it has few rounding errors where they would count.
// piece: erf_f32 needs: fma_f32 copysign_f32
inline f32v erf(f32v x) {
  f32v s = x * x;
  f32v p = fma(s, splat_f32(0x1.4c27a2p-14f), -0x1.a507acp-11f);
  p = fma(p, s, 0x1.542dc6p-8f);
  p = fma(p, s, -0x1.b7fe8cp-6f);
  p = fma(p, s, 0x1.ce2d5p-4f);
  p = fma(p, s, -0x1.81274p-2f);
  p = fma(p, s, 0x1.06eba8p-3f);
  f32v near = fma(p, x, x);

  f32v a = (f32v)((i32v)x & 0x7fffffff), end = splat_f32(3.95f);
  f32v d = (a < end ? a : end) - 0x1.15cp0f;
  f32v q = fma(d, splat_f32(0x1.283b12p-12f), -0x1.4e245p-9f);
  q = fma(q, d, 0x1.b1ce52p-7f);
  q = fma(q, d, -0x1.c47f98p-5f);
  q = fma(q, d, -0x1.3b23fep0f);
  q = fma(q, d, -0x1.00f898p2f);
  q = fma(q, d, -0x1.6e0ee8p-11f);
  f32v shifted = q + 0x1.8p23f, r = q - (shifted - 0x1.8p23f);
  f32v e = fma(r, splat_f32(0x1.3fad5cp-16f), 0x1.5f0ca8p-13f);  // 2^r / 8
  e = fma(e, r, 0x1.3b3096p-10f);
  e = fma(e, r, 0x1.c6af74p-8f);
  e = fma(e, r, 0x1.ebfbd8p-6f);
  e = fma(e, r, 0x1.62e43p-4f);
  e = fma(e, r, 0.125f);
  e = (f32v)((u32v)e + ((u32v)shifted << 23));
  f32v far = copysign(1.0f - e, x);
  return a >= 0.96f ? far : near;  // NaN goes near
}

// 1 / d for a d not far from 1.
// piece: inverse_f32
inline f32v inverse(f32v d) { return 1.0f / d; }

// With e = exp(-|x|): 1 / (1 + e) for x >= 0 and e / (1 + e) below, both divided with what rounding took from e.
// piece: sigmoid_f32 needs: fma_f32 inverse_f32
inline f32v sigmoid(f32v x) {
  f32v a = -(f32v)((i32v)x & 0x7fffffff), end = splat_f32(-104.0f);
  a = end > a ? end : a;
  ExpParts_f32 e = exp_parts(a);
  TwoFactors_f32 scale = two_factors(e.n);
  f32v s = scale.first * scale.second, p = 1.0f + e.t, p_low = (e.t - (p - 1.0f)) + e.t_low;
  f32v d = fma(s, p, splat_f32(1.0f)), d_low = fma(s, p, 1.0f - d) + s * p_low;
  f32v one = splat_f32(1.0f), zero = {};
  i32v below = x < 0;
  f32v top = below ? p : one, top_low = below ? p_low : zero;
  f32v share = inverse(d), y = top * share;
  y = fma(fma(-y, d, top) + (top_low - y * d_low), share, y);
  return y * (below ? scale.first : one) * (below ? scale.second : one);
}

// With e = exp(-2|x|): (1 - e) / (1 + e), divided with what rounding took from either.
// piece: tanh_f32 needs: fma_f32 copysign_f32 inverse_f32
inline f32v tanh(f32v x) {
  f32v a = (f32v)((i32v)x & 0x7fffffff) * -2.0f, end = splat_f32(-40.0f);
  a = end > a ? end : a;
  ExpParts_f32 e = exp_parts(a);
  f32v s = (f32v)((u32v)(e.n + 127) << 23);
  f32v down = 1.0f - s, up = 1.0f + s;
  f32v top = fma(-s, e.t, down), top_low = fma(-s, e.t, down - top) + (((1.0f - down) - s) - s * e.t_low);
  f32v d = fma(s, e.t, up), d_low = fma(s, e.t, up - d) + (((1.0f - up) + s) + s * e.t_low);
  f32v share = inverse(d), y = top * share;
  y = fma(fma(-y, d, top) + (top_low - y * d_low), share, y);
  return copysign(y, x);
}

// x^y = 2^(y log2 |x|) with the logarithm in f64; then the cases of C99, Annex F.
// piece: pow_f32 needs: times_two_to_f32 fraction_of_two_f32 fma_f32 fma_f64 trunc_f32 round_f64
inline f32v pow(f32v x, f32v y) {
  const float infinity = __builtin_inff();
  f32v a = (f32v)((i32v)x & 0x7fffffff);
  u64v i = (u64v) __builtin_convertvector(a, f64v) + 0x00095f619980c433;
  f64v m = (f64v)((i & 0xfffffffffffff) + 0x3fe6a09e667f3bcd),
       k = (f64v)(i >> 52 | 0x4330000000000000) - 0x1.00000000003ffp52;
  f64v s = (m - 1.0) / (m + 1.0), z = s * s;
  f64v p = fma(z, splat_f64(0x1.5d0f92306569dp-2), 0x1.a58b814c6de57p-2);
  p = fma(p, z, 0x1.2777840532bb6p-1);
  p = fma(p, z, 0x1.ec709d0da01b9p-1);
  p = fma(p, z, 0x1.71547652bf1dfp1);
  f64v power = fma(p, s, k) * __builtin_convertvector(y, f64v), low = splat_f64(-160.0), high = splat_f64(130.0);
  power = low > power ? low : power;
  power = high < power ? high : power;
  f64v n = round(power);
  f32v e = times_two_to(fraction_of_two(__builtin_convertvector(power - n, f32v)), __builtin_convertvector(n, f32v));

  f32v one = splat_f32(1.0f), none = splat_f32(infinity), zero = {}, nan = splat_f32(__builtin_nanf(""));
  i32v y_below = y < 0, grows = (a > 1.0f) ^ y_below, y_infinite = (f32v)((i32v)y & 0x7fffffff) == infinity;
  i32v extreme = (a == 0) | (a == infinity) | y_infinite;
  e = extreme ? (grows ? none : zero) : e;
  e = (y_infinite & (a == 1.0f)) ? one : e;
  f32v half = y * 0.5f;
  i32v whole = trunc(y) == y, odd = whole & (trunc(half) != half);
  e = (f32v)((i32v)e ^ ((i32v)x & odd & (-0x7fffffff - 1)));
  e = ((x < 0) & (a != infinity) & ~whole) ? nan : e;
  e = ((x != x) | (y != y)) ? nan : e;
  return ((x == 1.0f) | (y == 0)) ? one : e;
}
// end of pieces

}  // namespace
