// The ops that loss_backward.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_LOSS_BACKWARD_OPS(OP) \
  OP(mse_loss_backward_default) OP(smooth_l1_loss_backward_default) OP(huber_loss_backward_default) \
  OP(soft_margin_loss_backward_default) OP(binary_cross_entropy_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_LOSS_BACKWARD_OPS)
