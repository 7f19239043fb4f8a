// The ops that activation.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_ACTIVATION_OPS(OP) \
  OP(relu_default) OP(relu_inplace_default) OP(sigmoid_default) OP(sigmoid_inplace_default) \
  OP(silu_default) OP(silu_inplace_default) OP(softsign_default) OP(gelu_default) OP(gelu_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_ACTIVATION_OPS)
