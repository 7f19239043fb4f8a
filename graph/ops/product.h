// The ops that product.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_PRODUCT_OPS(OP) \
  OP(baddbmm_default) OP(baddbmm_inplace_default) OP(addbmm_default) OP(addbmm_inplace_default) OP(addmv_default) \
  OP(addmv_inplace_default) OP(addr_default) OP(addr_inplace_default) OP(mv_default) OP(dot_default) OP(vdot_default) \
  OP(linalg_vecdot_default) OP(outer_default) OP(ger_default) OP(inner_default) OP(kron_default) \
  OP(linalg_multi_dot_default) OP(chain_matmul_default) OP(linalg_matrix_power_default) OP(matrix_power_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_PRODUCT_OPS)
