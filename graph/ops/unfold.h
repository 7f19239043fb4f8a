// The ops that unfold.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_UNFOLD_OPS(OP) \
  OP(im2col_default) OP(col2im_default) OP(pixel_shuffle_default) OP(pixel_unshuffle_default) \
  OP(channel_shuffle_default) OP(native_channel_shuffle_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_UNFOLD_OPS)
