// The ops that logspace.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_LOGSPACE_OPS(OP) \
  OP(logspace_default) OP(logspace_tensor_tensor) OP(logspace_tensor_scalar) OP(logspace_scalar_tensor)
// clang-format on

SINTER_DECLARE_OPS(SINTER_LOGSPACE_OPS)
