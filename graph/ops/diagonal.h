// The ops that diagonal.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_DIAGONAL_OPS(OP) \
  OP(band_default) OP(tril_default) OP(triu_default) OP(tril_inplace_default) OP(triu_inplace_default) \
  OP(diagonal_default) OP(linalg_diagonal_default) OP(diagonal_copy_default) OP(diag_default) OP(diag_embed_default) \
  OP(diagflat_default) OP(fill_diagonal_inplace_default) OP(eye_default) OP(eye_m) \
  OP(tril_indices_default) OP(triu_indices_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_DIAGONAL_OPS)
