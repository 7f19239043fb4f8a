// The ops that smooth_activation.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SMOOTH_ACTIVATION_OPS(OP) \
  OP(elu_default) OP(elu_inplace_default) OP(elu_backward_default) \
  OP(selu_default) OP(selu_inplace_default) OP(celu_default) OP(celu_inplace_default) \
  OP(softplus_default) OP(softplus_backward_default) \
  OP(mish_default) OP(mish_inplace_default) OP(mish_backward_default) \
  OP(log_sigmoid_default) OP(log_sigmoid_forward_default) OP(log_sigmoid_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SMOOTH_ACTIVATION_OPS)
