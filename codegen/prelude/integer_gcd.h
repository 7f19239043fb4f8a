// The greatest common divisor, by Euclid's algorithm in all lanes until the last is done.
//
// The sign and the value at the most negative number are ATen's: absolute values wrap around, then C's remainders.

#pragma once

#include <sinter/codegen/prelude/integer.h>
#include <sinter/codegen/prelude/integer_division.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: gcd_u8 needs: fmod_u8
inline u8v gcd(u8v a, u8v b) {
  while (any(b32v{__builtin_convertvector((i8v)(a != 0), i32v)})) {
    u8v rest = fmod(b, a);  // 0 where a is 0
    b = a != 0 ? a : b;
    a = rest;
  }
  return b;
}
// piece: gcd_i8 needs: fmod_i8 abs_i8
inline i8v gcd(i8v a, i8v b) {
  a = abs(a);
  b = abs(b);
  while (any(b32v{__builtin_convertvector((i8v)(a != 0), i32v)})) {
    i8v rest = fmod(b, a);  // 0 where a is 0
    b = a != 0 ? a : b;
    a = rest;
  }
  return b;
}
// piece: gcd_i16 needs: fmod_i16 abs_i16
inline i16v gcd(i16v a, i16v b) {
  a = abs(a);
  b = abs(b);
  while (any(b32v{__builtin_convertvector((i16v)(a != 0), i32v)})) {
    i16v rest = fmod(b, a);  // 0 where a is 0
    b = a != 0 ? a : b;
    a = rest;
  }
  return b;
}
// piece: gcd_i32 needs: fmod_i32 abs_i32
inline i32v gcd(i32v a, i32v b) {
  a = abs(a);
  b = abs(b);
  while (any(b32v{a != 0})) {
    i32v rest = fmod(b, a);  // 0 where a is 0
    b = a != 0 ? a : b;
    a = rest;
  }
  return b;
}
// piece: gcd_i64 needs: fmod_i64 abs_i64
inline i64v gcd(i64v a, i64v b) {
  a = abs(a);
  b = abs(b);
  while (any(b32v{__builtin_convertvector((i64v)(a != 0), i32v)})) {
    i64v rest = fmod(b, a);  // 0 where a is 0
    b = a != 0 ? a : b;
    a = rest;
  }
  return b;
}
// end of pieces

}  // namespace
