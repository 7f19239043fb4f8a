// The ops that number.cpp defines: arithmetic of numbers, of which the function being traced knows the kinds alone.

#pragma once

#include <sinter/graph/ops/declare.h>
#include <sinter/graph/tensor.h>

// clang-format off
#define SINTER_NUMBER_OPS(OP) \
  OP(number_of) OP(number_add) OP(number_sub) OP(number_mul) OP(number_div) OP(number_pow) OP(number_sqrt)
// clang-format on

SINTER_DECLARE_OPS(SINTER_NUMBER_OPS)

namespace sinter {

// The number in a tensor of one float, in a trace.
Scalar traced_item(const Tensor& tensor, Here here);

}  // namespace sinter
