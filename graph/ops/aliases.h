// The ops that aliases.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_ALIASES_OPS(OP) \
  OP(arccos_default) OP(arccos_inplace_default) OP(arccosh_default) OP(arccosh_inplace_default) \
  OP(arcsin_default) OP(arcsin_inplace_default) OP(arcsinh_default) OP(arcsinh_inplace_default) \
  OP(arctan_default) OP(arctan_inplace_default) OP(arctanh_default) OP(arctanh_inplace_default) \
  OP(absolute_default) OP(absolute_inplace_default) OP(negative_default) OP(negative_inplace_default) \
  OP(resolve_neg_default) OP(resolve_conj_default) OP(fix_default) OP(fix_inplace_default) OP(arctan2_default) OP(arctan2_inplace_default) OP(subtract_tensor) \
  OP(subtract_inplace_tensor) OP(subtract_scalar) OP(subtract_inplace_scalar) OP(multiply_tensor) \
  OP(multiply_inplace_tensor) OP(multiply_scalar) OP(multiply_inplace_scalar) OP(divide_tensor) \
  OP(divide_inplace_tensor) OP(divide_scalar) OP(divide_inplace_scalar) OP(divide_tensor_mode) \
  OP(divide_inplace_tensor_mode) OP(divide_scalar_mode) OP(divide_inplace_scalar_mode) OP(true_divide_scalar) \
  OP(true_divide_inplace_scalar) OP(greater_tensor) OP(greater_inplace_tensor) OP(greater_scalar) \
  OP(greater_inplace_scalar) OP(greater_equal_tensor) OP(greater_equal_inplace_tensor) OP(greater_equal_scalar) \
  OP(greater_equal_inplace_scalar) OP(less_tensor) OP(less_inplace_tensor) OP(less_scalar) \
  OP(less_inplace_scalar) OP(less_equal_tensor) OP(less_equal_inplace_tensor) OP(less_equal_scalar) \
  OP(less_equal_inplace_scalar) OP(not_equal_tensor) OP(not_equal_inplace_tensor) OP(not_equal_scalar) \
  OP(not_equal_inplace_scalar) OP(clip_default) OP(clip_inplace_default) OP(clip_tensor) OP(clip_inplace_tensor) \
  OP(operator_and_tensor) OP(operator_iand_tensor) OP(operator_and_scalar) OP(operator_iand_scalar) \
  OP(operator_or_tensor) OP(operator_ior_tensor) OP(operator_or_scalar) OP(operator_ior_scalar) \
  OP(operator_xor_tensor) OP(operator_ixor_tensor) OP(operator_xor_scalar) OP(operator_ixor_scalar) \
  OP(operator_lshift_tensor) OP(operator_ilshift_tensor) OP(operator_lshift_scalar) OP(operator_ilshift_scalar) \
  OP(operator_rshift_tensor) OP(operator_irshift_tensor) OP(operator_rshift_scalar) OP(operator_irshift_scalar) \
  OP(special_exp2_default) OP(special_expm1_default) OP(special_log1p_default) OP(special_logit_default) \
  OP(special_expit_default) OP(special_round_default) OP(special_xlogy_default) OP(special_xlogy_other_scalar) \
  OP(special_xlogy_self_scalar) OP(bitwise_and_scalar_tensor) OP(bitwise_or_scalar_tensor) \
  OP(bitwise_xor_scalar_tensor) OP(where_scalarother) OP(where_scalarself) OP(where_scalar)
// clang-format on

SINTER_DECLARE_OPS(SINTER_ALIASES_OPS)
