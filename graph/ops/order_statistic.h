// The ops that order_statistic.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_ORDER_STATISTIC_OPS(OP) \
  OP(median_default) OP(median_dim) OP(nanmedian_default) OP(nanmedian_dim) OP(mode_default) OP(quantile_default) \
  OP(quantile_scalar) OP(nanquantile_default) OP(nanquantile_scalar)
// clang-format on

SINTER_DECLARE_OPS(SINTER_ORDER_STATISTIC_OPS)
