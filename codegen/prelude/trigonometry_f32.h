// sin and cos of f32 within 1 ulp, tan within 2, for every finite argument.
//
// |x| - k pi/2 with pi/2 in three parts (Cody and Waite), kept as a sum r + r_low; beyond 2^17 by the bits of 2/pi
// (Payne and Hanek, "Radian reduction for trigonometric functions", 1983). Minimax polynomials of our own (fit.sollya).

#pragma once

#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: Angle_f32 needs: fma_f32
struct Angle_f32 {
  i32v quadrant;
  f32v r, r_low;
};
// |x| = m 2^e: m times those 96 bits of 2/pi which matter modulo 4. The lanes below the limit are left alone.
__attribute__((noinline)) void reduce_huge(f32v x, Angle_f32& angle) {
  static const unsigned two_over_pi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                         0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  for (int i = 0; i < N; ++i) {
    unsigned bits = ((u32v)x)[i];
    if (!(x[i] > 0x1p17f)) continue;
    int from = (int)(bits >> 23) - 150 + 30;
    const unsigned* word = two_over_pi + from / 32;
    unsigned __int128 window = 0;
    for (int j = 0; j < 4; ++j) window = window << 32 | word[j];
    window >>= 32 - from % 32;
    unsigned __int128 turns = (window * ((bits & 0x7fffff) | 0x800000)) << 32;
    angle.quadrant[i] = (int)(turns >> 126) + ((int)(turns >> 125) & 1);
    __int128 fraction = (__int128)(turns << 2);
    double r = ((double)(long)(fraction >> 64) + (double)(unsigned long)fraction * 0x1p-64) * 0x1.921fb54442d18p-64;
    r = bits >> 23 == 255 ? __builtin_nan("") : r;
    angle.r[i] = (float)r;
    angle.r_low[i] = (float)(r - (double)angle.r[i]);
  }
}
inline Angle_f32 reduce_angle(f32v a) {
  f32v shifted = fma(a, 0x1.45f306p-1f, splat_f32(0x1.8p23f)), k = shifted - 0x1.8p23f;
  f32v first = fma(k, -0x1.921fb6p0f, a), second = k * 0x1.777a5cp-25f, r = first + second;  // first is exact
  f32v r_low = fma(k, 0x1.777a5cp-25f, -second) + (second - (r - first));
  r_low = fma(k, 0x1.ee59dap-50f, r_low);
  Angle_f32 angle = {(i32v)shifted, r, r_low};
  if (any(b32v{a > 0x1p17f})) reduce_huge(a, angle);
  return angle;
}
// sin(r + r_low) = r + sine and cos(r + r_low) = near + cosine
// piece: SineParts_f32 needs: Angle_f32
struct SineParts_f32 {
  f32v sine, near, cosine;
};
inline SineParts_f32 sine_parts(const Angle_f32& angle) {
  f32v r = angle.r, z = r * r;
  f32v p = fma(z, splat_f32(-0x1.9952ecp-13f), 0x1.110776p-7f);
  p = fma(p, z, -0x1.555546p-3f);
  f32v q = fma(z, splat_f32(0x1.99eab8p-16f), -0x1.6c0c2ep-10f);
  q = fma(q, z, 0x1.55554ap-5f);
  f32v half = r * -0.5f, near = fma(half, r, 1.0f), rest = fma(half, r, 1.0f - near);
  return {fma(p, r * z, angle.r_low), near, fma(q, z * z, fma(-r, angle.r_low, rest))};
}
// sin in even quadrants, cos in odd ones, negated in the upper two.
inline f32v sine_in_quadrant(const Angle_f32& angle) {
  SineParts_f32 parts = sine_parts(angle);
  f32v sine = angle.r + parts.sine, cosine = parts.near + parts.cosine;
  f32v value = (angle.quadrant & 1) != 0 ? cosine : sine;
  return (f32v)((u32v)value ^ ((u32v)(angle.quadrant & 2) << 30));
}

// piece: sin_f32 needs: SineParts_f32
inline f32v sin(f32v x) {
  f32v y = sine_in_quadrant(reduce_angle((f32v)((i32v)x & 0x7fffffff)));
  return (f32v)((i32v)y ^ ((i32v)x & (-0x7fffffff - 1)));
}

// piece: cos_f32 needs: SineParts_f32
inline f32v cos(f32v x) {
  Angle_f32 angle = reduce_angle((f32v)((i32v)x & 0x7fffffff));
  angle.quadrant += 1;
  return sine_in_quadrant(angle);
}
// The quotient of sine and cosine, with what rounding took from either; minus its inverse in odd quadrants.
// piece: tan_f32 needs: SineParts_f32
inline f32v tan(f32v x) {
  Angle_f32 angle = reduce_angle((f32v)((i32v)x & 0x7fffffff));
  SineParts_f32 parts = sine_parts(angle);
  f32v sine = angle.r + parts.sine, sine_low = parts.sine - (sine - angle.r);
  f32v cosine = parts.near + parts.cosine, cosine_low = parts.cosine - (cosine - parts.near);
  i32v odd = (angle.quadrant & 1) != 0;
  f32v top = odd ? -cosine : sine, top_low = odd ? -cosine_low : sine_low;
  f32v d = odd ? sine : cosine, d_low = odd ? sine_low : cosine_low;
  f32v inverse = 1.0f / d, y = top * inverse;
  y = fma(fma(-y, d, top) + (top_low - y * d_low), inverse, y);
  return (f32v)((i32v)y ^ ((i32v)x & (-0x7fffffff - 1)));
}
// end of pieces

}  // namespace
