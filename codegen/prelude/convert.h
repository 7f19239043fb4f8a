// Conversions between all element types.
//
// Floats out of the range of an integer type become what x86 gives ATen: through i32 (INT_MIN where it does not fit,
// NaN too) and then wrapped for the narrow types, directly for i64. f16 and bf16 are rounded to nearest even by integer
// arithmetic, subnormals kept; whatever is not a float goes to them, and from them, through f32.

#pragma once

#include <sinter/codegen/prelude/memory.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: to_f32_from_f16
inline f32v to_f32(f16v x) {
  i32v h = __builtin_convertvector(x.bits, i32v), magnitude = h & 0x7fff;
  i32v normal = (magnitude << 13) + (112 << 23);
  i32v not_finite = normal + (112 << 23);
  i32v subnormal = (i32v)(__builtin_convertvector(magnitude, f32v) * 0x1p-24f);
  i32v r = magnitude < 0x0400 ? subnormal : magnitude < 0x7c00 ? normal : not_finite;
  return (f32v)(r | ((h & 0x8000) << 16));
}
// piece: to_f32_from_bf16
inline f32v to_f32(bf16v x) { return (f32v)(__builtin_convertvector(x.bits, u32v) << 16); }
// piece: to_f16_from_f32
inline f16v to_f16(f32v x) {
  i32v magnitude = (i32v)x & 0x7fffffff, sign = ((i32v)x >> 16) & 0x8000;
  i32v normal = (magnitude + (0xfff - (112 << 23)) + ((magnitude >> 13) & 1)) >> 13;
  i32v subnormal = (i32v)((f32v)magnitude + 0.5f) - 0x3f000000;
  i32v infinity = i32v{} + 0x7c00, nan = i32v{} + 0x7e00;
  i32v r = magnitude < 0x38800000 ? subnormal : magnitude < 0x47800000 ? normal : infinity;
  r = magnitude > 0x7f800000 ? nan : r;
  return f16v{__builtin_convertvector(r | sign, u16v)};
}
// piece: to_bf16_from_f32
inline bf16v to_bf16(f32v x) {
  u32v i = (u32v)x, rounded = (i + 0x7fff + ((i >> 16) & 1)) >> 16, nan = (i >> 16) | 0x40;
  return bf16v{__builtin_convertvector(x != x ? nan : rounded, u16v)};
}
// piece: to_i32_from_f32
inline i32v to_i32(f32v x) {
  i32v fits = (x >= -0x1p31f) & (x < 0x1p31f), none = i32v{} + (-0x7fffffff - 1);
  return fits ? __builtin_convertvector(fits ? x : f32v{}, i32v) : none;
}
// piece: to_i64_from_f32
inline i64v to_i64(f32v x) {
  i32v fits = (x >= -0x1p63f) & (x < 0x1p63f);
  i64v none = i64v{} + (-0x7fffffffffffffff - 1);
  i64v r = __builtin_convertvector(fits ? x : f32v{}, i64v);
  return __builtin_convertvector(fits, i64v) ? r : none;
}
// piece: to_i32_from_f64
inline i32v to_i32(f64v x) {
  i64v fits = (x >= -0x1p31) & (x < 0x1p31);
  i32v none = i32v{} + (-0x7fffffff - 1);
  i32v r = __builtin_convertvector(fits ? x : f64v{}, i32v);
  return __builtin_convertvector(fits, i32v) ? r : none;
}
// piece: to_i64_from_f64
inline i64v to_i64(f64v x) {
  i64v fits = (x >= -0x1p63) & (x < 0x1p63), none = i64v{} + (-0x7fffffffffffffff - 1);
  return fits ? __builtin_convertvector(fits ? x : f64v{}, i64v) : none;
}
// piece: to_bool_from_bool
inline b32v to_bool(b32v x) { return x; }
// piece: to_bool_from_u8
inline b32v to_bool(u8v x) { return b32v{__builtin_convertvector((i8v)(x != 0), i32v)}; }
// piece: to_bool_from_i8
inline b32v to_bool(i8v x) { return b32v{__builtin_convertvector((i8v)(x != 0), i32v)}; }
// piece: to_bool_from_i16
inline b32v to_bool(i16v x) { return b32v{__builtin_convertvector((i16v)(x != 0), i32v)}; }
// piece: to_bool_from_i32
inline b32v to_bool(i32v x) { return b32v{x != 0}; }
// piece: to_bool_from_i64
inline b32v to_bool(i64v x) { return b32v{__builtin_convertvector((i64v)(x != 0), i32v)}; }
// piece: to_bool_from_f16
inline b32v to_bool(f16v x) {
  return b32v{__builtin_convertvector((i16v)((x.bits & (u16v{} + (unsigned short)0x7fff)) != 0), i32v)};
}
// piece: to_bool_from_bf16
inline b32v to_bool(bf16v x) {
  return b32v{__builtin_convertvector((i16v)((x.bits & (u16v{} + (unsigned short)0x7fff)) != 0), i32v)};
}
// piece: to_bool_from_f32
inline b32v to_bool(f32v x) { return b32v{x != 0}; }
// piece: to_bool_from_f64
inline b32v to_bool(f64v x) { return b32v{__builtin_convertvector(x != 0, i32v)}; }
// piece: to_u8_from_bool
inline u8v to_u8(b32v x) { return __builtin_convertvector(x.bits & 1, u8v); }
// piece: to_u8_from_u8
inline u8v to_u8(u8v x) { return x; }
// piece: to_u8_from_i8
inline u8v to_u8(i8v x) { return __builtin_convertvector(x, u8v); }
// piece: to_u8_from_i16
inline u8v to_u8(i16v x) { return __builtin_convertvector(x, u8v); }
// piece: to_u8_from_i32
inline u8v to_u8(i32v x) { return __builtin_convertvector(x, u8v); }
// piece: to_u8_from_i64
inline u8v to_u8(i64v x) { return __builtin_convertvector(x, u8v); }
// piece: to_u8_from_f32 needs: to_i32_from_f32
inline u8v to_u8(f32v x) { return __builtin_convertvector(to_i32(x), u8v); }
// piece: to_u8_from_f64 needs: to_i32_from_f64
inline u8v to_u8(f64v x) { return __builtin_convertvector(to_i32(x), u8v); }
// piece: to_i8_from_bool
inline i8v to_i8(b32v x) { return __builtin_convertvector(x.bits & 1, i8v); }
// piece: to_i8_from_u8
inline i8v to_i8(u8v x) { return __builtin_convertvector(x, i8v); }
// piece: to_i8_from_i8
inline i8v to_i8(i8v x) { return x; }
// piece: to_i8_from_i16
inline i8v to_i8(i16v x) { return __builtin_convertvector(x, i8v); }
// piece: to_i8_from_i32
inline i8v to_i8(i32v x) { return __builtin_convertvector(x, i8v); }
// piece: to_i8_from_i64
inline i8v to_i8(i64v x) { return __builtin_convertvector(x, i8v); }
// piece: to_i8_from_f32 needs: to_i32_from_f32
inline i8v to_i8(f32v x) { return __builtin_convertvector(to_i32(x), i8v); }
// piece: to_i8_from_f64 needs: to_i32_from_f64
inline i8v to_i8(f64v x) { return __builtin_convertvector(to_i32(x), i8v); }
// piece: to_i16_from_bool
inline i16v to_i16(b32v x) { return __builtin_convertvector(x.bits & 1, i16v); }
// piece: to_i16_from_u8
inline i16v to_i16(u8v x) { return __builtin_convertvector(x, i16v); }
// piece: to_i16_from_i8
inline i16v to_i16(i8v x) { return __builtin_convertvector(x, i16v); }
// piece: to_i16_from_i16
inline i16v to_i16(i16v x) { return x; }
// piece: to_i16_from_i32
inline i16v to_i16(i32v x) { return __builtin_convertvector(x, i16v); }
// piece: to_i16_from_i64
inline i16v to_i16(i64v x) { return __builtin_convertvector(x, i16v); }
// piece: to_i16_from_f32 needs: to_i32_from_f32
inline i16v to_i16(f32v x) { return __builtin_convertvector(to_i32(x), i16v); }
// piece: to_i16_from_f64 needs: to_i32_from_f64
inline i16v to_i16(f64v x) { return __builtin_convertvector(to_i32(x), i16v); }
// piece: to_i32_from_bool
inline i32v to_i32(b32v x) { return x.bits & 1; }
// piece: to_i32_from_u8
inline i32v to_i32(u8v x) { return __builtin_convertvector(x, i32v); }
// piece: to_i32_from_i8
inline i32v to_i32(i8v x) { return __builtin_convertvector(x, i32v); }
// piece: to_i32_from_i16
inline i32v to_i32(i16v x) { return __builtin_convertvector(x, i32v); }
// piece: to_i32_from_i32
inline i32v to_i32(i32v x) { return x; }
// piece: to_i32_from_i64
inline i32v to_i32(i64v x) { return __builtin_convertvector(x, i32v); }
// piece: to_i64_from_bool
inline i64v to_i64(b32v x) { return __builtin_convertvector(x.bits & 1, i64v); }
// piece: to_i64_from_u8
inline i64v to_i64(u8v x) { return __builtin_convertvector(x, i64v); }
// piece: to_i64_from_i8
inline i64v to_i64(i8v x) { return __builtin_convertvector(x, i64v); }
// piece: to_i64_from_i16
inline i64v to_i64(i16v x) { return __builtin_convertvector(x, i64v); }
// piece: to_i64_from_i32
inline i64v to_i64(i32v x) { return __builtin_convertvector(x, i64v); }
// piece: to_i64_from_i64
inline i64v to_i64(i64v x) { return x; }
// piece: to_f16_from_bool
inline f16v to_f16(b32v x) { return f16v{__builtin_convertvector(x.bits & 0x3c00, u16v)}; }
// piece: to_f16_from_f16
inline f16v to_f16(f16v x) { return x; }
// piece: to_bf16_from_bool
inline bf16v to_bf16(b32v x) { return bf16v{__builtin_convertvector(x.bits & 0x3f80, u16v)}; }
// piece: to_bf16_from_bf16
inline bf16v to_bf16(bf16v x) { return x; }
// piece: to_f32_from_bool
inline f32v to_f32(b32v x) { return (f32v)(x.bits & 0x3f800000); }
// piece: to_f32_from_u8
inline f32v to_f32(u8v x) { return __builtin_convertvector(x, f32v); }
// piece: to_f32_from_i8
inline f32v to_f32(i8v x) { return __builtin_convertvector(x, f32v); }
// piece: to_f32_from_i16
inline f32v to_f32(i16v x) { return __builtin_convertvector(x, f32v); }
// piece: to_f32_from_i32
inline f32v to_f32(i32v x) { return __builtin_convertvector(x, f32v); }
// piece: to_f32_from_i64
inline f32v to_f32(i64v x) { return __builtin_convertvector(x, f32v); }
// piece: to_f32_from_f32
inline f32v to_f32(f32v x) { return x; }
// piece: to_f32_from_f64
inline f32v to_f32(f64v x) { return __builtin_convertvector(x, f32v); }
// piece: to_f64_from_bool
inline f64v to_f64(b32v x) { return __builtin_convertvector(x.bits & 1, f64v); }
// piece: to_f64_from_u8
inline f64v to_f64(u8v x) { return __builtin_convertvector(x, f64v); }
// piece: to_f64_from_i8
inline f64v to_f64(i8v x) { return __builtin_convertvector(x, f64v); }
// piece: to_f64_from_i16
inline f64v to_f64(i16v x) { return __builtin_convertvector(x, f64v); }
// piece: to_f64_from_i32
inline f64v to_f64(i32v x) { return __builtin_convertvector(x, f64v); }
// piece: to_f64_from_i64
inline f64v to_f64(i64v x) { return __builtin_convertvector(x, f64v); }
// piece: to_f64_from_f32
inline f64v to_f64(f32v x) { return __builtin_convertvector(x, f64v); }
// piece: to_f64_from_f64
inline f64v to_f64(f64v x) { return x; }
// piece: to_u8_from_f16 needs: to_f32_from_f16 to_u8_from_f32
inline u8v to_u8(f16v x) { return to_u8(to_f32(x)); }
// piece: to_u8_from_bf16 needs: to_f32_from_bf16 to_u8_from_f32
inline u8v to_u8(bf16v x) { return to_u8(to_f32(x)); }
// piece: to_i8_from_f16 needs: to_f32_from_f16 to_i8_from_f32
inline i8v to_i8(f16v x) { return to_i8(to_f32(x)); }
// piece: to_i8_from_bf16 needs: to_f32_from_bf16 to_i8_from_f32
inline i8v to_i8(bf16v x) { return to_i8(to_f32(x)); }
// piece: to_i16_from_f16 needs: to_f32_from_f16 to_i16_from_f32
inline i16v to_i16(f16v x) { return to_i16(to_f32(x)); }
// piece: to_i16_from_bf16 needs: to_f32_from_bf16 to_i16_from_f32
inline i16v to_i16(bf16v x) { return to_i16(to_f32(x)); }
// piece: to_i32_from_f16 needs: to_f32_from_f16 to_i32_from_f32
inline i32v to_i32(f16v x) { return to_i32(to_f32(x)); }
// piece: to_i32_from_bf16 needs: to_f32_from_bf16 to_i32_from_f32
inline i32v to_i32(bf16v x) { return to_i32(to_f32(x)); }
// piece: to_i64_from_f16 needs: to_f32_from_f16 to_i64_from_f32
inline i64v to_i64(f16v x) { return to_i64(to_f32(x)); }
// piece: to_i64_from_bf16 needs: to_f32_from_bf16 to_i64_from_f32
inline i64v to_i64(bf16v x) { return to_i64(to_f32(x)); }
// piece: to_f16_from_u8 needs: to_f32_from_u8 to_f16_from_f32
inline f16v to_f16(u8v x) { return to_f16(to_f32(x)); }
// piece: to_f16_from_i8 needs: to_f32_from_i8 to_f16_from_f32
inline f16v to_f16(i8v x) { return to_f16(to_f32(x)); }
// piece: to_f16_from_i16 needs: to_f32_from_i16 to_f16_from_f32
inline f16v to_f16(i16v x) { return to_f16(to_f32(x)); }
// piece: to_f16_from_i32 needs: to_f32_from_i32 to_f16_from_f32
inline f16v to_f16(i32v x) { return to_f16(to_f32(x)); }
// piece: to_f16_from_i64 needs: to_f32_from_i64 to_f16_from_f32
inline f16v to_f16(i64v x) { return to_f16(to_f32(x)); }
// piece: to_f16_from_bf16 needs: to_f32_from_bf16 to_f16_from_f32
inline f16v to_f16(bf16v x) { return to_f16(to_f32(x)); }
// piece: to_f16_from_f64 needs: to_f32_from_f64 to_f16_from_f32
inline f16v to_f16(f64v x) { return to_f16(to_f32(x)); }
// piece: to_bf16_from_u8 needs: to_f32_from_u8 to_bf16_from_f32
inline bf16v to_bf16(u8v x) { return to_bf16(to_f32(x)); }
// piece: to_bf16_from_i8 needs: to_f32_from_i8 to_bf16_from_f32
inline bf16v to_bf16(i8v x) { return to_bf16(to_f32(x)); }
// piece: to_bf16_from_i16 needs: to_f32_from_i16 to_bf16_from_f32
inline bf16v to_bf16(i16v x) { return to_bf16(to_f32(x)); }
// piece: to_bf16_from_i32 needs: to_f32_from_i32 to_bf16_from_f32
inline bf16v to_bf16(i32v x) { return to_bf16(to_f32(x)); }
// piece: to_bf16_from_i64 needs: to_f32_from_i64 to_bf16_from_f32
inline bf16v to_bf16(i64v x) { return to_bf16(to_f32(x)); }
// piece: to_bf16_from_f16 needs: to_f32_from_f16 to_bf16_from_f32
inline bf16v to_bf16(f16v x) { return to_bf16(to_f32(x)); }
// piece: to_bf16_from_f64 needs: to_f32_from_f64 to_bf16_from_f32
inline bf16v to_bf16(f64v x) { return to_bf16(to_f32(x)); }
// piece: to_f64_from_f16 needs: to_f32_from_f16 to_f64_from_f32
inline f64v to_f64(f16v x) { return to_f64(to_f32(x)); }
// piece: to_f64_from_bf16 needs: to_f32_from_bf16 to_f64_from_f32
inline f64v to_f64(bf16v x) { return to_f64(to_f32(x)); }
// end of pieces

}  // namespace
