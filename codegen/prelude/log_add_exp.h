// The logarithm of a sum of two exponentials, which running log-sum-exps go on by: called, for a square of them would
// stand many times in a kernel.

#pragma once

#include <sinter/codegen/prelude/arithmetic.h>
#include <sinter/codegen/prelude/logarithm_f32.h>
#include <sinter/codegen/prelude/logarithm_f64.h>
#include <sinter/codegen/prelude/math_f32.h>
#include <sinter/codegen/prelude/math_f64.h>

namespace {

// Infinities of one sign are their own sum; their difference would be NaN.
// piece: log_add_exp_f32 needs: sub_f32 abs_f32 neg_f32 exp_f32 log1p_f32 maximum_f32 add_f32
__attribute__((noinline)) f32v log_add_exp(f32v a, f32v b) {
  f32v sum = add(maximum(a, b), log1p(exp(neg(abs(sub(a, b))))));
  return (abs(a) == __builtin_inff()) & (a == b) ? a : sum;
}
// piece: log_add_exp_f64 needs: sub_f64 abs_f64 neg_f64 exp_f64 log1p_f64 maximum_f64 add_f64
__attribute__((noinline)) f64v log_add_exp(f64v a, f64v b) {
  f64v sum = add(maximum(a, b), log1p(exp(neg(abs(sub(a, b))))));
  return (abs(a) == __builtin_inf()) & (a == b) ? a : sum;
}
// end of pieces

}  // namespace
