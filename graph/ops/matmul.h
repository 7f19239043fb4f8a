// The ops that matmul.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_MATMUL_OPS(OP) \
  OP(mm_default) OP(bmm_default) OP(mm_dtype) OP(bmm_dtype) OP(addmm_default) OP(addmm_inplace_default) \
  OP(addmm_activation_default) OP(matmul_default) OP(linalg_matmul_default) OP(linear_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_MATMUL_OPS)
