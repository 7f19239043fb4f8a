// Activations as functions, with ATen's names and defaults.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// Straight pieces.
Tensor hardtanh(const Tensor& x, Scalar min_val = -1, Scalar max_val = 1, Here here = Here::current());
Tensor relu6(const Tensor& x, Here here = Here::current());
Tensor hardswish(const Tensor& x, Here here = Here::current());
Tensor hardsigmoid(const Tensor& x, Here here = Here::current());
Tensor leaky_relu(const Tensor& x, Scalar negative_slope = 0.01, Here here = Here::current());
Tensor threshold(const Tensor& x, Scalar threshold, Scalar value, Here here = Here::current());
Tensor hardshrink(const Tensor& x, Scalar lambd = 0.5, Here here = Here::current());
Tensor softshrink(const Tensor& x, Scalar lambd = 0.5, Here here = Here::current());
// One weight, or one for each channel (dim 1).
Tensor prelu(const Tensor& x, const Tensor& weight, Here here = Here::current());

// Smooth ones.
Tensor elu(const Tensor& x, Scalar alpha = 1, Scalar scale = 1, Scalar input_scale = 1, Here here = Here::current());
Tensor selu(const Tensor& x, Here here = Here::current());
Tensor celu(const Tensor& x, Scalar alpha = 1.0, Here here = Here::current());
Tensor softplus(const Tensor& x, Scalar beta = 1, Scalar threshold = 20, Here here = Here::current());
Tensor mish(const Tensor& x, Here here = Here::current());
Tensor log_sigmoid(const Tensor& x, Here here = Here::current());
// The first half of the dim times the sigmoid of the second.
Tensor glu(const Tensor& x, int64_t dim = -1, Here here = Here::current());

}  // namespace sinter
