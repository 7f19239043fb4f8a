// The ops that embedding.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_EMBEDDING_OPS(OP) \
  OP(embedding_default) OP(embedding_backward_default) OP(embedding_dense_backward_default) \
  OP(embedding_renorm_default) OP(embedding_renorm_inplace_default) \
  OP(embedding_bag_default) OP(embedding_bag_padding_idx) \
  OP(inner_embedding_bag_default) OP(embedding_bag_forward_only_default) \
  OP(embedding_bag_backward_default) OP(embedding_bag_dense_backward_default) \
  OP(embedding_bag_per_sample_weights_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_EMBEDDING_OPS)
