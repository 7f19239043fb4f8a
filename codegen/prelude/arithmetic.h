// Arithmetic, comparison and rounding of f32 and f64.
//
// maximum and minimum are NaN where either operand is; of two equal operands (zeros of either sign) they give the
// second.

#pragma once

#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/memory.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: add_f32
inline f32v add(f32v a, f32v b) { return a + b; }
// piece: sub_f32
inline f32v sub(f32v a, f32v b) { return a - b; }
// piece: mul_f32
inline f32v mul(f32v a, f32v b) { return a * b; }
// piece: div_f32
inline f32v div(f32v a, f32v b) { return a / b; }
// piece: neg_f32
inline f32v neg(f32v x) { return -x; }
// piece: abs_f32
inline f32v abs(f32v x) { return (f32v)((i32v)x & 0x7fffffff); }
// piece: copysign_f32
inline f32v copysign(f32v x, f32v sign) { return (f32v)(((i32v)x & 0x7fffffff) | ((i32v)sign & ~0x7fffffff)); }
// piece: minimum_f32
inline f32v minimum(f32v a, f32v b) {
  f32v ordered = a < b ? a : b;
  return a != a ? a : ordered;
}
// piece: maximum_f32
inline f32v maximum(f32v a, f32v b) {
  f32v ordered = a > b ? a : b;
  return a != a ? a : ordered;
}
// piece: eq_f32
inline b32v eq(f32v a, f32v b) { return b32v{a == b}; }
// piece: ne_f32
inline b32v ne(f32v a, f32v b) { return b32v{a != b}; }
// piece: lt_f32
inline b32v lt(f32v a, f32v b) { return b32v{a < b}; }
// piece: le_f32
inline b32v le(f32v a, f32v b) { return b32v{a <= b}; }
// piece: gt_f32
inline b32v gt(f32v a, f32v b) { return b32v{a > b}; }
// piece: ge_f32
inline b32v ge(f32v a, f32v b) { return b32v{a >= b}; }
// piece: is_nan_f32
inline b32v is_nan(f32v x) { return b32v{x != x}; }
// piece: sqrt_f32
inline f32v sqrt(f32v x) {
#if __has_builtin(__builtin_elementwise_sqrt)
  return __builtin_elementwise_sqrt(x);
#else
  f32v r;
#pragma GCC unroll 64
  for (int i = 0; i < N; ++i) r[i] = __builtin_sqrtf(x[i]);
  return r;
#endif
}
// piece: round_f32
inline f32v round(f32v x) {
#if __has_builtin(__builtin_elementwise_roundeven)
  return __builtin_elementwise_roundeven(x);
#else
  f32v r;
#pragma GCC unroll 64
  for (int i = 0; i < N; ++i) r[i] = __builtin_nearbyintf(x[i]);
  return r;
#endif
}
// piece: floor_f32 needs: round_f32 copysign_f32
inline f32v floor(f32v x) {
#if __has_builtin(__builtin_elementwise_floor)
  return __builtin_elementwise_floor(x);
#else
  f32v r = round(x);
  r = r > x ? r - 1 : r;
  return copysign(r, x);
#endif
}
// piece: ceil_f32 needs: round_f32 copysign_f32
inline f32v ceil(f32v x) {
#if __has_builtin(__builtin_elementwise_ceil)
  return __builtin_elementwise_ceil(x);
#else
  f32v r = round(x);
  r = r < x ? r + 1 : r;
  return copysign(r, x);
#endif
}
// piece: trunc_f32 needs: round_f32 copysign_f32 abs_f32
inline f32v trunc(f32v x) {
#if __has_builtin(__builtin_elementwise_trunc)
  return __builtin_elementwise_trunc(x);
#else
  f32v a = abs(x), r = round(a);
  r = r > a ? r - 1 : r;
  return copysign(r, x);
#endif
}
// piece: add_f64
inline f64v add(f64v a, f64v b) { return a + b; }
// piece: sub_f64
inline f64v sub(f64v a, f64v b) { return a - b; }
// piece: mul_f64
inline f64v mul(f64v a, f64v b) { return a * b; }
// piece: div_f64
inline f64v div(f64v a, f64v b) { return a / b; }
// piece: neg_f64
inline f64v neg(f64v x) { return -x; }
// piece: abs_f64
inline f64v abs(f64v x) { return (f64v)((i64v)x & 0x7fffffffffffffff); }
// piece: copysign_f64
inline f64v copysign(f64v x, f64v sign) {
  return (f64v)(((i64v)x & 0x7fffffffffffffff) | ((i64v)sign & ~0x7fffffffffffffff));
}
// piece: minimum_f64
inline f64v minimum(f64v a, f64v b) {
  f64v ordered = a < b ? a : b;
  return a != a ? a : ordered;
}
// piece: maximum_f64
inline f64v maximum(f64v a, f64v b) {
  f64v ordered = a > b ? a : b;
  return a != a ? a : ordered;
}
// piece: eq_f64
inline b32v eq(f64v a, f64v b) { return b32v{__builtin_convertvector(a == b, i32v)}; }
// piece: ne_f64
inline b32v ne(f64v a, f64v b) { return b32v{__builtin_convertvector(a != b, i32v)}; }
// piece: lt_f64
inline b32v lt(f64v a, f64v b) { return b32v{__builtin_convertvector(a < b, i32v)}; }
// piece: le_f64
inline b32v le(f64v a, f64v b) { return b32v{__builtin_convertvector(a <= b, i32v)}; }
// piece: gt_f64
inline b32v gt(f64v a, f64v b) { return b32v{__builtin_convertvector(a > b, i32v)}; }
// piece: ge_f64
inline b32v ge(f64v a, f64v b) { return b32v{__builtin_convertvector(a >= b, i32v)}; }
// piece: is_nan_f64
inline b32v is_nan(f64v x) { return b32v{__builtin_convertvector(x != x, i32v)}; }
// piece: sqrt_f64
inline f64v sqrt(f64v x) {
#if __has_builtin(__builtin_elementwise_sqrt)
  return __builtin_elementwise_sqrt(x);
#else
  f64v r;
#pragma GCC unroll 64
  for (int i = 0; i < N; ++i) r[i] = __builtin_sqrt(x[i]);
  return r;
#endif
}
// piece: round_f64
inline f64v round(f64v x) {
#if __has_builtin(__builtin_elementwise_roundeven)
  return __builtin_elementwise_roundeven(x);
#else
  f64v r;
#pragma GCC unroll 64
  for (int i = 0; i < N; ++i) r[i] = __builtin_nearbyint(x[i]);
  return r;
#endif
}
// piece: floor_f64 needs: round_f64 copysign_f64
inline f64v floor(f64v x) {
#if __has_builtin(__builtin_elementwise_floor)
  return __builtin_elementwise_floor(x);
#else
  f64v r = round(x);
  r = r > x ? r - 1 : r;
  return copysign(r, x);
#endif
}
// piece: ceil_f64 needs: round_f64 copysign_f64
inline f64v ceil(f64v x) {
#if __has_builtin(__builtin_elementwise_ceil)
  return __builtin_elementwise_ceil(x);
#else
  f64v r = round(x);
  r = r < x ? r + 1 : r;
  return copysign(r, x);
#endif
}
// piece: trunc_f64 needs: round_f64 copysign_f64 abs_f64
inline f64v trunc(f64v x) {
#if __has_builtin(__builtin_elementwise_trunc)
  return __builtin_elementwise_trunc(x);
#else
  f64v a = abs(x), r = round(a);
  r = r > a ? r - 1 : r;
  return copysign(r, x);
#endif
}
// end of pieces

}  // namespace
