// The ops that scatter.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SCATTER_OPS(OP) \
  OP(scatter_src) OP(scatter_value) OP(scatter_reduce) OP(scatter_value_reduce) \
  OP(scatter_inplace_src) OP(scatter_inplace_value) OP(scatter_inplace_reduce) OP(scatter_inplace_value_reduce) \
  OP(scatter_add_default) OP(scatter_add_inplace_default) \
  OP(scatter_reduce_two) OP(scatter_reduce_inplace_two) \
  OP(index_add_default) OP(index_add_inplace_default) OP(index_copy_default) OP(index_copy_inplace_default) \
  OP(index_reduce_default) OP(index_reduce_inplace_default) \
  OP(index_fill_int_scalar) OP(index_fill_inplace_int_scalar) \
  OP(index_fill_int_tensor) OP(index_fill_inplace_int_tensor)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SCATTER_OPS)
