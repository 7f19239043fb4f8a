// The ops that creation.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_CREATION_OPS(OP) \
  OP(empty_memory_format) OP(empty_like_default) OP(zeros_default) OP(zeros_like_default) OP(ones_default) \
  OP(ones_like_default) OP(full_default) OP(full_like_default) OP(scalar_tensor_default) \
  OP(arange_default) OP(arange_start) OP(arange_start_step) \
  OP(linspace_default) OP(linspace_tensor_tensor) OP(linspace_tensor_scalar) OP(linspace_scalar_tensor)
// clang-format on

SINTER_DECLARE_OPS(SINTER_CREATION_OPS)
