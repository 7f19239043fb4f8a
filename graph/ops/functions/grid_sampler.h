// Images read at places that a second tensor gives.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

enum class Interpolation { bilinear, nearest, bicubic };
// What is outside of an image: zeros, its border, or its reflection.
enum class Outside { zeros, border, reflection };

// x [batch, channels, (depth,) height, width] at grid [batch, .., 2 or 3], whose places run from -1 to 1 over the
// image: (x, y) or (x, y, z). With align_corners these are the outermost elements' centres, else their outer edges.
Tensor grid_sampler(const Tensor& x, const Tensor& grid, Interpolation interpolation = Interpolation::bilinear,
                    Outside outside = Outside::zeros, bool align_corners = false, Here here = Here::current());

}  // namespace sinter
