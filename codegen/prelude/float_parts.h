// The parts of a float (mantissa and exponent, as frexp gives them), its neighbours, and hypot.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: mantissa_f32
inline f32v mantissa(f32v x) {
  f32v a = (f32v)((i32v)x & 0x7fffffff);
  f32v scaled = a < 0x1p-126f ? x * 0x1p23f : x;
  f32v m = (f32v)(((i32v)scaled & ~0x7f800000) | 0x3f000000);
  return ((a > 0) & (a < __builtin_inff())) ? m : x;
}
// piece: exponent_f32
inline f32v exponent(f32v x) {
  f32v a = (f32v)((i32v)x & 0x7fffffff), zero = {};
  i32v tiny = a < 0x1p-126f;
  f32v scaled = tiny ? a * 0x1p23f : a;
  f32v e = __builtin_convertvector(((i32v)scaled >> 23) - 126 - (tiny & 23), f32v);
  return ((a > 0) & (a < __builtin_inff())) ? e : zero;
}
// The next number after x on the way to y; y itself if they are equal.
// piece: nextafter_f32 needs: copysign_f32
inline f32v nextafter(f32v x, f32v y) {
  i32v grows = (x < y) ^ (x < 0);
  f32v moved = (f32v)((i32v)x - (grows | 1)), least = splat_f32(0x1p-149f);
  f32v r = x == 0 ? copysign(least, y) : moved;
  r = x == y ? y : r;
  return ((x != x) | (y != y)) ? x + y : r;
}
// Through f64, whose squares of floats are exact.
// piece: hypot_f32 needs: sqrt_f64
inline f32v hypot(f32v x, f32v y) {
  f64v a = __builtin_convertvector(x, f64v), b = __builtin_convertvector(y, f64v);
  f32v ax = (f32v)((i32v)x & 0x7fffffff), ay = (f32v)((i32v)y & 0x7fffffff), infinity = splat_f32(__builtin_inff());
  f32v r = __builtin_convertvector(sqrt(a * a + b * b), f32v);
  return ((ax == infinity) | (ay == infinity)) ? infinity : r;
}

// piece: mantissa_f64
inline f64v mantissa(f64v x) {
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff);
  f64v scaled = a < 0x1p-1022 ? x * 0x1p52 : x;
  f64v m = (f64v)(((i64v)scaled & ~0x7ff0000000000000) | 0x3fe0000000000000);
  return ((a > 0) & (a < __builtin_inf())) ? m : x;
}
// The biased exponent becomes a float as the low bits of 2^52.
// piece: exponent_f64
inline f64v exponent(f64v x) {
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), zero = {}, shift = splat_f64(52.0);
  i64v tiny = a < 0x1p-1022;
  f64v scaled = tiny ? a * 0x1p52 : a;
  f64v e = (f64v)((u64v)scaled >> 52 | 0x4330000000000000) - 0x1.00000000003fep52 - (tiny ? shift : zero);
  return ((a > 0) & (a < __builtin_inf())) ? e : zero;
}
// As in f32.
// piece: nextafter_f64 needs: copysign_f64
inline f64v nextafter(f64v x, f64v y) {
  i64v grows = (x < y) ^ (x < 0);
  f64v moved = (f64v)((i64v)x - (grows | 1)), least = splat_f64(0x1p-1074);
  f64v r = x == 0 ? copysign(least, y) : moved;
  r = x == y ? y : r;
  return ((x != x) | (y != y)) ? x + y : r;
}
// Scaled by a power of two where a square would leave the range; the sum of squares in two parts.
// piece: hypot_f64 needs: fma_f64 sqrt_f64
inline f64v hypot(f64v x, f64v y) {
  f64v ax = (f64v)((i64v)x & 0x7fffffffffffffff), ay = (f64v)((i64v)y & 0x7fffffffffffffff), zero = {};
  f64v a = ax < ay ? ay : ax, b = ax < ay ? ax : ay, infinity = splat_f64(__builtin_inf());
  f64v one = splat_f64(1.0), up = splat_f64(0x1p600), down = splat_f64(0x1p-600);
  i64v large = a > 0x1p500, small = a < 0x1p-440;
  f64v scale = large ? down : small ? up : one, back = large ? up : small ? down : one;
  a = a * scale;
  b = b * scale;
  f64v aa = a * a, bb = b * b, s = aa + bb, s_low = (bb - (s - aa)) + (fma(a, a, -aa) + fma(b, b, -bb));
  f64v h = sqrt(s), h_low = h > 0 ? (fma(-h, h, s) + s_low) * (0.5 / h) : zero;
  f64v r = (h + h_low) * back;
  return ((ax == infinity) | (ay == infinity)) ? infinity : r;
}
// end of pieces

}  // namespace
