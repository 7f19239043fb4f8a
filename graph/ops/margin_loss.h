// The ops that margin_loss.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_MARGIN_LOSS_OPS(OP) \
  OP(hinge_embedding_loss_default) OP(margin_ranking_loss_default) OP(cosine_embedding_loss_default) \
  OP(triplet_margin_loss_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_MARGIN_LOSS_OPS)
