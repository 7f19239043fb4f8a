// The end of a row reduction: W partial results (64 for elements of up to 4 bytes, 32 for 8) become one.
//
// The W partial results lie in W / N vectors. Halves are combined, lane j with lane j + W/2, then + W/4 and so on, so
// the result does not depend on N.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/integer.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: LaneNumbers
// The numbers 0 to N - 1 as template arguments.
template <class Int, Int... I>
struct LaneNumbers {};
#ifdef __clang__
typedef __make_integer_seq<LaneNumbers, int, N> lane_numbers;
#else
template <int Count>
using LaneNumbersTo = LaneNumbers<int, __integer_pack(Count)...>;
typedef LaneNumbersTo<N> lane_numbers;
#endif
// piece: combine_halves
// Combines lanes i and i + Half, then i and i + Half / 2, and so on: the result is in lane 0.
template <int Half, class V, class Combine, int... I>
inline V combine_halves(V v, Combine combine, LaneNumbers<int, I...> lanes) {
  if constexpr (Half == 0) {
    return v;
  } else {
    V upper = __builtin_shufflevector(v, v, ((I + Half) & (N - 1))...);
    return combine_halves<Half / 2>(combine(v, upper), combine, lanes);
  }
}
// piece: halve needs: LaneNumbers
template <int W, class V, class Combine>
inline auto halve(const V* rows, Combine combine) {
  static_assert(W % N == 0);
  V v[W / N];
  for (int i = 0; i < W / N; ++i) v[i] = rows[i];
  for (int half = W / N / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) v[i] = combine(v[i], v[i + half]);
  }
  return combine_halves<N / 2>(v[0], combine, lane_numbers{})[0];
}
// The greater or smaller of two numbers as the machine gives it; which one it is beside NaN means nothing.
// piece: greater_of_f32
inline f32v greater_of(f32v a, f32v b) { return a > b ? a : b; }
// piece: less_of_f32
inline f32v less_of(f32v a, f32v b) { return a < b ? a : b; }
// piece: greater_of_f64
inline f64v greater_of(f64v a, f64v b) { return a > b ? a : b; }
// piece: less_of_f64
inline f64v less_of(f64v a, f64v b) { return a < b ? a : b; }
// piece: halve_greater_f32 needs: greater_of_f32
inline float halve_greater(const f32v* rows) {
  return halve<64>(rows, [](f32v a, f32v b) { return greater_of(a, b); });
}
// piece: halve_less_f32 needs: less_of_f32
inline float halve_less(const f32v* rows) {
  return halve<64>(rows, [](f32v a, f32v b) { return less_of(a, b); });
}
// piece: halve_greater_f64 needs: greater_of_f64
inline double halve_greater(const f64v* rows) {
  return halve<32>(rows, [](f64v a, f64v b) { return greater_of(a, b); });
}
// piece: halve_less_f64 needs: less_of_f64
inline double halve_less(const f64v* rows) {
  return halve<32>(rows, [](f64v a, f64v b) { return less_of(a, b); });
}
// Where either is NaN.
// piece: unordered_f32
inline i32v unordered(f32v a, f32v b) { return (a != a) | (b != b); }
// piece: unordered_f64
inline i64v unordered(f64v a, f64v b) { return (a != a) | (b != b); }
// A mask with a lane set.
// piece: any_lane
template <class Mask>
inline bool any_lane(Mask mask) {
#ifdef __clang__
  return __builtin_reduce_or(mask) != 0;
#else
  long lanes = 0;
  for (int i = 0; i < N; ++i) lanes |= mask[i];
  return lanes != 0;
#endif
}
// piece: halve_add_u8 needs: add_u8
inline unsigned char halve_add(const u8v* rows) {
  return halve<64>(rows, [](u8v a, u8v b) { return add(a, b); });
}
// piece: halve_mul_u8 needs: mul_u8
inline unsigned char halve_mul(const u8v* rows) {
  return halve<64>(rows, [](u8v a, u8v b) { return mul(a, b); });
}
// piece: halve_min_u8 needs: minimum_u8
inline unsigned char halve_min(const u8v* rows) {
  return halve<64>(rows, [](u8v a, u8v b) { return minimum(a, b); });
}
// piece: halve_max_u8 needs: maximum_u8
inline unsigned char halve_max(const u8v* rows) {
  return halve<64>(rows, [](u8v a, u8v b) { return maximum(a, b); });
}
// piece: halve_add_i8 needs: add_i8
inline signed char halve_add(const i8v* rows) {
  return halve<64>(rows, [](i8v a, i8v b) { return add(a, b); });
}
// piece: halve_mul_i8 needs: mul_i8
inline signed char halve_mul(const i8v* rows) {
  return halve<64>(rows, [](i8v a, i8v b) { return mul(a, b); });
}
// piece: halve_min_i8 needs: minimum_i8
inline signed char halve_min(const i8v* rows) {
  return halve<64>(rows, [](i8v a, i8v b) { return minimum(a, b); });
}
// piece: halve_max_i8 needs: maximum_i8
inline signed char halve_max(const i8v* rows) {
  return halve<64>(rows, [](i8v a, i8v b) { return maximum(a, b); });
}
// piece: halve_add_i16 needs: add_i16
inline short halve_add(const i16v* rows) {
  return halve<64>(rows, [](i16v a, i16v b) { return add(a, b); });
}
// piece: halve_mul_i16 needs: mul_i16
inline short halve_mul(const i16v* rows) {
  return halve<64>(rows, [](i16v a, i16v b) { return mul(a, b); });
}
// piece: halve_min_i16 needs: minimum_i16
inline short halve_min(const i16v* rows) {
  return halve<64>(rows, [](i16v a, i16v b) { return minimum(a, b); });
}
// piece: halve_max_i16 needs: maximum_i16
inline short halve_max(const i16v* rows) {
  return halve<64>(rows, [](i16v a, i16v b) { return maximum(a, b); });
}
// piece: halve_add_i32 needs: add_i32
inline int halve_add(const i32v* rows) {
  return halve<64>(rows, [](i32v a, i32v b) { return add(a, b); });
}
// piece: halve_mul_i32 needs: mul_i32
inline int halve_mul(const i32v* rows) {
  return halve<64>(rows, [](i32v a, i32v b) { return mul(a, b); });
}
// piece: halve_min_i32 needs: minimum_i32
inline int halve_min(const i32v* rows) {
  return halve<64>(rows, [](i32v a, i32v b) { return minimum(a, b); });
}
// piece: halve_max_i32 needs: maximum_i32
inline int halve_max(const i32v* rows) {
  return halve<64>(rows, [](i32v a, i32v b) { return maximum(a, b); });
}
// piece: halve_add_i64 needs: add_i64
inline long halve_add(const i64v* rows) {
  return halve<32>(rows, [](i64v a, i64v b) { return add(a, b); });
}
// piece: halve_mul_i64 needs: mul_i64
inline long halve_mul(const i64v* rows) {
  return halve<32>(rows, [](i64v a, i64v b) { return mul(a, b); });
}
// piece: halve_min_i64 needs: minimum_i64
inline long halve_min(const i64v* rows) {
  return halve<32>(rows, [](i64v a, i64v b) { return minimum(a, b); });
}
// piece: halve_max_i64 needs: maximum_i64
inline long halve_max(const i64v* rows) {
  return halve<32>(rows, [](i64v a, i64v b) { return maximum(a, b); });
}
// piece: halve_add_f32 needs: add_f32
inline float halve_add(const f32v* rows) {
  return halve<64>(rows, [](f32v a, f32v b) { return add(a, b); });
}
// piece: halve_mul_f32 needs: mul_f32
inline float halve_mul(const f32v* rows) {
  return halve<64>(rows, [](f32v a, f32v b) { return mul(a, b); });
}
// piece: halve_min_f32 needs: minimum_f32
inline float halve_min(const f32v* rows) {
  return halve<64>(rows, [](f32v a, f32v b) { return minimum(a, b); });
}
// piece: halve_max_f32 needs: maximum_f32
inline float halve_max(const f32v* rows) {
  return halve<64>(rows, [](f32v a, f32v b) { return maximum(a, b); });
}
// piece: halve_add_f64 needs: add_f64
inline double halve_add(const f64v* rows) {
  return halve<32>(rows, [](f64v a, f64v b) { return add(a, b); });
}
// piece: halve_mul_f64 needs: mul_f64
inline double halve_mul(const f64v* rows) {
  return halve<32>(rows, [](f64v a, f64v b) { return mul(a, b); });
}
// piece: halve_min_f64 needs: minimum_f64
inline double halve_min(const f64v* rows) {
  return halve<32>(rows, [](f64v a, f64v b) { return minimum(a, b); });
}
// piece: halve_max_f64 needs: maximum_f64
inline double halve_max(const f64v* rows) {
  return halve<32>(rows, [](f64v a, f64v b) { return maximum(a, b); });
}
// piece: halve_or_bool
inline bool halve_or(const b32v* rows) {
  i32v v[64 / N];
  for (int i = 0; i < 64 / N; ++i) v[i] = rows[i].bits;
  return halve<64>(v, [](i32v a, i32v b) { return a | b; }) != 0;
}
// piece: halve_and_bool
inline bool halve_and(const b32v* rows) {
  i32v v[64 / N];
  for (int i = 0; i < 64 / N; ++i) v[i] = rows[i].bits;
  return halve<64>(v, [](i32v a, i32v b) { return a & b; }) != 0;
}
// end of pieces

}  // namespace
