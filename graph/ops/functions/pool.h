// Pools over the last dims of [batch, channels, spatial...] (or without batch); lists of one number stand for all of
// them, an empty stride for the kernel's size.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

#define SINTER_POOL_FUNCTIONS(n)                                                                                      \
  Tensor max_pool##n##d(const Tensor& x, Dims kernel_size, Dims stride = {}, Dims padding = {0}, Dims dilation = {1}, \
                        bool ceil_mode = false, Here here = Here::current());                                         \
  Tensor avg_pool##n##d(const Tensor& x, Dims kernel_size, Dims stride = {}, Dims padding = {0},                      \
                        bool ceil_mode = false, bool count_include_pad = true, Here here = Here::current());          \
  Tensor adaptive_avg_pool##n##d(const Tensor& x, Dims output_size, Here here = Here::current());                     \
  std::pair<Tensor, Tensor> adaptive_max_pool##n##d(const Tensor& x, Dims output_size, Here here = Here::current())
SINTER_POOL_FUNCTIONS(1);
SINTER_POOL_FUNCTIONS(2);
SINTER_POOL_FUNCTIONS(3);
#undef SINTER_POOL_FUNCTIONS

}  // namespace sinter
