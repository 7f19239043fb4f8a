// The ops that integer.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_INTEGER_OPS(OP) \
  OP(bitwise_left_shift_tensor) OP(bitwise_left_shift_tensor_scalar) OP(bitwise_left_shift_scalar_tensor) \
  OP(bitwise_left_shift_inplace_tensor) OP(bitwise_left_shift_inplace_tensor_scalar) \
  OP(bitwise_right_shift_tensor) OP(bitwise_right_shift_tensor_scalar) OP(bitwise_right_shift_scalar_tensor) \
  OP(bitwise_right_shift_inplace_tensor) OP(bitwise_right_shift_inplace_tensor_scalar) OP(gcd_default) \
  OP(gcd_inplace_default) OP(lcm_default) OP(lcm_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_INTEGER_OPS)
