// Images [batch, channels, spatial...] in another size, larger or smaller.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

Tensor upsample_nearest1d(const Tensor& x, Dims output_size, Here here = Here::current());
Tensor upsample_nearest2d(const Tensor& x, Dims output_size, Here here = Here::current());
Tensor upsample_nearest3d(const Tensor& x, Dims output_size, Here here = Here::current());
// With align_corners the outermost elements' centres stay in place, else their outer edges.
Tensor upsample_linear1d(const Tensor& x, Dims output_size, bool align_corners = false, Here here = Here::current());
Tensor upsample_bilinear2d(const Tensor& x, Dims output_size, bool align_corners = false, Here here = Here::current());
Tensor upsample_trilinear3d(const Tensor& x, Dims output_size, bool align_corners = false, Here here = Here::current());
Tensor upsample_bicubic2d(const Tensor& x, Dims output_size, bool align_corners = false, Here here = Here::current());

}  // namespace sinter
