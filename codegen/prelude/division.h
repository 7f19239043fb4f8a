// Division of floats with the rounding rules of ATen: div_trunc, div_floor, fmod (exact) and remainder.
//
// div_floor is the quotient that belongs to the exact fmod, not a rounded quotient's floor.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// The remainder of |a| / |b| where the quotient is too large for one step: long division of the mantissas.
// piece: long_fmod_f32
__attribute__((noinline)) void long_fmod(f32v a, f32v b, i32v where, f32v& r) {
  for (int i = 0; i < N; ++i) {
    if (!where[i]) continue;
    unsigned x = ((u32v)a)[i], y = ((u32v)b)[i];
    int ex = (int)(x >> 23), ey = (int)(y >> 23);
    unsigned long m = (x & 0x7fffff) | (ex != 0 ? 0x800000 : 0), divisor = (y & 0x7fffff) | (ey != 0 ? 0x800000 : 0);
    int left = (ex != 0 ? ex : 1) - (ey != 0 ? ey : 1);
    m %= divisor;
    for (; left > 0; left -= 32) m = (m << (left < 32 ? left : 32)) % divisor;
    if (ey == 0) ey = 1;
    if (m != 0) {
      int up = __builtin_clzl(m) - 40;
      up = up < ey - 1 ? up : ey - 1;
      m <<= up;
      ey -= up;
      m = (m & 0x800000) != 0 ? (m & 0x7fffff) | (unsigned long)ey << 23 : m;
    }
    unsigned bits = (unsigned)m;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    r[i] = value;
  }
}
// piece: fmod_f32 needs: long_fmod_f32 fma_f32 trunc_f32 copysign_f32
inline f32v fmod(f32v x, f32v y) {
  const float infinity = __builtin_inff();
  f32v a = (f32v)((i32v)x & 0x7fffffff), b = (f32v)((i32v)y & 0x7fffffff);
  f32v q = trunc(a / b), r = fma(-q, b, a);
  r = r < 0 ? r + b : r;  // a / b was rounded up to the next whole number
  r = q == 0 ? a : r;
  i32v ordinary = (a < infinity) & (b > 0), far = ordinary & (b < infinity) & ~(q < 0x1p22f);
  if (any(b32v{far})) long_fmod(a, b, far, r);
  f32v nan = splat_f32(__builtin_nanf(""));
  r = ordinary ? r : nan;
  return copysign(r, x);
}
// piece: remainder_f32 needs: fmod_f32
inline f32v remainder(f32v a, f32v b) {
  f32v r = fmod(a, b);
  return ((r != 0) & ((r < 0) ^ (b < 0))) ? r + b : r;
}
// piece: div_trunc_f32 needs: trunc_f32
inline f32v div_trunc(f32v a, f32v b) { return trunc(a / b); }
// piece: div_floor_f32 needs: fmod_f32 floor_f32 copysign_f32
inline f32v div_floor(f32v a, f32v b) {
  f32v quotient = a / b, r = fmod(a, b), zero = {};
  f32v q = (a - r) / b;
  q = ((r != 0) & ((r < 0) ^ (b < 0))) ? q - 1.0f : q;
  f32v whole = floor(q);
  whole = q - whole > 0.5f ? whole + 1.0f : whole;
  whole = q != 0 ? whole : copysign(zero, quotient);
  return b == 0 ? quotient : whole;
}

// The remainder of |a| / |b| where the quotient is too large for one step: long division of the mantissas.
// piece: long_fmod_f64
__attribute__((noinline)) void long_fmod(f64v a, f64v b, i64v where, f64v& r) {
  for (int i = 0; i < N; ++i) {
    if (!where[i]) continue;
    unsigned long x = ((u64v)a)[i], y = ((u64v)b)[i];
    int ex = (int)(x >> 52), ey = (int)(y >> 52);
    unsigned long m = (x & 0xfffffffffffff) | (ex != 0 ? 0x10000000000000 : 0),
                  divisor = (y & 0xfffffffffffff) | (ey != 0 ? 0x10000000000000 : 0);
    int left = (ex != 0 ? ex : 1) - (ey != 0 ? ey : 1);
    m %= divisor;
    for (; left > 0; left -= 11) m = (m << (left < 11 ? left : 11)) % divisor;
    if (ey == 0) ey = 1;
    if (m != 0) {
      int up = __builtin_clzl(m) - 11;
      up = up < ey - 1 ? up : ey - 1;
      m <<= up;
      ey -= up;
      m = (m & 0x10000000000000) != 0 ? (m & 0xfffffffffffff) | (unsigned long)ey << 52 : m;
    }
    unsigned long bits = (unsigned long)m;
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    r[i] = value;
  }
}
// piece: fmod_f64 needs: long_fmod_f64 fma_f64 trunc_f64 copysign_f64
inline f64v fmod(f64v x, f64v y) {
  const double infinity = __builtin_inf();
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), b = (f64v)((i64v)y & 0x7fffffffffffffff);
  f64v q = trunc(a / b), r = fma(-q, b, a);
  r = r < 0 ? r + b : r;  // a / b was rounded up to the next whole number
  r = q == 0 ? a : r;
  i64v ordinary = (a < infinity) & (b > 0), far = ordinary & (b < infinity) & ~(q < 0x1p51);
  if (any(b32v{__builtin_convertvector(far, i32v)})) long_fmod(a, b, far, r);
  f64v nan = splat_f64(__builtin_nan(""));
  r = ordinary ? r : nan;
  return copysign(r, x);
}
// piece: remainder_f64 needs: fmod_f64
inline f64v remainder(f64v a, f64v b) {
  f64v r = fmod(a, b);
  return ((r != 0) & ((r < 0) ^ (b < 0))) ? r + b : r;
}
// piece: div_trunc_f64 needs: trunc_f64
inline f64v div_trunc(f64v a, f64v b) { return trunc(a / b); }
// piece: div_floor_f64 needs: fmod_f64 floor_f64 copysign_f64
inline f64v div_floor(f64v a, f64v b) {
  f64v quotient = a / b, r = fmod(a, b), zero = {};
  f64v q = (a - r) / b;
  q = ((r != 0) & ((r < 0) ^ (b < 0))) ? q - 1.0 : q;
  f64v whole = floor(q);
  whole = q - whole > 0.5 ? whole + 1.0 : whole;
  whole = q != 0 ? whole : copysign(zero, quotient);
  return b == 0 ? quotient : whole;
}
// end of pieces

}  // namespace
