// Convolutions and the gradient of their weights.

#include <sinter/graph/ops/spatial.h>
#include <sinter/runtime/cpu/convolution.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <utility>

namespace sinter::runtime::routines {

namespace {

ConvolutionTensor tensor_of(const Tensor& tensor) {
  ConvolutionTensor result;
  result.data = tensor.data_ptr();
  const SymDims& strides = tensor.strides();
  for (size_t i = 0; i < strides.size(); ++i) result.strides[i] = strides[i].constant();
  return result;
}

int64_t size_of(const Tensor& tensor, int64_t dim) { return tensor.sizes()[dim].constant(); }

void fill(std::array<int64_t, 3>& numbers, const Dims& from) { std::copy(from.begin(), from.end(), numbers.begin()); }

// Of the convolution x -> y.
Convolution shape_of(const OpArgs& args, const Tensor& x, const Tensor& weight, const Tensor& y) {
  Convolution c;
  c.rank = static_cast<int>(x.dim() - 2);
  c.batch = size_of(x, 0);
  c.groups = args.integer("groups");
  c.channels = size_of(weight, 1);
  c.filters = size_of(weight, 0) / c.groups;
  for (int i = 0; i < c.rank; ++i) {
    c.size[i] = size_of(x, i + 2);
    c.output[i] = size_of(y, i + 2);
    c.kernel[i] = size_of(weight, i + 2);
  }
  fill(c.stride, spatial_numbers(args, "stride", c.rank));
  fill(c.padding, spatial_numbers(args, "padding", c.rank));
  fill(c.dilation, spatial_numbers(args, "dilation", c.rank));
  return c;
}

Tensor row_major(const Tensor& tensor) {
  if (tensor.is_contiguous()) return tensor;
  Tensor copy = new_tensor(tensor.dtype(), {size_of(tensor, 0)});
  int64_t width = byte_size(tensor.dtype()), stride = tensor.strides()[0].constant();
  for (int64_t i = 0; i < size_of(tensor, 0); ++i)
    std::copy_n(static_cast<const char*>(tensor.data_ptr()) + i * stride * width, width,
                static_cast<char*>(copy.data_ptr()) + i * width);
  return copy;
}

}  // namespace

SINTER_ROUTINE(convolution_default) {
  Tensor from = args[0].tensor(), to = results[0];
  const Tensor& weight = args[1].tensor();
  bool transposed = args.flag("transposed");
  if (transposed) std::swap(from, to);  // now the convolution that is transposed goes `from` -> `to`
  Tensor bias = args.has(2) ? row_major(args[2].tensor()) : Tensor();
  convolve({.kind = transposed ? ConvolutionKind::transposed : ConvolutionKind::forward,
            .shape = shape_of(args, from, weight, to),
            .dtype = weight.dtype(),
            .x = tensor_of(from),
            .w = tensor_of(weight),
            .y = tensor_of(to),
            .bias = bias.defined() ? bias.data_ptr() : nullptr});
}

SINTER_ROUTINE(convolution_weight_gradient_default) {
  const Tensor &x = args[0].tensor(), &y = args[1].tensor();
  convolve({.kind = ConvolutionKind::weight_gradient,
            .shape = shape_of(args, x, results[0], y),
            .dtype = x.dtype(),
            .x = tensor_of(x),
            .w = tensor_of(results[0]),
            .y = tensor_of(y)});
}

}  // namespace sinter::runtime::routines
