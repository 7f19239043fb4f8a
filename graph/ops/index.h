// The ops that index.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_INDEX_OPS(OP) \
  OP(nonzero_default) OP(nonzero_numpy_default) OP(nonzero_static_default) OP(argwhere_default) \
  OP(index_tensor) OP(unsafe_index_tensor) \
  OP(index_put_default) OP(index_put_inplace_default) OP(unsafe_index_put_default) \
  OP(index_select_default) OP(gather_default) OP(take_default) OP(take_along_dim_default) \
  OP(put_default) OP(put_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_INDEX_OPS)
