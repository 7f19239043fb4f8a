// Division and powers of integers, with the semantics of ATen.
//
// A lane whose divisor is zero gives 0 and never traps (padding lanes are zero): a real division by zero is reported by
// other means. The quotient of the narrow types is exact in the next float type; that of i64 is taken lane by lane.

#pragma once

#include <sinter/codegen/prelude/integer.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: div_trunc_u8
inline u8v div_trunc(u8v a, u8v b) {
  u8v divisor = b == 0 ? u8v{} + (unsigned char)1 : b;
  f32v q = __builtin_convertvector(a, f32v) / __builtin_convertvector(divisor, f32v);
  u8v r = __builtin_convertvector(__builtin_convertvector(q, i32v), u8v);
  return b == 0 ? u8v{} : r;
}
// piece: fmod_u8 needs: div_trunc_u8
inline u8v fmod(u8v a, u8v b) {
  u8v r = a - div_trunc(a, b) * b;
  return b == 0 ? u8v{} : r;
}
// piece: div_floor_u8 needs: div_trunc_u8
inline u8v div_floor(u8v a, u8v b) { return div_trunc(a, b); }
// piece: remainder_u8 needs: fmod_u8
inline u8v remainder(u8v a, u8v b) { return fmod(a, b); }
// piece: pow_u8
inline u8v pow(u8v base, u8v exponent) {
  u8v one = u8v{} + (unsigned char)1;
  u8v r = one, square = base, left = exponent;
  for (int bit = 0; bit < 8; ++bit) {
    r = (left & 1) != 0 ? r * square : r;
    square *= square;
    left >>= 1;
  }
  return r;
}
// piece: div_trunc_i8
inline i8v div_trunc(i8v a, i8v b) {
  i8v divisor = b == 0 ? i8v{} + (signed char)1 : b;
  f32v q = __builtin_convertvector(a, f32v) / __builtin_convertvector(divisor, f32v);
  i8v r = __builtin_convertvector(__builtin_convertvector(q, i32v), i8v);
  return b == 0 ? i8v{} : r;
}
// piece: fmod_i8 needs: div_trunc_i8
inline i8v fmod(i8v a, i8v b) {
  i8v r = (i8v)((u8v)a - (u8v)div_trunc(a, b) * (u8v)b);
  return b == 0 ? i8v{} : r;
}
// piece: div_floor_i8 needs: div_trunc_i8
inline i8v div_floor(i8v a, i8v b) {
  i8v q = div_trunc(a, b), r = (i8v)((u8v)a - (u8v)q * (u8v)b);
  i8v below = (i8v)((r != 0) & ((r ^ b) < 0));
  return b == 0 ? i8v{} : q + below;
}
// piece: remainder_i8 needs: fmod_i8
inline i8v remainder(i8v a, i8v b) {
  i8v r = fmod(a, b);
  i8v other_sign = (i8v)((r != 0) & ((r ^ b) < 0));
  return r + (other_sign & b);
}
// piece: pow_i8
inline i8v pow(i8v base, i8v exponent) {
  i8v one = i8v{} + (signed char)1;
  i8v odd = (i8v)((exponent & 1) != 0), minus = i8v{} - (signed char)1;
  i8v inverse = base == 1 ? one : base == minus ? (odd ? minus : one) : i8v{};
  u8v r = (u8v)one, square = (u8v)base, left = (u8v)exponent;
  for (int bit = 0; bit < 7; ++bit) {
    r = (left & 1) != 0 ? r * square : r;
    square *= square;
    left >>= 1;
  }
  return exponent < 0 ? inverse : (i8v)r;
}
// piece: div_trunc_i16
inline i16v div_trunc(i16v a, i16v b) {
  i16v divisor = b == 0 ? i16v{} + (short)1 : b;
  f32v q = __builtin_convertvector(a, f32v) / __builtin_convertvector(divisor, f32v);
  i16v r = __builtin_convertvector(__builtin_convertvector(q, i32v), i16v);
  return b == 0 ? i16v{} : r;
}
// piece: fmod_i16 needs: div_trunc_i16
inline i16v fmod(i16v a, i16v b) {
  i16v r = (i16v)((u16v)a - (u16v)div_trunc(a, b) * (u16v)b);
  return b == 0 ? i16v{} : r;
}
// piece: div_floor_i16 needs: div_trunc_i16
inline i16v div_floor(i16v a, i16v b) {
  i16v q = div_trunc(a, b), r = (i16v)((u16v)a - (u16v)q * (u16v)b);
  i16v below = (i16v)((r != 0) & ((r ^ b) < 0));
  return b == 0 ? i16v{} : q + below;
}
// piece: remainder_i16 needs: fmod_i16
inline i16v remainder(i16v a, i16v b) {
  i16v r = fmod(a, b);
  i16v other_sign = (i16v)((r != 0) & ((r ^ b) < 0));
  return r + (other_sign & b);
}
// piece: pow_i16
inline i16v pow(i16v base, i16v exponent) {
  i16v one = i16v{} + (short)1;
  i16v odd = (i16v)((exponent & 1) != 0), minus = i16v{} - (short)1;
  i16v inverse = base == 1 ? one : base == minus ? (odd ? minus : one) : i16v{};
  u16v r = (u16v)one, square = (u16v)base, left = (u16v)exponent;
  for (int bit = 0; bit < 15; ++bit) {
    r = (left & 1) != 0 ? r * square : r;
    square *= square;
    left >>= 1;
  }
  return exponent < 0 ? inverse : (i16v)r;
}
// piece: div_trunc_i32
inline i32v div_trunc(i32v a, i32v b) {
  i32v divisor = b == 0 ? i32v{} + 1 : b;
  f64v q = __builtin_convertvector(a, f64v) / __builtin_convertvector(divisor, f64v);
  i32v r = __builtin_convertvector(__builtin_convertvector(q, i64v), i32v);
  return b == 0 ? i32v{} : r;
}
// piece: fmod_i32 needs: div_trunc_i32
inline i32v fmod(i32v a, i32v b) {
  i32v r = (i32v)((u32v)a - (u32v)div_trunc(a, b) * (u32v)b);
  return b == 0 ? i32v{} : r;
}
// piece: div_floor_i32 needs: div_trunc_i32
inline i32v div_floor(i32v a, i32v b) {
  i32v q = div_trunc(a, b), r = (i32v)((u32v)a - (u32v)q * (u32v)b);
  i32v below = (i32v)((r != 0) & ((r ^ b) < 0));
  return b == 0 ? i32v{} : q + below;
}
// piece: remainder_i32 needs: fmod_i32
inline i32v remainder(i32v a, i32v b) {
  i32v r = fmod(a, b);
  i32v other_sign = (i32v)((r != 0) & ((r ^ b) < 0));
  return r + (other_sign & b);
}
// piece: pow_i32
inline i32v pow(i32v base, i32v exponent) {
  i32v one = i32v{} + 1;
  i32v odd = (i32v)((exponent & 1) != 0), minus = i32v{} - 1;
  i32v inverse = base == 1 ? one : base == minus ? (odd ? minus : one) : i32v{};
  u32v r = (u32v)one, square = (u32v)base, left = (u32v)exponent;
  for (int bit = 0; bit < 31; ++bit) {
    r = (left & 1) != 0 ? r * square : r;
    square *= square;
    left >>= 1;
  }
  return exponent < 0 ? inverse : (i32v)r;
}
// piece: div_trunc_i64
inline i64v div_trunc(i64v a, i64v b) {
  i64v q;
  for (int i = 0; i < N; ++i) q[i] = b[i] == 0 ? 0 : b[i] == -1 ? (long)-(unsigned long)a[i] : a[i] / b[i];
  return q;
}
// piece: fmod_i64 needs: div_trunc_i64
inline i64v fmod(i64v a, i64v b) {
  i64v r = (i64v)((u64v)a - (u64v)div_trunc(a, b) * (u64v)b);
  return b == 0 ? i64v{} : r;
}
// piece: div_floor_i64 needs: div_trunc_i64
inline i64v div_floor(i64v a, i64v b) {
  i64v q = div_trunc(a, b), r = (i64v)((u64v)a - (u64v)q * (u64v)b);
  i64v below = (i64v)((r != 0) & ((r ^ b) < 0));
  return b == 0 ? i64v{} : q + below;
}
// piece: remainder_i64 needs: fmod_i64
inline i64v remainder(i64v a, i64v b) {
  i64v r = fmod(a, b);
  i64v other_sign = (i64v)((r != 0) & ((r ^ b) < 0));
  return r + (other_sign & b);
}
// piece: pow_i64
inline i64v pow(i64v base, i64v exponent) {
  i64v one = i64v{} + 1L;
  i64v odd = (i64v)((exponent & 1) != 0), minus = i64v{} - 1L;
  i64v inverse = base == 1 ? one : base == minus ? (odd ? minus : one) : i64v{};
  u64v r = (u64v)one, square = (u64v)base, left = (u64v)exponent;
  for (int bit = 0; bit < 63; ++bit) {
    r = (left & 1) != 0 ? r * square : r;
    square *= square;
    left >>= 1;
  }
  return exponent < 0 ? inverse : (i64v)r;
}
// end of pieces

}  // namespace
