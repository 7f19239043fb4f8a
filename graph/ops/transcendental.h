// The ops that transcendental.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_TRANSCENDENTAL_OPS(OP) \
  OP(exp_default) OP(exp_inplace_default) OP(log_default) OP(log_inplace_default) OP(sqrt_default) \
  OP(sqrt_inplace_default) OP(rsqrt_default) OP(rsqrt_inplace_default) OP(exp2_default) OP(exp2_inplace_default) \
  OP(expm1_default) OP(expm1_inplace_default) OP(log2_default) OP(log2_inplace_default) OP(log10_default) \
  OP(log10_inplace_default) OP(log1p_default) OP(log1p_inplace_default) OP(sin_default) OP(sin_inplace_default) \
  OP(cos_default) OP(cos_inplace_default) OP(tan_default) OP(tan_inplace_default) OP(asin_default) \
  OP(asin_inplace_default) OP(acos_default) OP(acos_inplace_default) OP(atan_default) OP(atan_inplace_default) \
  OP(sinh_default) OP(sinh_inplace_default) OP(cosh_default) OP(cosh_inplace_default) OP(tanh_default) \
  OP(tanh_inplace_default) OP(asinh_default) OP(asinh_inplace_default) OP(acosh_default) \
  OP(acosh_inplace_default) OP(atanh_default) OP(atanh_inplace_default) OP(erf_default) OP(erf_inplace_default) \
  OP(atan2_default) OP(atan2_inplace_default) OP(hypot_default) OP(hypot_inplace_default) OP(deg2rad_default) \
  OP(deg2rad_inplace_default) OP(rad2deg_default) OP(rad2deg_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_TRANSCENDENTAL_OPS)
