// Pixels and channels in another order.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// [.., channels * factor^2, height, width] -> [.., channels, height * factor, width * factor], and back.
Tensor pixel_shuffle(const Tensor& x, int64_t upscale_factor, Here here = Here::current());
Tensor pixel_unshuffle(const Tensor& x, int64_t downscale_factor, Here here = Here::current());
Tensor channel_shuffle(const Tensor& x, int64_t groups, Here here = Here::current());
// The windows of [batch, channels, height, width] as columns, and the sums of columns at their places.
Tensor im2col(const Tensor& x, Dims kernel_size, Dims dilation = {1}, Dims padding = {0}, Dims stride = {1},
              Here here = Here::current());
Tensor col2im(const Tensor& x, Dims output_size, Dims kernel_size, Dims dilation = {1}, Dims padding = {0},
              Dims stride = {1}, Here here = Here::current());

}  // namespace sinter
