// The ops that index.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_INDEX_OPS(OP) \
  OP(nonzero_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_INDEX_OPS)
