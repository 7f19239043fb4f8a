// The ops that join.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_JOIN_OPS(OP) \
  OP(cat_default) OP(concat_default) OP(concatenate_default) OP(stack_default) OP(hstack_default) OP(vstack_default) \
  OP(row_stack_default) OP(dstack_default) OP(column_stack_default) OP(block_diag_default) OP(chunk_cat_default) \
  OP(broadcast_tensors_default) OP(meshgrid_default) OP(meshgrid_indexing) OP(cartesian_prod_default) \
  OP(combinations_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_JOIN_OPS)
