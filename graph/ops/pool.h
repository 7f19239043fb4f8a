// The ops that pool.cpp, adaptive_pool.cpp and pool_backward.cpp define.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_POOL_OPS(OP) \
  OP(max_pool1d_default) OP(max_pool2d_default) OP(max_pool3d_default) \
  OP(max_pool1d_with_indices_default) OP(max_pool2d_with_indices_default) OP(max_pool3d_with_indices_default) \
  OP(avg_pool1d_default) OP(avg_pool2d_default) OP(avg_pool3d_default) \
  OP(adaptive_avg_pool1d_default) OP(adaptive_avg_pool2d_default) OP(adaptive_avg_pool3d_default) \
  OP(inner_adaptive_avg_pool2d_default) OP(inner_adaptive_avg_pool3d_default) \
  OP(uneven_adaptive_avg_pool_default) \
  OP(adaptive_max_pool1d_default) OP(adaptive_max_pool2d_default) OP(adaptive_max_pool3d_default) \
  OP(fractional_max_pool2d_default) OP(fractional_max_pool3d_default) \
  OP(max_unpool2d_default) OP(max_unpool3d_default) \
  OP(max_pool2d_with_indices_backward_default) OP(max_pool3d_with_indices_backward_default) \
  OP(adaptive_max_pool2d_backward_default) OP(adaptive_max_pool3d_backward_default) \
  OP(fractional_max_pool2d_backward_default) OP(fractional_max_pool3d_backward_default) \
  OP(avg_pool2d_backward_default) OP(avg_pool3d_backward_default) \
  OP(inner_adaptive_avg_pool2d_backward_default) OP(inner_adaptive_avg_pool3d_backward_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_POOL_OPS)
