// Convolutions and their two transposes, by the library that is best at the type: oneDNN for f32, bf16 and (by way of
// f32) f16, products of unfolded windows for f64 and integers.
//
//   y[n, g * filters + f, q] = sum over c, k of x[n, g * channels + c, q * stride - padding + k * dilation] *
//                                               w[g * filters + f, c, k]

#pragma once

#include <sinter/graph/dtype.h>

#include <array>
#include <cstdint>

namespace sinter::runtime {

struct Convolution {
  int rank = 2;  // spatial dims; those below are used from the front, the others are 1 (0 for padding)
  int64_t batch = 1;
  int64_t groups = 1;
  int64_t channels = 1;                       // of x, in one group
  int64_t filters = 1;                        // channels of y, in one group
  std::array<int64_t, 3> size = {1, 1, 1};    // of x
  std::array<int64_t, 3> output = {1, 1, 1};  // of y
  std::array<int64_t, 3> kernel = {1, 1, 1};
  std::array<int64_t, 3> stride = {1, 1, 1};
  std::array<int64_t, 3> padding = {0, 0, 0};  // before the first element of x
  std::array<int64_t, 3> dilation = {1, 1, 1};

  int64_t x_elements() const { return batch * groups * channels * size[0] * size[1] * size[2]; }
  int64_t y_elements() const { return batch * groups * filters * output[0] * output[1] * output[2]; }
  int64_t w_elements() const { return groups * filters * channels * kernel[0] * kernel[1] * kernel[2]; }
};

// A tensor [batch or rows, channels, spatial...] in memory: strides in elements, as many as the convolution's rank + 2.
struct ConvolutionTensor {
  void* data = nullptr;
  std::array<int64_t, 5> strides = {};
};

// What is computed of the three tensors of a convolution.
enum class ConvolutionKind {
  forward,          // y of x and w; the bias has a number for each channel of y
  transposed,       // x of y and w: the sum of all that y's elements spread; the bias has one for each channel of x
  weight_gradient,  // w of x and y: the gradient where y is that of the result
};

struct ConvolutionCall {
  ConvolutionKind kind;
  Convolution shape;
  DType dtype;
  ConvolutionTensor x, w, y;   // of no overlapping elements
  const void* bias = nullptr;  // contiguous, or null; added once, before the result is rounded
};

void convolve(const ConvolutionCall& call);

// --- What is behind it ------------------------------------------------------------------------------------------

void convolve_with_dnnl(const ConvolutionCall& call);  // f32; bf16 where convolves_bf16(); no empty tensors
bool convolves_bf16();
void convolve_by_products(const ConvolutionCall& call);  // all but halves; contiguous tensors

}  // namespace sinter::runtime
