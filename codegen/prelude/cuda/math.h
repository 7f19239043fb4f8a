// exp, the inverse of a number near 1 and the larger and smaller of two in few instructions, with the CPU's bits; and
// the approximations that the device has as instructions.
//
// The pieces stand in for those of the same names in ../math_f32.h.

#pragma once

#include <sinter/codegen/prelude/cuda/arithmetic.h>

namespace {

// piece: rcp_approx
inline float rcp_approx(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
// piece: ex2_approx
inline float ex2_approx(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
// piece: rsqrt_approx
inline float rsqrt_approx(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
// The larger, or NaN if either is; of zeros 0.
// piece: larger_f32
inline f32v larger(f32v a, f32v b) {
  float y;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a.x), "f"(b.x));
  return y;
}
// piece: smaller_f32
inline f32v smaller(f32v a, f32v b) {
  float y;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a.x), "f"(b.x));
  return y;
}
// Correctly rounded for all numbers whose inverse is far from overflow and underflow.
// piece: inverse_f32 needs: rcp_approx
inline f32v inverse(f32v d) {
  float r = rcp_approx(d.x);
  return __fmaf_rn(r, __fmaf_rn(-d.x, r, 1.0f), r);
}
// The formula of exp in ../math_f32.h; its last product is by 2^(n + 32) and 2^-32 below zero, by 2^(n - 32) and 2^32
// above, the first of them exact. The number that rounds n holds that exponent already.
// piece: exp_f32 needs: fma_f32 larger_f32 smaller_f32
inline f32v exp(f32v x) {
  x = smaller(larger(x, -104.0f), 89.0f);
  f32v magic = x.x < 0 ? 0x1.8p23f + 32.0f : 0x1.8p23f - 32.0f, scale = x.x < 0 ? 0x1p-32f : 0x1p32f;
  f32v shifted = fma(x, f32v(0x1.715476p+0f), magic), n = shifted - magic;
  f32v near = fma(n, f32v(-0x1.62e43p-1f), x), shift = n * 0x1.05c61p-29f, r = near + shift;
  f32v q = fma(r, f32v(0x1.6a5e34p-10f), f32v(0x1.123adp-7f));
  q = fma(q, r, f32v(0x1.5558a2p-5f));
  q = fma(q, r, f32v(0x1.55549p-3f));
  q = fma(q, r, f32v(0x1.fffffcp-2f));
  f32v p = 1.0f + (near + fma(q, r * r, shift));
  return p * (f32v)(((u32v)shifted << 23) + 0x3f800000) * scale;
}
// end of pieces

}  // namespace
