// The ops that power.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_POWER_OPS(OP) \
  OP(pow_tensor_tensor) OP(pow_tensor_scalar) OP(pow_scalar) OP(pow_inplace_tensor) OP(pow_inplace_scalar) \
  OP(float_power_tensor_tensor) OP(float_power_tensor_scalar) OP(float_power_scalar) \
  OP(float_power_inplace_tensor) OP(float_power_inplace_scalar)
// clang-format on

SINTER_DECLARE_OPS(SINTER_POWER_OPS)
