// The ops that polygamma.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_POLYGAMMA_OPS(OP) \
  OP(polygamma_default) OP(ordered_polygamma_default) OP(polygamma_inplace_default) OP(special_polygamma_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_POLYGAMMA_OPS)
