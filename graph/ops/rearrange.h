// The ops that rearrange.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_REARRANGE_OPS(OP) \
  OP(swapaxes_default) OP(swapdims_default) OP(swapaxes_inplace_default) OP(swapdims_inplace_default) \
  OP(movedim_int) OP(movedim_intlist) OP(moveaxis_int) OP(moveaxis_intlist) \
  OP(numpy_T_default) OP(mT_default) OP(mH_default) OP(matrix_H_default) OP(adjoint_default) \
  OP(ravel_default) OP(unflatten_int) OP(view_as_default) OP(reshape_as_default) OP(expand_as_default) \
  OP(broadcast_to_default) OP(unfold_default) OP(narrow_tensor) OP(as_strided_inplace_default) \
  OP(unsafe_view_default) OP(reshape_alias_default) OP(atleast_1d_default) OP(atleast_2d_default) \
  OP(atleast_3d_default) OP(atleast_1d_sequence) OP(atleast_2d_sequence) OP(atleast_3d_sequence) \
  OP(detach_inplace_default) OP(lift_default) OP(lift_fresh_default) \
  OP(sum_to_size_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_REARRANGE_OPS)
