// The ops that search.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SEARCH_OPS(OP) \
  OP(searchsorted_tensor) OP(searchsorted_scalar) OP(bucketize_tensor) OP(bucketize_scalar) \
  OP(isin_tensor_tensor) OP(isin_tensor_scalar) OP(isin_scalar_tensor) \
  OP(histc_default) OP(histogram_bin_ct) OP(histogram_bins_tensor) OP(bincount_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SEARCH_OPS)
