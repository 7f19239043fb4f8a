// The ops that copy.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_COPY_OPS(OP) \
  OP(clone_default) OP(contiguous_default) OP(to_copy_default) OP(to_dtype) OP(to_device) \
  OP(copy_default) OP(copy_inplace_default) OP(fill_scalar) OP(fill_inplace_scalar) \
  OP(zero_default) OP(zero_inplace_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_COPY_OPS)
