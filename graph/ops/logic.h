// The ops that logic.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_LOGIC_OPS(OP) \
  OP(logical_and_default) OP(logical_and_inplace_default) OP(logical_or_default) OP(logical_or_inplace_default) \
  OP(logical_xor_default) OP(logical_xor_inplace_default) OP(logical_not_default) OP(logical_not_inplace_default) \
  OP(bitwise_and_tensor) OP(bitwise_and_scalar) OP(bitwise_and_inplace_tensor) OP(bitwise_and_inplace_scalar) \
  OP(bitwise_or_tensor) OP(bitwise_or_scalar) OP(bitwise_or_inplace_tensor) OP(bitwise_or_inplace_scalar) \
  OP(bitwise_xor_tensor) OP(bitwise_xor_scalar) OP(bitwise_xor_inplace_tensor) OP(bitwise_xor_inplace_scalar) \
  OP(bitwise_not_default) OP(bitwise_not_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_LOGIC_OPS)
