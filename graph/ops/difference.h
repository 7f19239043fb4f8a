// The ops that difference.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_DIFFERENCE_OPS(OP) \
  OP(diff_default) OP(trapezoid_x) OP(trapezoid_dx) OP(trapz_x) OP(trapz_dx) OP(cumulative_trapezoid_x) \
  OP(cumulative_trapezoid_dx)
// clang-format on

SINTER_DECLARE_OPS(SINTER_DIFFERENCE_OPS)
