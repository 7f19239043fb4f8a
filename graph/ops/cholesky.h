// The ops that cholesky.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CHOLESKY_OPS(OP) \
  OP(linalg_cholesky_ex_default) OP(linalg_cholesky_default) OP(cholesky_solve_default) \
  OP(cholesky_inverse_default) OP(linalg_solve_triangular_default) OP(triangular_solve_default) \
  OP(least_squares_default) OP(linalg_lstsq_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CHOLESKY_OPS)
