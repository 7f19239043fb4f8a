// The ops that arithmetic.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_ARITHMETIC_OPS(OP) \
  OP(add_tensor) OP(add_scalar) OP(add_inplace_tensor) OP(add_inplace_scalar) \
  OP(sub_tensor) OP(sub_scalar) OP(sub_inplace_tensor) OP(sub_inplace_scalar) \
  OP(rsub_tensor) OP(rsub_scalar) \
  OP(mul_tensor) OP(mul_scalar) OP(mul_inplace_tensor) OP(mul_inplace_scalar) \
  OP(div_tensor) OP(div_scalar) OP(div_inplace_tensor) OP(div_inplace_scalar) \
  OP(true_divide_tensor) OP(true_divide_inplace_tensor) \
  OP(neg_default) OP(neg_inplace_default) OP(abs_default) OP(abs_inplace_default) \
  OP(reciprocal_default) OP(reciprocal_inplace_default) OP(square_default) OP(square_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_ARITHMETIC_OPS)
