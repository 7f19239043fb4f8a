// The ops that attention.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_ATTENTION_OPS(OP) \
  OP(scaled_dot_product_attention_default) OP(attention_default) \
  OP(flash_attention_for_cpu_default) OP(flash_attention_for_cpu_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_ATTENTION_OPS)

namespace sinter {

// What products of queries and keys are multiplied by: `scale`, or 1 / sqrt(features) where it is absent.
double attention_scale(const OpArgs& args, const SymInt& features);

}  // namespace sinter
