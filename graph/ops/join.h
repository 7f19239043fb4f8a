// The ops that join.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_JOIN_OPS(OP) \
  OP(cat_default) OP(stack_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_JOIN_OPS)
