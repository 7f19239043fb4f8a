// The ops that variance.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_VARIANCE_OPS(OP) \
  OP(var_default) OP(var_dim) OP(var_correction) OP(std_default) OP(std_dim) OP(std_correction) \
  OP(var_mean_default) OP(var_mean_dim) OP(var_mean_correction) \
  OP(std_mean_default) OP(std_mean_dim) OP(std_mean_correction)
// clang-format on

SINTER_DECLARE_OPS(SINTER_VARIANCE_OPS)
