// The ops that reduction.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_REDUCTION_OPS(OP) \
  OP(sum_default) OP(sum_dim_intlist) OP(mean_default) OP(mean_dim) OP(prod_default) OP(prod_dim_int) \
  OP(amax_default) OP(amin_default) OP(max_default) OP(min_default) \
  OP(any_default) OP(any_dim) OP(any_dims) OP(all_default) OP(all_dim) OP(all_dims)
// clang-format on

SINTER_DECLARE_OPS(SINTER_REDUCTION_OPS)
