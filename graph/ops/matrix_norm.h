// The ops that matrix_norm.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_MATRIX_NORM_OPS(OP) \
  OP(linalg_matrix_norm_default) OP(linalg_matrix_norm_str_ord) OP(linalg_norm_default) OP(linalg_norm_ord_str) \
  OP(nuclear_norm_default) OP(nuclear_norm_dim) OP(linalg_cond_default) OP(linalg_cond_p_str) \
  OP(linalg_matrix_rank_default) OP(linalg_matrix_rank_tol_tensor) OP(linalg_matrix_rank_atol_rtol_float) \
  OP(linalg_matrix_rank_atol_rtol_tensor) OP(linalg_pinv_default) OP(linalg_pinv_rcond_tensor) \
  OP(linalg_pinv_atol_rtol_float) OP(linalg_pinv_atol_rtol_tensor) OP(pinverse_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_MATRIX_NORM_OPS)
