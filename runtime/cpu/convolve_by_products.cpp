// Convolutions as products of matrices whose columns are the windows, unfolded: for what oneDNN does not have.

#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/cpu/convolution.h>
#include <sinter/runtime/cpu/matrix_product.h>
#include <sinter/runtime/parallel.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace sinter::runtime {

namespace {

// Integers wrap around: they are added without a sign.
template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

// One image of one group: x [channels, size...], y [filters, output...], windows [channels * kernel, outputs].
template <class T>
class Unfolding {
 public:
  explicit Unfolding(const Convolution& c)
      : c_(c),
        kernels_(c.kernel[0] * c.kernel[1] * c.kernel[2]),
        outputs_(c.output[0] * c.output[1] * c.output[2]),
        pixels_(c.size[0] * c.size[1] * c.size[2]),
        windows_(static_cast<T*>(allocate_host(bytes()))) {}
  Unfolding(const Unfolding&) = delete;
  ~Unfolding() { free_host(windows_, bytes()); }

  int64_t rows() const { return c_.channels * kernels_; }
  int64_t outputs() const { return outputs_; }
  int64_t pixels() const { return pixels_; }
  T* windows() const { return windows_; }

  // windows = x at each window's places, 0 outside
  void unfold(const T* x) const {
    parallel_for(0, rows(), 16, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* plane = x + row / kernels_ * pixels_;
        T* out = windows_ + row * outputs_;
        each_place(row % kernels_, [&](int64_t q, int64_t p) { out[q] = p < 0 ? T{} : plane[p]; });
      }
    });
  }
  // x = the sum of windows at their places
  void fold(T* x) const {
    parallel_for(0, c_.channels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t channel = begin; channel < end; ++channel) {
        T* plane = x + channel * pixels_;
        std::fill_n(plane, pixels_, T{});
        for (int64_t k = 0; k < kernels_; ++k) {
          const T* in = windows_ + (channel * kernels_ + k) * outputs_;
          each_place(k, [&](int64_t q, int64_t p) {
            if (p >= 0) plane[p] = plus(plane[p], in[q]);
          });
        }
      }
    });
  }

 private:
  int64_t bytes() const { return rows() * outputs_ * static_cast<int64_t>(sizeof(T)); }

  int64_t place(int dim, int64_t output, int64_t k) const {
    int64_t at = output * c_.stride[dim] - c_.padding[dim] + k * c_.dilation[dim];
    return at >= 0 && at < c_.size[dim] ? at : -1;
  }
  // body(output, its pixel or -1) for one place in the kernel.
  template <class Body>
  void each_place(int64_t k, Body&& body) const {
    int64_t k2 = k % c_.kernel[2], k1 = k / c_.kernel[2] % c_.kernel[1], k0 = k / c_.kernel[2] / c_.kernel[1], q = 0;
    for (int64_t i = 0; i < c_.output[0]; ++i) {
      int64_t p0 = place(0, i, k0);
      for (int64_t j = 0; j < c_.output[1]; ++j) {
        int64_t p1 = place(1, j, k1);
        bool is_outside = p0 < 0 || p1 < 0;
        int64_t line = (p0 * c_.size[1] + p1) * c_.size[2];
        for (int64_t l = 0; l < c_.output[2]; ++l, ++q) {
          int64_t p2 = place(2, l, k2);
          body(q, is_outside || p2 < 0 ? -1 : line + p2);
        }
      }
    }
  }

  const Convolution& c_;
  int64_t kernels_, outputs_, pixels_;
  T* windows_;
};

template <class T>
MatrixBatch matrix(T* data, int64_t rows, int64_t columns, DType dtype) {
  return {.data = data,
          .dtype = dtype,
          .rows = rows,
          .columns = columns,
          .batch_stride = rows * columns,
          .row_stride = columns,
          .column_stride = 1};
}
MatrixBatch turned(MatrixBatch m) {
  std::swap(m.rows, m.columns);
  std::swap(m.row_stride, m.column_stride);
  return m;
}

template <class T>
void add_bias(T* planes, const T* bias, int64_t channels, int64_t pixels) {
  if (!bias) return;
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t i = 0; i < pixels; ++i)
      planes[channel * pixels + i] = plus(planes[channel * pixels + i], bias[channel]);
}

template <class T>
void convolve_typed(const ConvolutionCall& call) {
  const Convolution& c = call.shape;
  Unfolding<T> unfolding(c);
  T *x = static_cast<T*>(call.x.data), *w = static_cast<T*>(call.w.data), *y = static_cast<T*>(call.y.data);
  const T* bias = static_cast<const T*>(call.bias);
  int64_t weights = c.filters * unfolding.rows();
  bool is_gradient = call.kind == ConvolutionKind::weight_gradient;
  std::vector<T> partial(is_gradient ? weights : 0);
  if (is_gradient) std::fill_n(w, c.groups * weights, T{});
  MatrixBatch windows = matrix(unfolding.windows(), unfolding.rows(), unfolding.outputs(), call.dtype);
  for (int64_t image = 0; image < c.batch; ++image) {
    for (int64_t group = 0; group < c.groups; ++group) {
      T* x_part = x + (image * c.groups + group) * c.channels * unfolding.pixels();
      T* y_part = y + (image * c.groups + group) * c.filters * unfolding.outputs();
      T* w_part = w + group * weights;
      MatrixBatch weight = matrix(w_part, c.filters, unfolding.rows(), call.dtype);
      MatrixBatch outputs = matrix(y_part, c.filters, unfolding.outputs(), call.dtype);
      switch (call.kind) {
        case ConvolutionKind::forward:
          unfolding.unfold(x_part);
          multiply(weight, windows, outputs);
          add_bias(y_part, bias ? bias + group * c.filters : nullptr, c.filters, unfolding.outputs());
          break;
        case ConvolutionKind::transposed:
          multiply(turned(weight), outputs, windows);
          unfolding.fold(x_part);
          add_bias(x_part, bias ? bias + group * c.channels : nullptr, c.channels, unfolding.pixels());
          break;
        case ConvolutionKind::weight_gradient:
          unfolding.unfold(x_part);
          multiply(outputs, turned(windows), matrix(partial.data(), c.filters, unfolding.rows(), call.dtype));
          for (int64_t i = 0; i < weights; ++i) w_part[i] = plus(w_part[i], partial[i]);
          break;
      }
    }
  }
}

}  // namespace

void convolve_by_products(const ConvolutionCall& call) {
  switch (call.dtype) {
    case DType::f32: return convolve_typed<float>(call);
    case DType::f64: return convolve_typed<double>(call);
    case DType::u8: return convolve_typed<uint8_t>(call);
    case DType::i8: return convolve_typed<int8_t>(call);
    case DType::i16: return convolve_typed<int16_t>(call);
    case DType::i32: return convolve_typed<int32_t>(call);
    default: return convolve_typed<int64_t>(call);
  }
}

}  // namespace sinter::runtime
