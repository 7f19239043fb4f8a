// The ops that matmul.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_MATMUL_OPS(OP) \
  OP(mm_default) OP(bmm_default) OP(addmm_default) OP(addmm_inplace_default) OP(matmul_default) OP(linear_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_MATMUL_OPS)
