// The ops that group_norm.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_GROUP_NORM_OPS(OP) \
  OP(group_norm_default) OP(native_group_norm_default) OP(rms_norm_default) OP(fused_rms_norm_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_GROUP_NORM_OPS)
