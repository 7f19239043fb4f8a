// The ops that sort.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SORT_OPS(OP) \
  OP(sort_default) OP(sort_stable) OP(argsort_default) OP(argsort_stable) OP(msort_default) \
  OP(topk_default) OP(kthvalue_default) \
  OP(unique_default) OP(unique2_default) OP(unique_dim_default) OP(unique_dim_consecutive_default) \
  OP(unique_consecutive_default) \
  OP(value_selecting_reduction_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SORT_OPS)
