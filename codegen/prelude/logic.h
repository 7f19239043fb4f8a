// Operations on bools (masks of 0 or -1) and the choice between two values.
//
// add, mul, maximum, minimum and the comparisons of bools are those of the numbers 0 and 1.

#pragma once

#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: bit_and_bool
inline b32v bit_and(b32v a, b32v b) { return b32v{a.bits & b.bits}; }
// piece: bit_or_bool
inline b32v bit_or(b32v a, b32v b) { return b32v{a.bits | b.bits}; }
// piece: bit_xor_bool
inline b32v bit_xor(b32v a, b32v b) { return b32v{a.bits ^ b.bits}; }
// piece: add_bool
inline b32v add(b32v a, b32v b) { return b32v{a.bits | b.bits}; }
// piece: mul_bool
inline b32v mul(b32v a, b32v b) { return b32v{a.bits & b.bits}; }
// piece: maximum_bool
inline b32v maximum(b32v a, b32v b) { return b32v{a.bits | b.bits}; }
// piece: minimum_bool
inline b32v minimum(b32v a, b32v b) { return b32v{a.bits & b.bits}; }
// piece: eq_bool
inline b32v eq(b32v a, b32v b) { return b32v{~(a.bits ^ b.bits)}; }
// piece: ne_bool
inline b32v ne(b32v a, b32v b) { return b32v{a.bits ^ b.bits}; }
// piece: lt_bool
inline b32v lt(b32v a, b32v b) { return b32v{~a.bits & b.bits}; }
// piece: le_bool
inline b32v le(b32v a, b32v b) { return b32v{~a.bits | b.bits}; }
// piece: gt_bool
inline b32v gt(b32v a, b32v b) { return b32v{a.bits & ~b.bits}; }
// piece: ge_bool
inline b32v ge(b32v a, b32v b) { return b32v{a.bits | ~b.bits}; }
// piece: bit_not_bool
inline b32v bit_not(b32v a) { return b32v{~a.bits}; }
// piece: any
inline bool any(b32v m) {
#ifdef __clang__
  return __builtin_reduce_or(m.bits) != 0;
#else
  int lanes = 0;
  for (int i = 0; i < N; ++i) lanes |= m.bits[i];
  return lanes != 0;
#endif
}
// piece: select_bool
inline b32v select(b32v m, b32v a, b32v b) { return b32v{(m.bits & a.bits) | (~m.bits & b.bits)}; }
// piece: select_u8
inline u8v select(b32v m, u8v a, u8v b) { return __builtin_convertvector(m.bits, i8v) ? a : b; }
// piece: select_i8
inline i8v select(b32v m, i8v a, i8v b) { return __builtin_convertvector(m.bits, i8v) ? a : b; }
// piece: select_i16
inline i16v select(b32v m, i16v a, i16v b) { return __builtin_convertvector(m.bits, i16v) ? a : b; }
// piece: select_i32
inline i32v select(b32v m, i32v a, i32v b) { return m.bits ? a : b; }
// piece: select_i64
inline i64v select(b32v m, i64v a, i64v b) { return __builtin_convertvector(m.bits, i64v) ? a : b; }
// piece: select_f16
inline f16v select(b32v m, f16v a, f16v b) { return f16v{__builtin_convertvector(m.bits, i16v) ? a.bits : b.bits}; }
// piece: select_bf16
inline bf16v select(b32v m, bf16v a, bf16v b) { return bf16v{__builtin_convertvector(m.bits, i16v) ? a.bits : b.bits}; }
// piece: select_f32
inline f32v select(b32v m, f32v a, f32v b) { return m.bits ? a : b; }
// piece: select_f64
inline f64v select(b32v m, f64v a, f64v b) { return __builtin_convertvector(m.bits, i64v) ? a : b; }
// end of pieces

}  // namespace
