// fma(a, b, c) = a * b + c with exactly one rounding, on every instruction set.
//
// Without the instruction: f32 by an f64 sum rounded to odd (Boldo and Melquiond, "Emulation of FMA and correctly
// rounded sums: proved algorithms using rounding to odd", 2008), f64 by 128-bit integers, lane by lane.

#pragma once

#include <sinter/codegen/prelude/memory.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: fma_f32
inline f32v fma(f32v a, f32v b, f32v c) {
#if !(defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA))
  f64v x = __builtin_convertvector(a, f64v) * __builtin_convertvector(b, f64v), y = __builtin_convertvector(c, f64v);
  f64v sum = x + y, z = sum - x, error = (x - (sum - z)) + (y - z);
  i64v inexact = (i64v)((error > 0) | (error < 0)), toward_zero = inexact & (i64v)(((i64v)sum ^ (i64v)error) < 0);
  i64v odd = ((i64v)sum + toward_zero) | (inexact & 1);
  return __builtin_convertvector((f64v)odd, f32v);
#elif __has_builtin(__builtin_elementwise_fma)
  return __builtin_elementwise_fma(a, b, c);
#else
  f32v r;
#pragma GCC unroll 64
  for (int i = 0; i < N; ++i) r[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return r;
#endif
}
inline f32v fma(f32v a, f32v b, float c) { return fma(a, b, splat_f32(c)); }
inline f32v fma(f32v a, float b, f32v c) { return fma(a, splat_f32(b), c); }

// piece: fma_of_lane_f64
#if !(defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA))
// |x| = mantissa * 2^exponent, for a finite x that is not zero; the mantissa has 53 bits.
inline long split_f64(double x, int& exponent) {
  long bits;
  __builtin_memcpy(&bits, &x, 8);
  long mantissa = bits & 0xfffffffffffff;
  int biased = (int)(bits >> 52) & 0x7ff;
  int shift = biased != 0 ? 0 : __builtin_clzl(mantissa) - 11;
  exponent = (biased != 0 ? biased : 1) - 1075 - shift;
  return biased != 0 ? mantissa | 1L << 52 : mantissa << shift;
}
// x shifted right, the last bit set if any bit fell off.
inline unsigned __int128 shift_right_to_odd(unsigned __int128 x, int by) {
  if (by > 127) return x != 0;
  unsigned __int128 r = x >> by;
  return r | (unsigned)((r << by) != x);
}
__attribute__((noinline)) double fma_of_lane(double a, double b, double c) {
  const double infinity = __builtin_inf();
  if (!(a - a == 0 && b - b == 0 && a != 0 && b != 0)) return a * b + c;
  if (!(c - c == 0)) return c + c;
  if (c == 0) return a * b;
  int ea, eb, ec;
  unsigned __int128 product = (unsigned __int128)split_f64(a, ea) * (unsigned long)split_f64(b, eb) << 20;
  unsigned __int128 addend = (unsigned __int128)split_f64(c, ec) << 73;
  int exponent = ea + eb - 20;
  ec -= 73;
  if (exponent >= ec) {
    addend = shift_right_to_odd(addend, exponent - ec);
  } else {
    product = shift_right_to_odd(product, ec - exponent);
    exponent = ec;
  }
  bool negative = __builtin_signbit(a) != __builtin_signbit(b), negative_addend = __builtin_signbit(c);
  unsigned __int128 sum = product + addend;
  if (negative != negative_addend) {
    sum = product > addend ? product - addend : addend - product;
    negative = product > addend ? negative : negative_addend;
  }
  if (sum == 0) return 0;
  unsigned long high = sum >> 64;
  int top = high != 0 ? 127 - __builtin_clzl(high) : 63 - __builtin_clzl((unsigned long)sum);
  int shift = top - 52 > -1074 - exponent ? top - 52 : -1074 - exponent;
  unsigned long mantissa;
  if (shift <= 0) {
    mantissa = (unsigned long)(sum << -shift);
  } else {
    unsigned __int128 two_more = shift > 1 ? shift_right_to_odd(sum, shift - 2) : sum << 1;
    unsigned long r = (unsigned long)two_more;
    mantissa = (r >> 2) + ((r & 3) > 2 || (r & 7) == 6);
  }
  int biased = exponent + shift + 1075;
  if (biased > 2046) return negative ? -infinity : infinity;
  unsigned long bits = ((unsigned long)(biased - 1) << 52) + mantissa;
  bits |= (unsigned long)negative << 63;
  double result;
  __builtin_memcpy(&result, &bits, 8);
  return result;
}
#endif

// piece: fma_f64 needs: fma_of_lane_f64
inline f64v fma(f64v a, f64v b, f64v c) {
#if !(defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA))
  f64v r;
  for (int i = 0; i < N; ++i) r[i] = fma_of_lane(a[i], b[i], c[i]);
  return r;
#elif __has_builtin(__builtin_elementwise_fma)
  return __builtin_elementwise_fma(a, b, c);
#else
  f64v r;
#pragma GCC unroll 64
  for (int i = 0; i < N; ++i) r[i] = __builtin_fma(a[i], b[i], c[i]);
  return r;
#endif
}
inline f64v fma(f64v a, f64v b, double c) { return fma(a, b, splat_f64(c)); }
inline f64v fma(f64v a, double b, f64v c) { return fma(a, splat_f64(b), c); }
// end of pieces

}  // namespace
