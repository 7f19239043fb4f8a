// The ops that class_margin_loss.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CLASS_MARGIN_LOSS_OPS(OP) \
  OP(multi_margin_loss_default) OP(multi_margin_loss_backward_default) \
  OP(multilabel_margin_loss_default) OP(multilabel_margin_loss_forward_default) \
  OP(multilabel_margin_loss_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CLASS_MARGIN_LOSS_OPS)
