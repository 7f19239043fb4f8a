// The ops that piecewise.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_PIECEWISE_OPS(OP) \
  OP(hardtanh_default) OP(hardtanh_inplace_default) OP(hardtanh_backward_default) \
  OP(relu6_default) OP(relu6_inplace_default) \
  OP(hardswish_default) OP(hardswish_inplace_default) OP(hardswish_backward_default) \
  OP(hardsigmoid_default) OP(hardsigmoid_inplace_default) OP(hardsigmoid_backward_default) \
  OP(leaky_relu_default) OP(leaky_relu_inplace_default) OP(leaky_relu_backward_default) \
  OP(threshold_default) OP(threshold_inplace_default) OP(threshold_backward_default) \
  OP(hardshrink_default) OP(hardshrink_backward_default) \
  OP(softshrink_default) OP(softshrink_backward_default) \
  OP(prelu_default) OP(prelu_kernel_default) OP(prelu_kernel_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_PIECEWISE_OPS)
