// The ops that spectrum.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SPECTRUM_OPS(OP) \
  OP(geqrf_default) OP(linalg_householder_product_default) OP(orgqr_default) OP(ormqr_default) OP(linalg_qr_default) \
  OP(inner_linalg_svd_default) OP(linalg_svd_default) OP(linalg_svdvals_default) OP(svd_default) \
  OP(inner_linalg_eigh_default) OP(linalg_eigh_default) OP(linalg_eigvalsh_default) OP(matrix_exponential_default) \
  OP(linalg_matrix_exp_default) OP(matrix_exp_default) OP(matrix_exp_backward_default) OP(linalg_matrix_sqrth_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SPECTRUM_OPS)
