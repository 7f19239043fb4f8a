// The ops that softmax_backward.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SOFTMAX_BACKWARD_OPS(OP) \
  OP(inner_softmax_backward_data_default) OP(inner_log_softmax_backward_data_default) OP(inner_safe_softmax_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SOFTMAX_BACKWARD_OPS)
