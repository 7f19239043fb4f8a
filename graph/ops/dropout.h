// The ops that dropout.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_DROPOUT_OPS(OP) \
  OP(dropout_default) OP(dropout_inplace_default) OP(native_dropout_default) OP(native_dropout_backward_default) \
  OP(feature_dropout_default) OP(feature_dropout_inplace_default) \
  OP(alpha_dropout_default) OP(alpha_dropout_inplace_default) \
  OP(rrelu_default) OP(rrelu_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_DROPOUT_OPS)
