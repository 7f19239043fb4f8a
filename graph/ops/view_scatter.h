// The ops that view_scatter.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_VIEW_SCATTER_OPS(OP) \
  OP(select_scatter_default) OP(slice_scatter_default) OP(diagonal_scatter_default) \
  OP(select_backward_default) OP(slice_backward_default) OP(diagonal_backward_default) OP(unfold_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_VIEW_SCATTER_OPS)
