// The ops that distance_matrix.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_DISTANCE_MATRIX_OPS(OP) \
  OP(cdist_default) OP(cdist_forward_default) OP(cdist_backward_default) OP(euclidean_dist_default) \
  OP(pdist_default) OP(pdist_forward_default) OP(pdist_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_DISTANCE_MATRIX_OPS)
