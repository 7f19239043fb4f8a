// The ops that segment.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SEGMENT_OPS(OP) \
  OP(segment_reduce_default) OP(segment_reduce_backward_default) \
  OP(repeat_interleave_tensor) OP(repeat_interleave_self_tensor) OP(repeat_interleave_self_int) \
  OP(one_hot_default) OP(gather_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SEGMENT_OPS)
