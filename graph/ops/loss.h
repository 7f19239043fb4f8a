// The ops that loss.cpp defines: losses, and their elements' formulas under names of our own.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_LOSS_OPS(OP) \
  OP(mse_elements_default) OP(mse_loss_default) OP(l1_loss_default) \
  OP(smooth_l1_elements_default) OP(smooth_l1_loss_default) \
  OP(huber_elements_default) OP(huber_loss_default) \
  OP(soft_margin_loss_default) \
  OP(kl_div_elements_default) OP(kl_div_default) \
  OP(poisson_nll_elements_default) OP(poisson_nll_loss_default) \
  OP(binary_cross_entropy_elements_default) OP(binary_cross_entropy_default) \
  OP(binary_cross_entropy_with_logits_elements_default) OP(binary_cross_entropy_with_logits_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_LOSS_OPS)
