// The ops that contraction.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CONTRACTION_OPS(OP) \
  OP(einsum_default) OP(tensordot_default) OP(bilinear_default) OP(trilinear_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CONTRACTION_OPS)
