// The ops that division.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_DIVISION_OPS(OP) \
  OP(inner_div_trunc) OP(inner_div_floor) OP(inner_remainder) OP(inner_fmod) OP(div_tensor_mode) \
  OP(div_scalar_mode) OP(div_inplace_tensor_mode) OP(div_inplace_scalar_mode) OP(floor_divide_default) \
  OP(floor_divide_scalar) OP(floor_divide_inplace_tensor) OP(floor_divide_inplace_scalar) OP(remainder_tensor) \
  OP(remainder_scalar) OP(remainder_inplace_tensor) OP(remainder_inplace_scalar) OP(fmod_tensor) OP(fmod_scalar) \
  OP(fmod_inplace_tensor) OP(fmod_inplace_scalar) OP(remainder_scalar_tensor)
// clang-format on

SINTER_DECLARE_OPS(SINTER_DIVISION_OPS)
