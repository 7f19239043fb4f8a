// sin, cos and tan of f64 within 2 ulp for every finite argument; the method is that of trigonometry_f32.

#pragma once

#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: Angle_f64 needs: fma_f64
struct Angle_f64 {
  i64v quadrant;
  f64v r, r_low;
};
// |x| = m 2^e: m times those 192 bits of 2/pi which matter modulo 4. The lanes below the limit are left alone.
__attribute__((noinline)) void reduce_huge(f64v x, Angle_f64& angle) {
  static const unsigned long two_over_pi[] = {0,
                                              0xa2f9836e4e441529,
                                              0xfc2757d1f534ddc0,
                                              0xdb6295993c439041,
                                              0xfe5163abdebbc561,
                                              0xb7246e3a424dd2e0,
                                              0x06492eea09d1921c,
                                              0xfe1deb1cb129a73e,
                                              0xe88235f52ebb4484,
                                              0xe99c7026b45f7e41,
                                              0x3991d639835339f4,
                                              0x9c845f8bbdf9283b,
                                              0x1ff897ffde05980f,
                                              0xef2f118b5a0a6d1f,
                                              0x6d367ecf27cb09b7,
                                              0x4f463f669e5fea2d,
                                              0x7527bac7ebe5f17b,
                                              0x3d0739f78a5292ea,
                                              0x6bfb5fb11f8d5d08,
                                              0x56033046fc7b6bab,
                                              0xf0cfbc209af4361d};
  f64v turn = {}, turn_low = {};
  i64v huge = x > 0x1p20;
  for (int i = 0; i < N; ++i) {
    unsigned long bits = ((u64v)x)[i], m = (bits & 0xfffffffffffff) | 1UL << 52;
    if (!huge[i]) continue;
    int exponent = (int)(bits >> 52), from = (exponent == 2047 ? 1023 : exponent) - 1075 + 62, by = from % 64;
    const unsigned long* word = two_over_pi + from / 64;
    unsigned long w[3];
    for (int j = 0; j < 3; ++j) w[j] = by == 0 ? word[j] : word[j] << by | word[j + 1] >> (64 - by);
    unsigned __int128 low = (unsigned __int128)m * w[2],
                      middle = (unsigned __int128)m * w[1] + (unsigned long)(low >> 64);
    unsigned long top = m * w[0] + (unsigned long)(middle >> 64), next = (unsigned long)middle;
    angle.quadrant[i] = (long)(top >> 62) + (long)(top >> 61 & 1);
    long fraction = (long)(top << 2 | next >> 62), rest = fraction & 0x7ff;
    double below = (double)(next << 2 | (unsigned long)low >> 62) * 0x1p-64;
    turn[i] = (double)(fraction - rest);
    turn_low[i] = exponent == 2047 ? __builtin_nan("") : (double)rest + below;
  }
  f64v high = turn + turn_low, high_low = (turn - high) + turn_low;
  f64v r = high * 0x1.921fb54442d18p-64;
  f64v r_low =
      fma(high, 0x1.921fb54442d18p-64, -r) + (high * 0x1.1a62633145c07p-118 + high_low * 0x1.921fb54442d18p-64);
  f64v sum = r + r_low;
  angle.r = huge ? sum : angle.r;
  angle.r_low = huge ? (r - sum) + r_low : angle.r_low;
}
inline Angle_f64 reduce_angle(f64v a) {
  f64v shifted = fma(a, 0x1.45f306dc9c883p-1, splat_f64(0x1.8p52)), k = shifted - 0x1.8p52;
  f64v first = fma(k, -0x1.921fb54442d18p0, a), second = k * -0x1.1a62633145c07p-54, r = first + second;
  f64v r_low = fma(k, -0x1.1a62633145c07p-54, -second) + (second - (r - first));
  r_low = fma(k, 0x1.f1976b7ed8fbcp-110, r_low);
  Angle_f64 angle = {(i64v)shifted, r, r_low};
  if (any(b32v{__builtin_convertvector(a > 0x1p20, i32v)})) reduce_huge(a, angle);
  return angle;
}
// sin(r + r_low) = r + sine and cos(r + r_low) = near + cosine
// piece: SineParts_f64 needs: Angle_f64
struct SineParts_f64 {
  f64v sine, near, cosine;
};
inline SineParts_f64 sine_parts(const Angle_f64& angle) {
  f64v r = angle.r, z = r * r;
  f64v p = fma(z, splat_f64(0x1.5d8d6e1094154p-33), -0x1.ae5e52092adfp-26);
  p = fma(p, z, 0x1.71de355c5f14p-19);
  p = fma(p, z, -0x1.a01a019befb93p-13);
  p = fma(p, z, 0x1.111111110f751p-7);
  p = fma(p, z, -0x1.5555555555548p-3);
  f64v q = fma(z, splat_f64(-0x1.8fb080bcc1d06p-37), 0x1.1ee9f033658cbp-29);
  q = fma(q, z, -0x1.27e4f81167082p-22);
  q = fma(q, z, 0x1.a01a019cbe19dp-16);
  q = fma(q, z, -0x1.6c16c16c15218p-10);
  q = fma(q, z, 0x1.555555555554cp-5);
  f64v half = r * -0.5, near = fma(half, r, splat_f64(1.0)), rest = fma(half, r, 1.0 - near);
  return {fma(p, r * z, angle.r_low), near, fma(q, z * z, fma(-r, angle.r_low, rest))};
}
// sin in even quadrants, cos in odd ones, negated in the upper two.
inline f64v sine_in_quadrant(const Angle_f64& angle) {
  SineParts_f64 parts = sine_parts(angle);
  f64v sine = angle.r + parts.sine, cosine = parts.near + parts.cosine;
  f64v value = (angle.quadrant & 1) != 0 ? cosine : sine;
  return (f64v)((u64v)value ^ ((u64v)(angle.quadrant & 2) << 62));
}

// piece: sin_f64 needs: SineParts_f64
inline f64v sin(f64v x) {
  f64v y = sine_in_quadrant(reduce_angle((f64v)((i64v)x & 0x7fffffffffffffff)));
  return (f64v)((i64v)y ^ ((i64v)x & (-0x7fffffffffffffff - 1)));
}

// piece: cos_f64 needs: SineParts_f64
inline f64v cos(f64v x) {
  Angle_f64 angle = reduce_angle((f64v)((i64v)x & 0x7fffffffffffffff));
  angle.quadrant += 1;
  return sine_in_quadrant(angle);
}
// The quotient of sine and cosine, with what rounding took from either; minus its inverse in odd quadrants.
// piece: tan_f64 needs: SineParts_f64
inline f64v tan(f64v x) {
  Angle_f64 angle = reduce_angle((f64v)((i64v)x & 0x7fffffffffffffff));
  SineParts_f64 parts = sine_parts(angle);
  f64v sine = angle.r + parts.sine, sine_low = parts.sine - (sine - angle.r);
  f64v cosine = parts.near + parts.cosine, cosine_low = parts.cosine - (cosine - parts.near);
  i64v odd = (angle.quadrant & 1) != 0;
  f64v top = odd ? -cosine : sine, top_low = odd ? -cosine_low : sine_low;
  f64v d = odd ? sine : cosine, d_low = odd ? sine_low : cosine_low;
  f64v inverse = 1.0 / d, y = top * inverse;
  y = fma(fma(-y, d, top) + (top_low - y * d_low), inverse, y);
  return (f64v)((i64v)y ^ ((i64v)x & (-0x7fffffffffffffff - 1)));
}
// end of pieces

}  // namespace
