// asin, acos, atan and atan2 of f64, within 2 ulp of the exact value; every special case is IEEE's.
//
// The classical reductions (Cody and Waite, "Software manual for the elementary functions", 1980): half angles beyond
// 1/2, the complement beyond 1, and pi/4 less beyond tan pi/8, with the constants and the quotients in two parts.
// Polynomials: minimax fits of our own (fit.sollya).

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// asin(a) for |x| = a <= 1/2 is a + rest; beyond, asin(a) is pi/2 - 2 (a + rest) with a = sqrt((1 - |x|) / 2).
// piece: ArcSine_f64 needs: fma_f64 sqrt_f64
struct ArcSine_f64 {
  i64v is_far;
  f64v a, rest;
};
inline ArcSine_f64 arc_sine(f64v x) {
  f64v zero = {};
  i64v is_far = x > 0.5;
  f64v z = is_far ? 0.5 - 0.5 * x : x * x, s = sqrt(z);
  f64v s_low = z > 0 ? fma(-s, s, z) * (0.5 / s) : zero;
  f64v p = fma(z, splat_f64(0x1.05ff532635fdep-5), -0x1.0b81beef22944p-6);
  p = fma(p, z, 0x1.410a641902e02p-6);
  p = fma(p, z, 0x1.aa3439a2cf97dp-8);
  p = fma(p, z, 0x1.8ef32857492bfp-7);
  p = fma(p, z, 0x1.c6f6512ab425cp-7);
  p = fma(p, z, 0x1.1c6c4372c5e8ap-6);
  p = fma(p, z, 0x1.6e89edaba91cep-6);
  p = fma(p, z, 0x1.f1c72c803e705p-6);
  p = fma(p, z, 0x1.6db6db419a161p-5);
  p = fma(p, z, 0x1.333333336fe0dp-4);
  p = fma(p, z, 0x1.5555555555384p-3);
  f64v a = is_far ? s : x;
  return {is_far, a, fma(a, p * z, is_far ? s_low : zero)};
}

// piece: asin_f64 needs: copysign_f64
inline f64v asin(f64v x) {
  ArcSine_f64 s = arc_sine((f64v)((i64v)x & 0x7fffffffffffffff));
  f64v twice = 2.0 * s.a, h = 0x1.921fb54442d18p0 - twice, h_low = (0x1.921fb54442d18p0 - h) - twice;
  f64v far = h + (h_low + (0x1.1a62633145c07p-54 - 2.0 * s.rest));
  return copysign(s.is_far ? far : s.a + s.rest, x);
}

// piece: acos_f64
inline f64v acos(f64v x) {
  ArcSine_f64 s = arc_sine((f64v)((i64v)x & 0x7fffffffffffffff));
  f64v zero = {}, half_pi = splat_f64(0x1.921fb54442d18p0), half_pi_low = splat_f64(0x1.1a62633145c07p-54);
  i64v below = x < 0;
  f64v base = s.is_far ? (below ? 2.0 * half_pi : zero) : half_pi;
  f64v base_low = s.is_far ? (below ? 2.0 * half_pi_low : zero) : half_pi_low;
  f64v a = s.is_far ? -2.0 * s.a : s.a, rest = s.is_far ? -2.0 * s.rest : s.rest;
  a = below ? -a : a;
  rest = below ? -rest : rest;
  f64v h = base - a;
  return h + (((base - h) - a) + (base_low - rest));
}

// base + atan(q + q_low), or base - it, for 0 <= q <= tan(pi/8).
// piece: add_arc_f64 needs: fma_f64
inline f64v add_arc(f64v base, f64v base_low, i64v is_less, f64v q, f64v q_low) {
  f64v z = q * q;
  f64v p = fma(z, splat_f64(0x1.f01e4050ec0a6p-7), -0x1.11be2f1bbcae1p-5);
  p = fma(p, z, 0x1.70b4a263d2b66p-5);
  p = fma(p, z, -0x1.ab6e428b49652p-5);
  p = fma(p, z, 0x1.e16f621d41a45p-5);
  p = fma(p, z, -0x1.110c4c874475cp-4);
  p = fma(p, z, 0x1.3b136b3b9b462p-4);
  p = fma(p, z, -0x1.745d14930f51cp-4);
  p = fma(p, z, 0x1.c71c71b603cp-4);
  p = fma(p, z, -0x1.249249247230ap-3);
  p = fma(p, z, 0x1.99999999995c1p-3);
  p = fma(p, z, -0x1.5555555555554p-2);
  f64v rest = fma(p * z, q, fma(-q_low, z, q_low));
  q = is_less ? -q : q;
  rest = is_less ? -rest : rest;
  f64v h = base + q;
  return h + ((q - (h - base)) + (base_low + rest));
}

// The angle of the point (x, y) by that of the point mirrored into 0 <= y <= x.
// piece: atan2_f64 needs: add_arc_f64 fma_f64 copysign_f64
inline f64v atan2(f64v y, f64v x) {
  const double infinity = __builtin_inf();
  f64v zero = {}, one = splat_f64(1.0), nan = splat_f64(__builtin_nan(""));
  f64v ax = (f64v)((i64v)x & 0x7fffffffffffffff), ay = (f64v)((i64v)y & 0x7fffffffffffffff);
  i64v steep = ay > ax, left = (i64v)x < 0;
  f64v top = steep ? ax : ay, bottom = steep ? ay : ax;
  top = bottom == infinity ? (top == infinity ? one : zero) : top;
  bottom = ((bottom == 0) | (bottom == infinity)) ? one : bottom;
  i64v large = bottom > 0x1p1000;
  top = large ? top * 0x1p-10 : top;
  bottom = large ? bottom * 0x1p-10 : bottom;
  i64v is_far = top > bottom * 0x1.a827999fcef32p-2;  // pi/4 - atan((bottom - top) / (bottom + top))
  f64v sum = bottom + top, sum_low = top - (sum - bottom);
  f64v difference = bottom - top, difference_low = (bottom - difference) - top;
  f64v n = is_far ? difference : top, n_low = is_far ? difference_low : zero;
  f64v d = is_far ? sum : bottom, d_low = is_far ? sum_low : zero;
  f64v q = n / d, q_low = (fma(-q, d, n) + (n_low - q * d_low)) / d;
  f64v half_pi = splat_f64(0x1.921fb54442d18p0), half_pi_low = splat_f64(0x1.1a62633145c07p-54);
  f64v base = steep ? half_pi : left ? 2.0 * half_pi : zero;
  f64v base_low = steep ? half_pi_low : left ? 2.0 * half_pi_low : zero;
  i64v is_less = steep ^ left;
  f64v eighths = is_less ? splat_f64(-0.5) : splat_f64(0.5), turn = is_far ? eighths : zero;
  base = fma(turn, half_pi, base);  // exact: a small multiple of pi/4
  base_low = fma(turn, half_pi_low, base_low);
  is_less ^= is_far;
  f64v angle = copysign(add_arc(base, base_low, is_less, q, q_low), y);
  return ((x != x) | (y != y)) ? nan : angle;
}

// piece: atan_f64 needs: atan2_f64
inline f64v atan(f64v x) { return atan2(x, splat_f64(1.0)); }
// end of pieces

}  // namespace
