// The ops that vector_norm.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_VECTOR_NORM_OPS(OP) \
  OP(norm_scalar) OP(norm_scalaropt_dim) OP(norm_scalaropt_dtype) OP(norm_scalaropt_dim_dtype) \
  OP(linalg_vector_norm_default) OP(frobenius_norm_dim) OP(dist_default) OP(renorm_default) \
  OP(renorm_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_VECTOR_NORM_OPS)
