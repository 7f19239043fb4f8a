// The ops that convolution.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CONVOLUTION_OPS(OP) \
  OP(convolution_default) OP(inner_convolution_default) OP(inner_convolution_mode_default) \
  OP(conv1d_default) OP(conv2d_default) OP(conv3d_default) \
  OP(conv1d_padding) OP(conv2d_padding) OP(conv3d_padding) \
  OP(conv_transpose1d_default) OP(conv_transpose2d_input) OP(conv_transpose3d_input) \
  OP(conv_tbc_default) OP(convolution_backward_default) OP(convolution_weight_gradient_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CONVOLUTION_OPS)
