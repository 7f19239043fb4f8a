// Conversions of bools, and to and from the half types as single instructions: to nearest even, subnormals kept, as the
// integer arithmetic of ../convert.h does it. A NaN may become another NaN. Those to halves make two at once and run at
// several times the rate of those that make one; the upper is zero here.
//
// The pieces stand in for those of the same names in ../convert.h.

#pragma once

#include <sinter/codegen/prelude/cuda/lane.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: to_f32_from_f16
inline f32v to_f32(f16v x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits.x));
  return y;
}
// piece: to_f16_from_f32
inline f16v to_f16(f32v x) {
  unsigned y;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(0.0f), "f"(x.x));
  return f16v{u16v((unsigned short)y)};
}
// piece: to_bf16_from_f32
inline bf16v to_bf16(f32v x) {
  unsigned y;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(0.0f), "f"(x.x));
  return bf16v{u16v((unsigned short)y)};
}
// The compiler must not see that these are 0 or 1: it would make a negative of one a conversion of 0 or -1.
// piece: to_f32_from_bool
inline f32v to_f32(b32v x) {
  int bits = x.bits.x & 0x3f800000;
  asm("" : "+r"(bits));
  return __int_as_float(bits);
}
// piece: to_f64_from_bool
inline f64v to_f64(b32v x) {
  int number = x.bits.x & 1;
  asm("" : "+r"(number));
  return (double)number;
}
// end of pieces

}  // namespace
