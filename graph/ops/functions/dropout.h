// Dropout as functions.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// In training each element is 0 with probability p and else divided by 1 - p; otherwise x itself.
Tensor dropout(const Tensor& x, double p, bool train, Here here = Here::current());
// The same for whole channels: positions of the first two dims.
Tensor feature_dropout(const Tensor& x, double p, bool train, Here here = Here::current());
// Keeps mean and variance of a selu network's activations.
Tensor alpha_dropout(const Tensor& x, double p, bool train, Here here = Here::current());

}  // namespace sinter
