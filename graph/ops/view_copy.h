// The ops that view_copy.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_VIEW_COPY_OPS(OP) \
  OP(alias_copy_default) OP(detach_copy_default) OP(lift_fresh_copy_default) OP(view_copy_default) \
  OP(reshape_copy_default) OP(reshape_alias_copy_default) OP(permute_copy_default) OP(transpose_copy_int) \
  OP(t_copy_default) OP(unsqueeze_copy_default) OP(squeeze_copy_default) OP(squeeze_copy_dim) OP(squeeze_copy_dims) \
  OP(expand_copy_default) OP(select_copy_int) OP(slice_copy_tensor) OP(narrow_copy_default) OP(unfold_copy_default) \
  OP(as_strided_copy_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_VIEW_COPY_OPS)
