// expm1, exp2, sinh and cosh of f64, within 2 ulp of the exact value; every special case is IEEE's.
//
// The method of exp in math_f64: x = n ln 2 + r, and what rounding took from e^r is added back where terms cancel.
// Polynomials: minimax fits of our own (fit.sollya).

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/fma.h>
#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/math_f64.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// e^x / 2 as a sum.
// piece: HalfExp_f64 needs: times_two_to_f64
struct HalfExp_f64 {
  f64v high, low;
};
inline HalfExp_f64 half_exp(f64v x) {
  ExpParts_f64 e = exp_parts(x);
  f64v n = e.whole_n - 1.0, p = 1.0 + e.t, p_low = (e.t - (p - 1.0)) + e.t_low;
  return {times_two_to(p, n), times_two_to(p_low, n)};
}

// Twice the sum of 2^(n-1) - 1/2 and 2^(n-1) t, each with what rounding took from it.
// piece: expm1_f64 needs: fma_f64 exp_reduced_f64
inline f64v expm1(f64v x) {
  f64v low = splat_f64(-40.0), high = splat_f64(710.0);
  f64v c = low > x ? low : x;  // NaN stays
  c = high < c ? high : c;
  f64v shifted = fma(c, 0x1.71547652b82fep+0, splat_f64(0x1.8p52)), n = shifted - 0x1.8p52;
  f64v near = fma(n, -0x1.62e42fefa39efp-1, c), r = fma(n, -0x1.abc9e3b39803fp-56, near);
  f64v rest = exp_reduced_rest(r) + fma(n, -0x1.abc9e3b39803fp-56, near - r), t = r + rest, t_low = rest - (t - r);
  f64v s = (f64v)((u64v)((i64v)shifted - 0x4338000000000000 + 1022) << 52);
  f64v d = s - 0.5, back = d - s, d_low = (s - (d - back)) + (-0.5 - back);
  f64v y = fma(s, t, d), y_low = fma(s, t, d - y) + fma(s, t_low, d_low);
  f64v small = (f64v)((i64v)x & 0x7fffffffffffffff);
  return small < 0x1p-55 ? x : 2.0 * (y + y_low);
}

// piece: exp2_f64 needs: times_two_to_f64 fma_f64 exp_reduced_f64
inline f64v exp2(f64v x) {
  f64v low = splat_f64(-1080.0), high = splat_f64(1030.0);
  x = low > x ? low : x;  // NaN stays
  x = high < x ? high : x;
  f64v n = (x + 0x1.8p52) - 0x1.8p52, r = x - n;
  f64v power = r * 0x1.62e42fefa39efp-1, power_low = fma(r, 0x1.62e42fefa39efp-1, -power) + r * 0x1.abc9e3b39803fp-56;
  f64v e = 1.0 + (power + (power_low + exp_reduced_rest(power)));
  return times_two_to(e, n);
}

// Near zero x + x^3 P(x^2); further out e^|x| / 2 - 1 / (2 e^|x|).
// piece: sinh_f64 needs: fma_f64 copysign_f64
inline f64v sinh(f64v x) {
  f64v z = x * x;
  f64v p = fma(z, splat_f64(0x1.34241f2803d44p-48), 0x1.ab148c9af1907p-41);
  p = fma(p, z, 0x1.612a39fac6283p-33);
  p = fma(p, z, 0x1.ae644bf59ad1cp-26);
  p = fma(p, z, 0x1.71de3a60136b8p-19);
  p = fma(p, z, 0x1.a01a01a00e258p-13);
  p = fma(p, z, 0x1.111111111117ap-7);
  p = fma(p, z, 0x1.5555555555555p-3);
  f64v near = fma(p * z, x, x);
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), end = splat_f64(712.0);
  HalfExp_f64 e = half_exp(end < a ? end : a);
  f64v far = copysign(e.high + (e.low - 0.25 / e.high), x);
  return a >= 1.0 ? far : near;  // NaN goes near
}

// piece: cosh_f64 needs: fma_f64
inline f64v cosh(f64v x) {
  f64v a = (f64v)((i64v)x & 0x7fffffffffffffff), end = splat_f64(712.0);
  HalfExp_f64 e = half_exp(end < a ? end : a);  // NaN stays
  return e.high + (e.low + 0.25 / e.high);
}
// end of pieces

}  // namespace
