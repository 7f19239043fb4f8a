// asin, acos, atan and atan2 of f32, within 2 ulp (1.4 seen) of the exact value; every special case is IEEE's.
//
// The classical reductions (Cody and Waite, "Software manual for the elementary functions", 1980): half angles beyond
// 1/2, the complement beyond 1, with the constants and the quotients in two parts.
// Polynomials: minimax fits of our own (fit.sollya).

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// asin(a) for |x| = a <= 1/2 is a + rest; beyond, asin(a) is pi/2 - 2 (a + rest) with a = sqrt((1 - |x|) / 2).
// piece: ArcSine_f32 needs: fma_f32 sqrt_f32
struct ArcSine_f32 {
  i32v is_far;
  f32v a, rest;
};
inline ArcSine_f32 arc_sine(f32v x) {
  f32v zero = {};
  i32v is_far = x > 0.5f;
  f32v z = is_far ? 0.5f - 0.5f * x : x * x, s = sqrt(z);
  f32v s_low = z > 0 ? fma(-s, s, z) * (0.5f / s) : zero;
  f32v p = fma(z, splat_f32(0x1.59da76p-5f), 0x1.8ba7c6p-6f);
  p = fma(p, z, 0x1.748b3p-5f);
  p = fma(p, z, 0x1.330164p-4f);
  p = fma(p, z, 0x1.5555cap-3f);
  f32v a = is_far ? s : x;
  return {is_far, a, fma(a, p * z, is_far ? s_low : zero)};
}

// piece: asin_f32 needs: copysign_f32
inline f32v asin(f32v x) {
  ArcSine_f32 s = arc_sine((f32v)((i32v)x & 0x7fffffff));
  f32v twice = 2.0f * s.a, h = 0x1.921fb6p0f - twice, h_low = (0x1.921fb6p0f - h) - twice;
  f32v far = h + (h_low + (-0x1.777a5cp-25f - 2.0f * s.rest));
  return copysign(s.is_far ? far : s.a + s.rest, x);
}

// piece: acos_f32
inline f32v acos(f32v x) {
  ArcSine_f32 s = arc_sine((f32v)((i32v)x & 0x7fffffff));
  f32v zero = {}, half_pi = splat_f32(0x1.921fb6p0f), half_pi_low = splat_f32(-0x1.777a5cp-25f);
  i32v below = x < 0;
  f32v base = s.is_far ? (below ? 2.0f * half_pi : zero) : half_pi;
  f32v base_low = s.is_far ? (below ? 2.0f * half_pi_low : zero) : half_pi_low;
  f32v a = s.is_far ? -2.0f * s.a : s.a, rest = s.is_far ? -2.0f * s.rest : s.rest;
  a = below ? -a : a;
  rest = below ? -rest : rest;
  f32v h = base - a;
  return h + (((base - h) - a) + (base_low - rest));
}

// base + atan(q + q_low), or base - it, for 0 <= q <= 1.
// piece: add_arc_f32 needs: fma_f32
inline f32v add_arc(f32v base, f32v base_low, i32v is_less, f32v q, f32v q_low) {
  f32v z = q * q;
  f32v p = fma(z, splat_f32(-0x1.de871ep-10f), 0x1.6a4c2p-7f);
  p = fma(p, z, -0x1.018fa4p-5f);
  p = fma(p, z, 0x1.dcee08p-5f);
  p = fma(p, z, -0x1.58d282p-4f);
  p = fma(p, z, 0x1.c0ceeap-4f);
  p = fma(p, z, -0x1.242698p-3f);
  p = fma(p, z, 0x1.99926cp-3f);
  p = fma(p, z, -0x1.55554p-2f);
  f32v rest = fma(p * z, q, fma(-q_low, 0.5f * z, q_low));
  q = is_less ? -q : q;
  rest = is_less ? -rest : rest;
  f32v h = base + q;
  return h + ((q - (h - base)) + (base_low + rest));
}

// piece: atan_f32 needs: add_arc_f32 fma_f32 copysign_f32
inline f32v atan(f32v x) {
  f32v a = (f32v)((i32v)x & 0x7fffffff), zero = {}, end = splat_f32(0x1p60f);
  f32v base = splat_f32(0x1.921fb6p0f), base_low = splat_f32(-0x1.777a5cp-25f);
  a = end < a ? end : a;  // NaN stays
  f32v inverse = 1.0f / a, inverse_low = fma(-inverse, a, splat_f32(1.0f)) * inverse;
  i32v beyond = a > 1.0f;
  base = beyond ? base : zero;
  base_low = beyond ? base_low : zero;
  return copysign(add_arc(base, base_low, beyond, beyond ? inverse : a, beyond ? inverse_low : zero), x);
}

// The angle of the point (x, y) by that of the point mirrored into 0 <= y <= x.
// piece: atan2_f32 needs: add_arc_f32 fma_f32 copysign_f32
inline f32v atan2(f32v y, f32v x) {
  const float infinity = __builtin_inff();
  f32v zero = {}, one = splat_f32(1.0f), nan = splat_f32(__builtin_nanf(""));
  f32v ax = (f32v)((i32v)x & 0x7fffffff), ay = (f32v)((i32v)y & 0x7fffffff);
  i32v steep = ay > ax, left = (i32v)x < 0;
  f32v top = steep ? ax : ay, bottom = steep ? ay : ax;
  top = bottom == infinity ? (top == infinity ? one : zero) : top;
  bottom = ((bottom == 0) | (bottom == infinity)) ? one : bottom;
  f32v q = top / bottom, q_low = fma(-q, bottom, top) / bottom;
  f32v half_pi = splat_f32(0x1.921fb6p0f), half_pi_low = splat_f32(-0x1.777a5cp-25f);
  f32v base = steep ? half_pi : left ? 2.0f * half_pi : zero;
  f32v base_low = steep ? half_pi_low : left ? 2.0f * half_pi_low : zero;
  i32v is_less = steep ^ left;
  f32v angle = copysign(add_arc(base, base_low, is_less, q, q_low), y);
  return ((x != x) | (y != y)) ? nan : angle;
}
// end of pieces

}  // namespace
