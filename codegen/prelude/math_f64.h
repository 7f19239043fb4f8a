// exp, erf, sigmoid and tanh of f64, within 2 ulp of the exact value; every special case is IEEE's.
//
// The methods are those of math_f32. Polynomials: minimax fits of our own (fit.sollya).

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// 2^n as two factors, each in range for n from -2044 to 2046.
// piece: TwoFactors_f64
struct TwoFactors_f64 {
  f64v first, second;
};
inline TwoFactors_f64 two_factors(i64v n) {
  i64v half = (i64v)((u64v)(n + 4096) >> 1) - 2048;
  return {(f64v)((u64v)(half + 1023) << 52), (f64v)((u64v)(n - half + 1023) << 52)};
}

// exp(r) = 1 + t for |r| < 0.347.
// piece: exp_reduced_f64 needs: fma_f64
inline f64v exp_reduced_rest(f64v r) {
  f64v q = fma(r, splat_f64(0x1.ad8dcc540e8c5p-26), 0x1.28ae4e475fcb6p-22);
  q = fma(q, r, 0x1.71df1ce6681ccp-19);
  q = fma(q, r, 0x1.a01999128ca8fp-16);
  q = fma(q, r, 0x1.a01a012dd5481p-13);
  q = fma(q, r, 0x1.6c16c1848d831p-10);
  q = fma(q, r, 0x1.1111111127257p-7);
  q = fma(q, r, 0x1.555555555067bp-5);
  q = fma(q, r, 0x1.55555555554fcp-3);
  q = fma(q, r, 0x1.000000000000ap-1);
  return q * (r * r);
}

// y * 2^n, rounded once, for a whole number n from -2044 to 2046.
// piece: times_two_to_f64
inline f64v times_two_to(f64v y, f64v n) {
#ifdef __AVX512F__
  if (N % 8 == 0) {
    typedef double f64x8 __attribute__((vector_size(64)));
    f64x8 ys[N / 8 + 1], ns[N / 8 + 1];
    __builtin_memcpy(ys, &y, sizeof y);
    __builtin_memcpy(ns, &n, sizeof n);
    for (int i = 0; i < N / 8; ++i)
      ys[i] = (f64x8)__builtin_ia32_scalefpd512_mask(ys[i], ns[i], ys[i], (unsigned char)-1, 4);
    __builtin_memcpy(&y, ys, sizeof y);
    return y;
  }
#endif
  TwoFactors_f64 scale = two_factors((i64v)(n + 0x1.8p52) - 0x4338000000000000);
  return y * scale.first * scale.second;
}

// exp(x) = 2^n * (1 + t) with |t| < 0.42; t_low is what rounding took from t.
// piece: ExpParts_f64 needs: exp_reduced_f64
struct ExpParts_f64 {
  i64v n;
  f64v whole_n, t, t_low;
};
inline ExpParts_f64 exp_parts(f64v x) {
  f64v shifted = fma(x, 0x1.71547652b82fep+0, splat_f64(0x1.8p52)), n = shifted - 0x1.8p52;
  f64v r = fma(n, -0x1.62e42fefa39efp-1, x);
  r = fma(n, -0x1.abc9e3b39803fp-56, r);
  f64v rest = exp_reduced_rest(r), t = r + rest;
  return {(i64v)shifted - 0x4338000000000000, n, t, rest - (t - r)};
}

// piece: exp_f64 needs: times_two_to_f64
inline f64v exp(f64v x) {
  f64v low = splat_f64(-746.0), high = splat_f64(710.0);
  x = low > x ? low : x;  // NaN stays
  x = high < x ? high : x;
  ExpParts_f64 e = exp_parts(x);
  return times_two_to(1.0 + e.t, e.whole_n);
}

