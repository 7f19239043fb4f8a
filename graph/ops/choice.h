// The ops that choice.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CHOICE_OPS(OP) \
  OP(where_self) OP(clamp_default) OP(clamp_tensor) OP(clamp_inplace_default) OP(clamp_inplace_tensor) \
  OP(clamp_min_default) OP(clamp_min_tensor) OP(clamp_min_inplace_default) OP(clamp_min_inplace_tensor) \
  OP(clamp_max_default) OP(clamp_max_tensor) OP(clamp_max_inplace_default) OP(clamp_max_inplace_tensor)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CHOICE_OPS)
