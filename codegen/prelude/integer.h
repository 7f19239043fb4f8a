// Integer operations with the semantics of ATen: everything wraps around, nothing is undefined, nothing traps.
//
// Shifts by a negative amount or by the width and more give 0 (left) or the sign (right).

#pragma once

#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: add_u8
inline u8v add(u8v a, u8v b) { return a + b; }
// piece: sub_u8
inline u8v sub(u8v a, u8v b) { return a - b; }
// piece: mul_u8
inline u8v mul(u8v a, u8v b) { return a * b; }
// piece: neg_u8
inline u8v neg(u8v x) { return -x; }
// piece: abs_u8
inline u8v abs(u8v x) { return x; }
// piece: minimum_u8
inline u8v minimum(u8v a, u8v b) { return a < b ? a : b; }
// piece: maximum_u8
inline u8v maximum(u8v a, u8v b) { return a > b ? a : b; }
// piece: bit_and_u8
inline u8v bit_and(u8v a, u8v b) { return a & b; }
// piece: bit_or_u8
inline u8v bit_or(u8v a, u8v b) { return a | b; }
// piece: bit_xor_u8
inline u8v bit_xor(u8v a, u8v b) { return a ^ b; }
// piece: bit_not_u8
inline u8v bit_not(u8v x) { return ~x; }
// piece: eq_u8
inline b32v eq(u8v a, u8v b) { return b32v{__builtin_convertvector((i8v)(a == b), i32v)}; }
// piece: ne_u8
inline b32v ne(u8v a, u8v b) { return b32v{__builtin_convertvector((i8v)(a != b), i32v)}; }
// piece: lt_u8
inline b32v lt(u8v a, u8v b) { return b32v{__builtin_convertvector((i8v)(a < b), i32v)}; }
// piece: le_u8
inline b32v le(u8v a, u8v b) { return b32v{__builtin_convertvector((i8v)(a <= b), i32v)}; }
// piece: gt_u8
inline b32v gt(u8v a, u8v b) { return b32v{__builtin_convertvector((i8v)(a > b), i32v)}; }
// piece: ge_u8
inline b32v ge(u8v a, u8v b) { return b32v{__builtin_convertvector((i8v)(a >= b), i32v)}; }
// piece: shift_left_u8
inline u8v shift_left(u8v a, u8v amount) {
  u8v n = amount;
  u8v shifted = a << (n & 7);
  return n < 8 ? shifted : u8v{};
}
// piece: shift_right_u8
inline u8v shift_right(u8v a, u8v n) {
  u8v shifted = a >> (n & 7);
  return n < 8 ? shifted : u8v{};
}
// piece: add_i8
inline i8v add(i8v a, i8v b) { return (i8v)((u8v)a + (u8v)b); }
// piece: sub_i8
inline i8v sub(i8v a, i8v b) { return (i8v)((u8v)a - (u8v)b); }
// piece: mul_i8
inline i8v mul(i8v a, i8v b) { return (i8v)((u8v)a * (u8v)b); }
// piece: neg_i8
inline i8v neg(i8v x) { return (i8v)(-(u8v)x); }
// piece: abs_i8
inline i8v abs(i8v x) { return x < 0 ? (i8v) - (u8v)x : x; }
// piece: minimum_i8
inline i8v minimum(i8v a, i8v b) { return a < b ? a : b; }
// piece: maximum_i8
inline i8v maximum(i8v a, i8v b) { return a > b ? a : b; }
// piece: bit_and_i8
inline i8v bit_and(i8v a, i8v b) { return a & b; }
// piece: bit_or_i8
inline i8v bit_or(i8v a, i8v b) { return a | b; }
// piece: bit_xor_i8
inline i8v bit_xor(i8v a, i8v b) { return a ^ b; }
// piece: bit_not_i8
inline i8v bit_not(i8v x) { return ~x; }
// piece: eq_i8
inline b32v eq(i8v a, i8v b) { return b32v{__builtin_convertvector((i8v)(a == b), i32v)}; }
// piece: ne_i8
inline b32v ne(i8v a, i8v b) { return b32v{__builtin_convertvector((i8v)(a != b), i32v)}; }
// piece: lt_i8
inline b32v lt(i8v a, i8v b) { return b32v{__builtin_convertvector((i8v)(a < b), i32v)}; }
// piece: le_i8
inline b32v le(i8v a, i8v b) { return b32v{__builtin_convertvector((i8v)(a <= b), i32v)}; }
// piece: gt_i8
inline b32v gt(i8v a, i8v b) { return b32v{__builtin_convertvector((i8v)(a > b), i32v)}; }
// piece: ge_i8
inline b32v ge(i8v a, i8v b) { return b32v{__builtin_convertvector((i8v)(a >= b), i32v)}; }
// piece: shift_left_i8
inline i8v shift_left(i8v a, i8v amount) {
  u8v n = (u8v)amount;
  u8v shifted = (u8v)a << (n & 7);
  return (i8v)(n < 8 ? shifted : u8v{});
}
// piece: shift_right_i8
inline i8v shift_right(i8v a, i8v amount) {
  u8v n = (u8v)amount;
  i8v most = i8v{} + 7;
  return a >> (n < 8 ? amount : most);
}
// piece: add_i16
inline i16v add(i16v a, i16v b) { return (i16v)((u16v)a + (u16v)b); }
// piece: sub_i16
inline i16v sub(i16v a, i16v b) { return (i16v)((u16v)a - (u16v)b); }
// piece: mul_i16
inline i16v mul(i16v a, i16v b) { return (i16v)((u16v)a * (u16v)b); }
// piece: neg_i16
inline i16v neg(i16v x) { return (i16v)(-(u16v)x); }
// piece: abs_i16
inline i16v abs(i16v x) { return x < 0 ? (i16v) - (u16v)x : x; }
// piece: minimum_i16
inline i16v minimum(i16v a, i16v b) { return a < b ? a : b; }
// piece: maximum_i16
inline i16v maximum(i16v a, i16v b) { return a > b ? a : b; }
// piece: bit_and_i16
inline i16v bit_and(i16v a, i16v b) { return a & b; }
// piece: bit_or_i16
inline i16v bit_or(i16v a, i16v b) { return a | b; }
// piece: bit_xor_i16
inline i16v bit_xor(i16v a, i16v b) { return a ^ b; }
// piece: bit_not_i16
inline i16v bit_not(i16v x) { return ~x; }
// piece: eq_i16
inline b32v eq(i16v a, i16v b) { return b32v{__builtin_convertvector((i16v)(a == b), i32v)}; }
// piece: ne_i16
inline b32v ne(i16v a, i16v b) { return b32v{__builtin_convertvector((i16v)(a != b), i32v)}; }
// piece: lt_i16
inline b32v lt(i16v a, i16v b) { return b32v{__builtin_convertvector((i16v)(a < b), i32v)}; }
// piece: le_i16
inline b32v le(i16v a, i16v b) { return b32v{__builtin_convertvector((i16v)(a <= b), i32v)}; }
// piece: gt_i16
inline b32v gt(i16v a, i16v b) { return b32v{__builtin_convertvector((i16v)(a > b), i32v)}; }
// piece: ge_i16
inline b32v ge(i16v a, i16v b) { return b32v{__builtin_convertvector((i16v)(a >= b), i32v)}; }
// piece: shift_left_i16
inline i16v shift_left(i16v a, i16v amount) {
  u16v n = (u16v)amount;
  u16v shifted = (u16v)a << (n & 15);
  return (i16v)(n < 16 ? shifted : u16v{});
}
// piece: shift_right_i16
inline i16v shift_right(i16v a, i16v amount) {
  u16v n = (u16v)amount;
  i16v most = i16v{} + 15;
  return a >> (n < 16 ? amount : most);
}
// piece: add_i32
inline i32v add(i32v a, i32v b) { return (i32v)((u32v)a + (u32v)b); }
// piece: sub_i32
inline i32v sub(i32v a, i32v b) { return (i32v)((u32v)a - (u32v)b); }
// piece: mul_i32
inline i32v mul(i32v a, i32v b) { return (i32v)((u32v)a * (u32v)b); }
// piece: neg_i32
inline i32v neg(i32v x) { return (i32v)(-(u32v)x); }
// piece: abs_i32
inline i32v abs(i32v x) { return x < 0 ? (i32v) - (u32v)x : x; }
// piece: minimum_i32
inline i32v minimum(i32v a, i32v b) { return a < b ? a : b; }
// piece: maximum_i32
inline i32v maximum(i32v a, i32v b) { return a > b ? a : b; }
// piece: bit_and_i32
inline i32v bit_and(i32v a, i32v b) { return a & b; }
// piece: bit_or_i32
inline i32v bit_or(i32v a, i32v b) { return a | b; }
// piece: bit_xor_i32
inline i32v bit_xor(i32v a, i32v b) { return a ^ b; }
// piece: bit_not_i32
inline i32v bit_not(i32v x) { return ~x; }
// piece: eq_i32
inline b32v eq(i32v a, i32v b) { return b32v{a == b}; }
// piece: ne_i32
inline b32v ne(i32v a, i32v b) { return b32v{a != b}; }
// piece: lt_i32
inline b32v lt(i32v a, i32v b) { return b32v{a < b}; }
// piece: le_i32
inline b32v le(i32v a, i32v b) { return b32v{a <= b}; }
// piece: gt_i32
inline b32v gt(i32v a, i32v b) { return b32v{a > b}; }
// piece: ge_i32
inline b32v ge(i32v a, i32v b) { return b32v{a >= b}; }
// piece: shift_left_i32
inline i32v shift_left(i32v a, i32v amount) {
  u32v n = (u32v)amount;
  u32v shifted = (u32v)a << (n & 31);
  return (i32v)(n < 32 ? shifted : u32v{});
}
// piece: shift_right_i32
inline i32v shift_right(i32v a, i32v amount) {
  u32v n = (u32v)amount;
  i32v most = i32v{} + 31;
  return a >> (n < 32 ? amount : most);
}
// piece: add_i64
inline i64v add(i64v a, i64v b) { return (i64v)((u64v)a + (u64v)b); }
// piece: sub_i64
inline i64v sub(i64v a, i64v b) { return (i64v)((u64v)a - (u64v)b); }
// piece: mul_i64
inline i64v mul(i64v a, i64v b) { return (i64v)((u64v)a * (u64v)b); }
// piece: neg_i64
inline i64v neg(i64v x) { return (i64v)(-(u64v)x); }
// piece: abs_i64
inline i64v abs(i64v x) { return x < 0 ? (i64v) - (u64v)x : x; }
// piece: minimum_i64
inline i64v minimum(i64v a, i64v b) { return a < b ? a : b; }
// piece: maximum_i64
inline i64v maximum(i64v a, i64v b) { return a > b ? a : b; }
// piece: bit_and_i64
inline i64v bit_and(i64v a, i64v b) { return a & b; }
// piece: bit_or_i64
inline i64v bit_or(i64v a, i64v b) { return a | b; }
// piece: bit_xor_i64
inline i64v bit_xor(i64v a, i64v b) { return a ^ b; }
// piece: bit_not_i64
inline i64v bit_not(i64v x) { return ~x; }
// piece: eq_i64
inline b32v eq(i64v a, i64v b) { return b32v{__builtin_convertvector((i64v)(a == b), i32v)}; }
// piece: ne_i64
inline b32v ne(i64v a, i64v b) { return b32v{__builtin_convertvector((i64v)(a != b), i32v)}; }
// piece: lt_i64
inline b32v lt(i64v a, i64v b) { return b32v{__builtin_convertvector((i64v)(a < b), i32v)}; }
// piece: le_i64
inline b32v le(i64v a, i64v b) { return b32v{__builtin_convertvector((i64v)(a <= b), i32v)}; }
// piece: gt_i64
inline b32v gt(i64v a, i64v b) { return b32v{__builtin_convertvector((i64v)(a > b), i32v)}; }
// piece: ge_i64
inline b32v ge(i64v a, i64v b) { return b32v{__builtin_convertvector((i64v)(a >= b), i32v)}; }
// piece: shift_left_i64
inline i64v shift_left(i64v a, i64v amount) {
  u64v n = (u64v)amount;
  u64v shifted = (u64v)a << (n & 63);
  return (i64v)(n < 64 ? shifted : u64v{});
}
// piece: shift_right_i64
inline i64v shift_right(i64v a, i64v amount) {
  u64v n = (u64v)amount;
  i64v most = i64v{} + 63;
  return a >> (n < 64 ? amount : most);
}
// end of pieces

}  // namespace
