// The ops that sort.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SORT_OPS(OP) \
  OP(sort_default) OP(sort_stable)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SORT_OPS)
