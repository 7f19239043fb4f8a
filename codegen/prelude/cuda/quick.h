// Operations that are shorter than the CPU's but in rare lanes, which they note; every other lane has the CPU's bits.
//
// quick_: f32 results as they are. rough_: results that are only rounded to bf16 afterwards, off by a few units in the
// last place of f32; `watched` notes lanes so near to a tie of that rounding that the units count. The approximations
// are within the bounds that PTX states: 2^-22 of the exact value for ex2, 2^-23 for rcp.

#pragma once

#include <sinter/codegen/prelude/cuda/math.h>
#include <sinter/codegen/prelude/logarithm_f32.h>
#include <sinter/codegen/prelude/math_f32.h>

namespace {

// The steps of the compiler's own division, which round correctly as long as none leaves the range: a Newton step for
// the inverse, then the remainder of the quotient.
// piece: quick_div_f32 needs: rcp_approx
inline f32v quick_div(f32v a, f32v b, bool& is_rare) {
  float r = rcp_approx(b.x), off = __fmaf_rn(-b.x, r, 1.0f);
  r = __fmaf_rn(r, off, r);
  float q = a.x * r;
  q = __fmaf_rn(r, __fmaf_rn(-b.x, q, a.x), q);
  is_rare |= !(::fabsf(off) < 0.5f && ::fabsf(a.x) > 0x1p-100f && ::fabsf(q) > 0x1p-125f);
  return q;
}
// piece: quick_sqrt_f32 needs: rsqrt_approx
inline f32v quick_sqrt(f32v x, bool& is_rare) {
  float r = rsqrt_approx(x.x), s = x.x * r;
  is_rare |= !(x.x > 0x1p-100f && x.x < 0x1p126f);
  return __fmaf_rn(__fmaf_rn(-s, s, x.x), 0.5f * r, s);
}
// log of ../logarithm_f32.h for normal numbers.
// piece: quick_log_f32 needs: fma_f32 log_series_f32
inline f32v quick_log(f32v x, bool& is_rare) {
  is_rare |= ((u32v)x).x - 0x00800000 >= 0x7f000000;
  i32v i = (i32v)x - 0x3f2aaaab;
  f32v n = (float)(i.x >> 23), f = (f32v)((i & 0x7fffff) + 0x3f2aaaab) - 1.0f;
  f32v high = n * 0x1.62e4p-1f, sum = high + f;
  f32v low = fma(n, f32v(0x1.7f7d1cp-20f), f - (sum - high));
  return sum + fma(f * f, fma(log_series(f), f, f32v(-0.5f)), low);
}
// exp of math.h below its overflow: one product is enough, the other is an addition to the exponent.
// piece: quick_exp_f32 needs: fma_f32 larger_f32
inline f32v quick_exp(f32v x, bool& is_rare) {
  is_rare |= !(x.x < 66.0f);
  x = larger(x, -104.0f);
  f32v shifted = fma(x, f32v(0x1.715476p+0f), f32v(0x1.8p23f + 32.0f)), n = shifted - (0x1.8p23f + 32.0f);
  f32v near = fma(n, f32v(-0x1.62e43p-1f), x), shift = n * 0x1.05c61p-29f, r = near + shift;
  f32v q = fma(r, f32v(0x1.6a5e34p-10f), f32v(0x1.123adp-7f));
  q = fma(q, r, f32v(0x1.5558a2p-5f));
  q = fma(q, r, f32v(0x1.55549p-3f));
  q = fma(q, r, f32v(0x1.fffffcp-2f));
  f32v p = 1.0f + (near + fma(q, r * r, shift));
  return (f32v)((u32v)p + ((u32v)shifted << 23)) * 0x1p-32f;
}

// piece: watched
inline f32v watched(f32v x, int units, bool& is_rare) {
  is_rare |= ((((u32v)x).x + 0x8000 + units) & 0xffff) <= 2 * (unsigned)units;
  return x;
}
// piece: rough_div_f32 needs: rcp_approx
inline f32v rough_div(f32v a, f32v b, bool& is_rare) {
  is_rare |= !(::fabsf(b.x) > 0x1p-126f && ::fabsf(b.x) < 0x1p126f);
  return a.x * rcp_approx(b.x);
}
// 2^t e^d, where t is x log2(e) and d what rounding took from it.
// piece: rough_exp_f32 needs: ex2_approx
inline f32v rough_exp(f32v x, bool& is_rare) {
  is_rare |= ::fabsf(x.x) > 87.0f;
  float t = x.x * 0x1.715476p+0f, d = __fmaf_rn(t, -0x1.62e43p-1f, x.x), e = ex2_approx(t);
  return __fmaf_rn(e, d, e);
}
// piece: rough_sigmoid_f32 needs: rough_exp_f32 rcp_approx
inline f32v rough_sigmoid(f32v x, bool& is_rare) { return rcp_approx(1.0f + rough_exp(-x, is_rare).x); }
// end of pieces

}  // namespace
