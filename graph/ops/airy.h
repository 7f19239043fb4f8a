// The ops that airy.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_AIRY_OPS(OP) \
  OP(special_airy_ai_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_AIRY_OPS)
