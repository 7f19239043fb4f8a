// The ops that covariance.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_COVARIANCE_OPS(OP) \
  OP(cov_default) OP(corrcoef_default) OP(linalg_vander_default) OP(vander_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_COVARIANCE_OPS)
