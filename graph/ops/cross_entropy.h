// The ops that cross_entropy.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CROSS_ENTROPY_OPS(OP) \
  OP(nll_loss_default) OP(nll_loss2d_default) OP(nll_loss_nd_default) \
  OP(nll_loss_forward_default) OP(nll_loss_backward_default) \
  OP(nll_loss2d_forward_default) OP(nll_loss2d_backward_default) OP(cross_entropy_loss_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CROSS_ENTROPY_OPS)
