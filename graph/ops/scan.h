// The ops that scan.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SCAN_OPS(OP) \
  OP(cumsum_default) OP(cumsum_inplace_default) OP(cumprod_default) OP(cumprod_inplace_default) \
  OP(logcumsumexp_default) OP(cummax_default) OP(cummin_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SCAN_OPS)
