// The ops that cross_product.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CROSS_PRODUCT_OPS(OP) \
  OP(cross_default) OP(linalg_cross_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CROSS_PRODUCT_OPS)
