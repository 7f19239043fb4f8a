// The ops that sign.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SIGN_OPS(OP) \
  OP(sign_default) OP(sign_inplace_default) OP(sgn_default) OP(sgn_inplace_default) OP(signbit_default) \
  OP(copysign_tensor) OP(copysign_scalar) OP(copysign_inplace_tensor) OP(copysign_inplace_scalar) \
  OP(heaviside_default) OP(heaviside_inplace_default) OP(angle_default) OP(positive_default) OP(conj_physical_default) \
  OP(isposinf_default) OP(isneginf_default) OP(isreal_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SIGN_OPS)
