// The ops that gradient.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_GRADIENT_OPS(OP) \
  OP(gradient_scalarint) OP(gradient_scalararray) OP(gradient_array) OP(gradient_scalarrayint) \
  OP(gradient_scalarrayarray) OP(gradient_tensorarrayint) OP(gradient_tensorarray)
// clang-format on

SINTER_DECLARE_OPS(SINTER_GRADIENT_OPS)
