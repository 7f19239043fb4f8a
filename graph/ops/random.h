// The ops that random.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_RANDOM_OPS(OP) \
  OP(rand_default) OP(rand_like_default) OP(randn_default) OP(randn_like_default) \
  OP(randint_default) OP(randint_low) OP(manual_seed_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_RANDOM_OPS)
