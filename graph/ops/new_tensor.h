// The ops that new_tensor.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_NEW_TENSOR_OPS(OP) \
  OP(new_empty_default) OP(new_empty_strided_default) OP(empty_strided_default) OP(empty_permuted_default) \
  OP(new_zeros_default) OP(new_ones_default) OP(new_full_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_NEW_TENSOR_OPS)
