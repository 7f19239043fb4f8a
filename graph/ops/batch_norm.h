// The ops that batch_norm.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_BATCH_NORM_OPS(OP) \
  OP(native_batch_norm_default) OP(native_batch_norm_legit_default) OP(native_batch_norm_legit_no_stats) \
  OP(native_batch_norm_legit_functional_default) OP(native_batch_norm_legit_no_training_default) \
  OP(batch_norm_with_update_default) OP(batch_norm_with_update_functional_default) OP(batch_norm_no_update_default) \
  OP(batch_norm_default) OP(instance_norm_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_BATCH_NORM_OPS)
