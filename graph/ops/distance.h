// The ops that distance.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_DISTANCE_OPS(OP) \
  OP(cosine_similarity_default) OP(pairwise_distance_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_DISTANCE_OPS)