// Near zero x + x P(x^2); further out 1 - exp(-x^2) G((|x| - 2) / (|x| + 2)), G a fit of exp(x^2) erfc(x).
// piece: erf_f64 needs: fma_f64 copysign_f64
inline f64v erf(f64v x) {
  f64v s = x * x;
  f64v p = fma(s, splat_f64(-0x1.e01e84c45196bp-31), 0x1.e6a224ca106ap-27);
  p = fma(p, s, -0x1.5e051fcb8165p-23);
  p = fma(p, s, 0x1.b9ca094e6715p-20);
  p = fma(p, s, -0x1.f4d108caa2124p-17);
  p = fma(p, s, 0x1.f9a31f8ea7b3cp-14);
  p = fma(p, s, -0x1.c02db40ed280fp-11);
  p = fma(p, s, 0x1.565bcd1066fa8p-8);
  p = fma(p, s, -0x1.b82ce312a1ea7p-6);
  p = fma(p, s, 0x1.ce2f21a0434cbp-4);
  p = fma(p, s, -0x1.812746b0379fcp-2);
  p = fma(p, s, 0x1.06eba8214db69p-3);
  f64v near = fma(p, x, x);

  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), end = splat_f64(6.0);
  a = a < end ? a : end;
  f64v t = (a - 2.0) / (a + 2.0);
  f64v g = fma(t, splat_f64(-0x1.3fab13efc5373p-19), -0x1.04023c4dc9ff6p-16);
  g = fma(g, t, -0x1.cf389df41e7d4p-16);
  g = fma(g, t, 0x1.d0cc0e093e601p-16);
  g = fma(g, t, 0x1.6dc3a0275cfap-13);
  g = fma(g, t, 0x1.6d5ca2c646fb6p-15);
  g = fma(g, t, -0x1.016b83a818265p-10);
  g = fma(g, t, -0x1.bc25ace500861p-11);
  g = fma(g, t, 0x1.ca95ed6c48447p-8);
  g = fma(g, t, 0x1.e94715a29c11bp-9);
  g = fma(g, t, -0x1.437f0b68bf4e6p-4);
  g = fma(g, t, 0x1.eeea7dc8a75cap-3);
  g = fma(g, t, -0x1.b57034efd3f7fp-2);
  g = fma(g, t, 0x1.058671b52c776p-2);
  ExpParts_f64 e = exp_parts(-(a * a));
  f64v scaled = (1.0 + e.t) * (f64v)((u64v)(e.n + 1023) << 52);
  f64v far = copysign(fma(-scaled, g, splat_f64(1.0)), x);
  f64v distance = (f64v)((i64v)x & 0x7fffffffffffffff);
  return distance >= 0.9 ? far : near;  // NaN goes near
}

// As in math_f32.
// piece: sigmoid_f64 needs: fma_f64
inline f64v sigmoid(f64v x) {
  f64v a = -(f64v)((i64v)x & 0x7fffffffffffffff), end = splat_f64(-746.0);
  a = end > a ? end : a;
  ExpParts_f64 e = exp_parts(a);
  TwoFactors_f64 scale = two_factors(e.n);
  f64v s = scale.first * scale.second, p = 1.0 + e.t, p_low = (e.t - (p - 1.0)) + e.t_low;
  f64v d = fma(s, p, splat_f64(1.0)), d_low = fma(s, p, 1.0 - d) + s * p_low;
  f64v one = splat_f64(1.0), zero = {};
  i64v below = x < 0;
  f64v top = below ? p : one, top_low = below ? p_low : zero;
  f64v inverse = 1.0 / d, y = top * inverse;
  y = fma(fma(-y, d, top) + (top_low - y * d_low), inverse, y);
  return y * (below ? scale.first : one) * (below ? scale.second : one);
}

// As in math_f32.
// piece: tanh_f64 needs: fma_f64 copysign_f64
inline f64v tanh(f64v x) {
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff) * -2.0, end = splat_f64(-80.0);
  a = end > a ? end : a;
  ExpParts_f64 e = exp_parts(a);
  f64v s = (f64v)((u64v)(e.n + 1023) << 52);
  f64v down = 1.0 - s, up = 1.0 + s;
  f64v top = fma(-s, e.t, down), top_low = fma(-s, e.t, down - top) + (((1.0 - down) - s) - s * e.t_low);
  f64v d = fma(s, e.t, up), d_low = fma(s, e.t, up - d) + (((1.0 - up) + s) + s * e.t_low);
  f64v inverse = 1.0 / d, y = top * inverse;
  y = fma(fma(-y, d, top) + (top_low - y * d_low), inverse, y);
  return copysign(y, x);
}
// end of pieces

}  // namespace
