// The ops that blend.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_BLEND_OPS(OP) \
  OP(lerp_scalar) OP(lerp_tensor) OP(lerp_inplace_scalar) OP(lerp_inplace_tensor) OP(addcmul_default) \
  OP(addcmul_inplace_default) OP(addcdiv_default) OP(addcdiv_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_BLEND_OPS)
