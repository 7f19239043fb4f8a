// The ops that gamma.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_GAMMA_OPS(OP) \
  OP(lgamma_default) OP(lgamma_inplace_default) OP(special_gammaln_default) OP(digamma_default) \
  OP(digamma_inplace_default) OP(special_digamma_default) OP(special_psi_default) OP(mvlgamma_default) \
  OP(mvlgamma_inplace_default) OP(special_multigammaln_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_GAMMA_OPS)
