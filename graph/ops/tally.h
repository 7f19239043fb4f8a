// The ops that tally.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_TALLY_OPS(OP) \
  OP(nansum_default) OP(nanmean_default) OP(count_nonzero_default) OP(count_nonzero_dim_intlist) \
  OP(logsumexp_default) OP(special_logsumexp_default) OP(trace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_TALLY_OPS)
