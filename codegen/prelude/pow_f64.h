// pow of f64 within 2 ulp: log |x| as a sum of two doubles (error below 2^-65 of it), times y, then exp.
//
// Double-double arithmetic after Dekker ("A floating-point technique for extending the available precision", 1971).

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/math_f64.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// log a = high + low for a finite a > 0; a = 2^n m, s = (m - 1) / (m + 1), log m = 2 s + 2/3 s^3 + s^5 Q(s^2).
// piece: LogParts_f64 needs: fma_f64
struct LogParts_f64 {
  f64v high, low;
};
inline LogParts_f64 log_parts(f64v a) {
  i64v tiny = a < 0x1p-1022;
  f64v scaled = tiny ? a * 0x1p52 : a, shift = splat_f64(52.0), zero = {};
  u64v i = (u64v)scaled + 0x00095f619980c433;
  f64v m = (f64v)((i & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
  f64v n = (f64v)(i >> 52 | 0x4330000000000000) - 0x1.00000000003ffp52 - (tiny ? shift : zero);

  f64v u = m - 1.0, v = m + 1.0, v_low = m - (v - 1.0), inverse = 1.0 / v;
  f64v s = u * inverse, s_low = (fma(-s, v, u) - s * v_low) * inverse;
  f64v z = s * s, z_low = fma(s, s, -z) + 2.0 * (s * s_low);
  f64v q = fma(z, splat_f64(0x1.db258c9d46b01p-4), 0x1.e00d7354badb4p-4);
  q = fma(q, z, 0x1.111588c4499e6p-3);
  q = fma(q, z, 0x1.3b13a8d0027d5p-3);
  q = fma(q, z, 0x1.745d173f1beeap-3);
  q = fma(q, z, 0x1.c71c71c74a34ap-3);
  q = fma(q, z, 0x1.2492492492304p-2);
  q = fma(q, z, 0x1.999999999999ap-2);
  f64v w = q * z, c = 0x1.5555555555555p-1 + w, c_low = ((0x1.5555555555555p-1 - c) + w) + 0x1.5555555555555p-55;
  f64v cube = s * z, cube_low = fma(s, z, -cube) + (s * z_low + s_low * z);
  f64v t = cube * c, t_low = fma(cube, c, -t) + (cube * c_low + cube_low * c);
  f64v twice = 2.0 * s, l = twice + t, l_low = ((twice - l) + t) + (2.0 * s_low + t_low);
  f64v whole = n * 0x1.62e42fefa38p-1, high = whole + l;
  return {high, ((whole - high) + l) + (n * 0x1.ef35793c7673p-45 + l_low)};
}

// piece: pow_f64 needs: times_two_to_f64 fma_f64 trunc_f64 exp_reduced_f64
inline f64v pow(f64v x, f64v y) {
  const double infinity = __builtin_inf();
  const long sign_bit = -0x7fffffffffffffff - 1;
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), one = splat_f64(1.0), zero = {};
  LogParts_f64 l = log_parts(a);
  f64v power = y * l.high, power_low = fma(y, l.high, -power) + y * l.low;
  f64v low = splat_f64(-800.0), high = splat_f64(800.0);
  power_low = (f64v)((i64v)power & 0x7fffffffffffffff) < 800.0 ? power_low : zero;
  power = low > power ? low : power;
  power = high < power ? high : power;
  f64v shifted = fma(power, 0x1.71547652b82fep+0, splat_f64(0x1.8p52)), n = shifted - 0x1.8p52;
  f64v r = fma(n, -0x1.62e42fefa39efp-1, power) + fma(n, -0x1.abc9e3b39803fp-56, power_low);
  f64v e = times_two_to(1.0 + (r + exp_reduced_rest(r)), n);

  f64v none = splat_f64(infinity), nan = splat_f64(__builtin_nan(""));
  i64v y_below = y < 0, grows = (a > 1.0) ^ y_below, y_infinite = (f64v)((i64v)y & 0x7fffffffffffffff) == infinity;
  i64v extreme = (a == 0) | (a == infinity) | y_infinite;
  e = extreme ? (grows ? none : zero) : e;
  e = (y_infinite & (a == 1.0)) ? one : e;
  f64v half = y * 0.5;
  i64v whole = trunc(y) == y, odd = whole & (trunc(half) != half);
  e = (f64v)((i64v)e ^ ((i64v)x & odd & sign_bit));
  e = ((x < 0) & (a != infinity) & ~whole) ? nan : e;
  e = ((x != x) | (y != y)) ? nan : e;
  return ((x == 1.0) | (y == 0)) ? one : e;
}
// end of pieces

}  // namespace
