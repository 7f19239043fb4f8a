// The ops that upsample.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_UPSAMPLE_OPS(OP) \
  OP(upsample_nearest1d_default) OP(upsample_nearest1d_vec) OP(upsample_nearest1d_backward_default) \
  OP(upsample_nearest2d_default) OP(upsample_nearest2d_vec) OP(upsample_nearest2d_backward_default) \
  OP(upsample_nearest3d_default) OP(upsample_nearest3d_vec) OP(upsample_nearest3d_backward_default) \
  OP(inner_upsample_nearest_exact1d_default) OP(inner_upsample_nearest_exact1d_vec) \
  OP(inner_upsample_nearest_exact1d_backward_default) OP(inner_upsample_nearest_exact2d_default) \
  OP(inner_upsample_nearest_exact2d_vec) OP(inner_upsample_nearest_exact2d_backward_default) \
  OP(inner_upsample_nearest_exact3d_default) OP(inner_upsample_nearest_exact3d_vec) \
  OP(inner_upsample_nearest_exact3d_backward_default) OP(resample_nearest_default) \
  OP(upsample_linear1d_default) OP(upsample_linear1d_vec) OP(upsample_linear1d_backward_default) \
  OP(upsample_bilinear2d_default) OP(upsample_bilinear2d_vec) OP(upsample_bilinear2d_backward_default) \
  OP(upsample_trilinear3d_default) OP(upsample_trilinear3d_vec) OP(upsample_trilinear3d_backward_default) \
  OP(upsample_bicubic2d_default) OP(upsample_bicubic2d_vec) OP(upsample_bicubic2d_backward_default) \
  OP(inner_upsample_bilinear2d_aa_default) OP(inner_upsample_bilinear2d_aa_vec) \
  OP(inner_upsample_bilinear2d_aa_backward_default) OP(inner_upsample_bicubic2d_aa_default) \
  OP(inner_upsample_bicubic2d_aa_vec) OP(inner_upsample_bicubic2d_aa_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_UPSAMPLE_OPS)
