// The ops that masked.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_MASKED_OPS(OP) \
  OP(masked_fill_scalar) OP(masked_fill_inplace_scalar) OP(masked_fill_tensor) OP(masked_fill_inplace_tensor) \
  OP(masked_select_default) OP(masked_select_backward_default) \
  OP(masked_scatter_default) OP(masked_scatter_inplace_default) OP(masked_scatter_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_MASKED_OPS)
