// The ops that activation_backward.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_ACTIVATION_BACKWARD_OPS(OP) \
  OP(sigmoid_backward_default) OP(tanh_backward_default) OP(silu_backward_default) OP(gelu_backward_default) \
  OP(logit_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_ACTIVATION_BACKWARD_OPS)
