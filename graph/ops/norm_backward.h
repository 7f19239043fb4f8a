// The ops that norm_backward.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_NORM_BACKWARD_OPS(OP) \
  OP(native_layer_norm_backward_default) OP(native_group_norm_backward_default) \
  OP(native_batch_norm_backward_default) OP(batch_norm_backward_default) OP(fused_rms_norm_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_NORM_BACKWARD_OPS)
