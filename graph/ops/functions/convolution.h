// Convolutions of [batch, channels, spatial...] (or without batch); lists of one number stand for all spatial dims.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// None, or as much as gives the result the input's size (with stride 1).
enum class Padding { valid, same };

#define SINTER_CONV_FUNCTION(n)                                                                                       \
  Tensor conv##n##d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, Dims stride = {1},                \
                    Dims padding = {0}, Dims dilation = {1}, int64_t groups = 1, Here here = Here::current());        \
  Tensor conv##n##d(const Tensor& x, const Tensor& weight, const Tensor& bias, Dims stride, Padding padding,          \
                    Dims dilation = {1}, int64_t groups = 1, Here here = Here::current());                            \
  Tensor conv_transpose##n##d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, Dims stride = {1},      \
                              Dims padding = {0}, Dims output_padding = {0}, int64_t groups = 1, Dims dilation = {1}, \
                              Here here = Here::current())
SINTER_CONV_FUNCTION(1);
SINTER_CONV_FUNCTION(2);
SINTER_CONV_FUNCTION(3);
#undef SINTER_CONV_FUNCTION

}  // namespace sinter
