// Sums of windows, which stand in columns, at their places in an image.

#include <sinter/graph/ops/spatial.h>
#include <sinter/runtime/routines/planes.h>
#include <sinter/runtime/routines/routine.h>

#include <vector>

namespace sinter::runtime::routines {

namespace {

struct Grid {
  Dims kernel, stride, padding, dilation;
  int64_t output[2];
};

Grid grid_of(const OpArgs& args, const Planes& image) {
  Grid g = {spatial_numbers(args, "kernel_size", 2),
            spatial_numbers(args, "stride", 2),
            spatial_numbers(args, "padding", 2),
            spatial_numbers(args, "dilation", 2),
            {}};
  for (int i = 0; i < 2; ++i)
    g.output[i] = (image.size[i + 1] + 2 * g.padding[i] - g.dilation[i] * (g.kernel[i] - 1) - 1) / g.stride[i] + 1;
  return g;
}

// Adds the row of windows' elements number (a, b) to a plane; row(q) is that of window q.
template <class W, class RowOf>
void add_row(std::vector<W>& plane, const Planes& image, const Grid& g, int64_t a, int64_t b, const RowOf& row) {
  for (int64_t i = 0; i < g.output[0]; ++i) {
    int64_t y = i * g.stride[0] - g.padding[0] + a * g.dilation[0];
    if (y < 0 || y >= image.size[1]) continue;
    for (int64_t j = 0; j < g.output[1]; ++j) {
      int64_t x = j * g.stride[1] - g.padding[1] + b * g.dilation[1];
      if (x >= 0 && x < image.size[2]) plane[y * image.size[2] + x] += row(i * g.output[1] + j);
    }
  }
}

template <class T>
void fold(const OpArgs& args, const Tensor& result) {
  const Tensor& self = args[0].tensor();
  Planes image = planes_of(result, 2), columns = planes_of(self, 1);  // a "channel" of columns is a row of them
  Grid g = grid_of(args, image);
  int64_t kernel = g.kernel[0] * g.kernel[1];
  const T* in = self.data_ptr<T>();
  T* out = result.data_ptr<T>();
  for_each_plane(image.count(), image.elements() + kernel * g.output[0] * g.output[1] * 2, [&](int64_t p) {
    std::vector<Wide<T>> plane(image.elements(), Wide<T>{});
    for (int64_t k = 0; k < kernel; ++k) {
      int64_t channel = p % image.channels * kernel + k;
      const T* from = in + p / image.channels * columns.batch_stride + channel * columns.channel_stride;
      add_row(plane, image, g, k / g.kernel[1], k % g.kernel[1],
              [&](int64_t q) { return static_cast<Wide<T>>(from[q * columns.stride[2]]); });
    }
    for (int64_t i = 0; i < image.elements(); ++i) out[image.start(p) + image.at(i)] = static_cast<T>(plane[i]);
  });
}

}  // namespace

SINTER_ROUTINE(col2im_default) {
  visit(results[0].dtype(), [&](auto zero) {
    if constexpr (!std::is_integral_v<decltype(zero)>) fold<decltype(zero)>(args, results[0]);
  });
}

}  // namespace sinter::runtime::routines
