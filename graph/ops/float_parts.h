// The ops that float_parts.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_FLOAT_PARTS_OPS(OP) \
  OP(mantissa_default) OP(exponent_default) OP(frexp_tensor) OP(ldexp_tensor) OP(ldexp_inplace_default) \
  OP(nextafter_default) OP(nextafter_inplace_default) OP(frac_default) OP(frac_inplace_default) \
  OP(nan_to_num_default) OP(nan_to_num_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_FLOAT_PARTS_OPS)
