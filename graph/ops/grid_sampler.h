// The ops that grid_sampler.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_GRID_SAMPLER_OPS(OP) \
  OP(grid_sampler_default) OP(grid_sampler_2d_default) OP(grid_sampler_3d_default) \
  OP(grid_sampler_2d_backward_default) OP(grid_sampler_3d_backward_default) OP(grid_sampler_gradients_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_GRID_SAMPLER_OPS)
