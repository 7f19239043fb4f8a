// The ops that rounding.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_ROUNDING_OPS(OP) \
  OP(ceil_default) OP(ceil_inplace_default) OP(floor_default) OP(floor_inplace_default) \
  OP(round_default) OP(round_inplace_default) OP(round_decimals) OP(round_inplace_decimals) \
  OP(trunc_default) OP(trunc_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_ROUNDING_OPS)
