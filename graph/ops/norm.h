// The ops that norm.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_NORM_OPS(OP) \
  OP(softmax_int) OP(inner_softmax_default) OP(log_softmax_int) OP(inner_log_softmax_default) \
  OP(layer_norm_default) OP(native_layer_norm_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_NORM_OPS)
