// The ops that glu.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_GLU_OPS(OP) \
  OP(glu_default) OP(glu_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_GLU_OPS)
