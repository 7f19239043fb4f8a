// The ops that extremum.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_EXTREMUM_OPS(OP) \
  OP(max_dim) OP(min_dim) OP(argmax_default) OP(argmin_default) \
  OP(aminmax_default) OP(inner_aminmax_default) OP(inner_aminmax_dim)
// clang-format on

SINTER_DECLARE_OPS(SINTER_EXTREMUM_OPS)
