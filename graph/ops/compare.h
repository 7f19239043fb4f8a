// The ops that compare.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_COMPARE_OPS(OP) \
  OP(eq_tensor) OP(eq_scalar) OP(eq_inplace_tensor) OP(eq_inplace_scalar) \
  OP(ne_tensor) OP(ne_scalar) OP(ne_inplace_tensor) OP(ne_inplace_scalar) \
  OP(lt_tensor) OP(lt_scalar) OP(lt_inplace_tensor) OP(lt_inplace_scalar) \
  OP(le_tensor) OP(le_scalar) OP(le_inplace_tensor) OP(le_inplace_scalar) \
  OP(gt_tensor) OP(gt_scalar) OP(gt_inplace_tensor) OP(gt_inplace_scalar) \
  OP(ge_tensor) OP(ge_scalar) OP(ge_inplace_tensor) OP(ge_inplace_scalar) \
  OP(maximum_default) OP(minimum_default) OP(fmax_default) OP(fmin_default) OP(max_other) OP(min_other) \
  OP(isnan_default) OP(isinf_default) OP(isfinite_default) OP(equal_default) OP(isclose_default) \
  OP(allclose_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_COMPARE_OPS)
