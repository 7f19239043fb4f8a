// The ops that logarithmic.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_LOGARITHMIC_OPS(OP) \
  OP(logaddexp_default) OP(logaddexp2_default) OP(xlogy_tensor) OP(xlogy_scalar_other) OP(xlogy_scalar_self) \
  OP(xlogy_inplace_tensor) OP(xlogy_inplace_scalar_other) OP(logit_default) OP(logit_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_LOGARITHMIC_OPS)
