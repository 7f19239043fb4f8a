// Images in another size, and the gradients.

#include <sinter/graph/ops/spatial.h>
#include <sinter/runtime/routines/planes.h>
#include <sinter/runtime/routines/resampling.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>

namespace sinter::runtime::routines {

namespace {

PlaneTaps taps_of(const Resampling& r, const Planes& from, const Planes& to, DType dtype) {
  return runtime::taps_of(r, from.size, to.size, dtype);
}

template <class W>
std::vector<W> weights_as(const Taps& taps) {
  return std::vector<W>(taps.weights.begin(), taps.weights.end());
}

// body(row of the larger side, row of the smaller side, weight) for all that the rows (i, j) of the result take.
template <class Body>
void for_each_row_pair(const PlaneTaps& taps, int64_t i, int64_t j, Body&& body) {
  for (int64_t a = i * taps[0].width; a < (i + 1) * taps[0].width; ++a)
    for (int64_t b = j * taps[1].width; b < (j + 1) * taps[1].width; ++b)
      body(taps[0].places[a], taps[1].places[b], taps[0].weights[a] * taps[1].weights[b]);
}

template <class T>
void copy_nearest(const Tensor& self, const Tensor& result, const Resampling& r) {
  Planes from = planes_of(self, r.rank), to = planes_of(result, r.rank);
  PlaneTaps taps = taps_of(r, from, to, self.dtype());
  const T* in = self.data_ptr<T>();
  T* out = result.data_ptr<T>();
  for_each_plane(to.count(), to.elements(), [&](int64_t p) {
    for (int64_t i = 0; i < to.size[0]; ++i)
      for (int64_t j = 0; j < to.size[1]; ++j) {
        const T* row = in + from.start(p) + from.at(taps[0].places[i], taps[1].places[j], 0);
        T* to_row = out + to.start(p) + to.at(i, j, 0);
        for (int64_t k = 0; k < to.size[2]; ++k) to_row[k * to.stride[2]] = row[taps[2].places[k] * from.stride[2]];
      }
  });
}

template <class T>
void interpolate(const Tensor& self, const Tensor& result, const Resampling& r) {
  using W = Wide<T>;
  Planes from = planes_of(self, r.rank), to = planes_of(result, r.rank);
  PlaneTaps taps = taps_of(r, from, to, self.dtype());
  std::vector<W> weights = weights_as<W>(taps[2]);
  int64_t width = taps[2].width;
  const T* in = self.data_ptr<T>();
  T* out = result.data_ptr<T>();
  for_each_plane(to.count(), to.elements() * taps[0].width * taps[1].width * width, [&](int64_t p) {
    std::vector<W> sums(to.size[2]), mixed(from.size[2]);
    for (int64_t i = 0; i < to.size[0]; ++i)
      for (int64_t j = 0; j < to.size[1]; ++j) {
        // First the rows that this one is made of, then along it.
        std::fill(mixed.begin(), mixed.end(), W(0));
        for_each_row_pair(taps, i, j, [&](int64_t x, int64_t y, double weight) {
          const T* row = in + from.start(p) + from.at(x, y, 0);
          W w = static_cast<W>(weight);
          for (int64_t k = 0; k < from.size[2]; ++k) mixed[k] += w * static_cast<W>(row[k * from.stride[2]]);
        });
        T* to_row = out + to.start(p) + to.at(i, j, 0);
        for (int64_t k = 0; k < to.size[2]; ++k) {
          W sum = 0;
          for (int64_t c = k * width; c < (k + 1) * width; ++c) sum += weights[c] * mixed[taps[2].places[c]];
          to_row[k * to.stride[2]] = static_cast<T>(sum);
        }
      }
  });
}

// The transpose of the above: what each result's gradient gives to the elements that it was made of.
template <class T>
void spread(const Tensor& gradient, const Tensor& result, const Resampling& r) {
  using W = Wide<T>;
  Planes from = planes_of(gradient, r.rank), to = planes_of(result, r.rank);
  PlaneTaps taps = taps_of(r, to, from, gradient.dtype());
  std::vector<W> weights = weights_as<W>(taps[2]);
  int64_t width = taps[2].width;
  const T* in = gradient.data_ptr<T>();
  T* out = result.data_ptr<T>();
  for_each_plane(to.count(), from.elements() * taps[0].width * taps[1].width * width, [&](int64_t p) {
    std::vector<W> plane(to.elements(), W(0)), mixed(to.size[2]);
    for (int64_t i = 0; i < from.size[0]; ++i)
      for (int64_t j = 0; j < from.size[1]; ++j) {
        const T* row = in + from.start(p) + from.at(i, j, 0);
        std::fill(mixed.begin(), mixed.end(), W(0));
        for (int64_t k = 0; k < from.size[2]; ++k)
          for (int64_t c = k * width; c < (k + 1) * width; ++c)
            mixed[taps[2].places[c]] += weights[c] * static_cast<W>(row[k * from.stride[2]]);
        for_each_row_pair(taps, i, j, [&](int64_t x, int64_t y, double weight) {
          W* to_row = plane.data() + (x * to.size[1] + y) * to.size[2];
          W w = static_cast<W>(weight);
          for (int64_t k = 0; k < to.size[2]; ++k) to_row[k] += w * mixed[k];
        });
      }
    for (int64_t i = 0; i < to.elements(); ++i) out[to.start(p) + to.at(i)] = static_cast<T>(plane[i]);
  });
}

// --- Images of bytes --------------------------------------------------------------------------------------------

uint8_t rounded_byte(int32_t sum, int precision) {
  return static_cast<uint8_t>(std::clamp((sum + (1 << (precision - 1))) >> precision, 0, 255));
}

// Resamples `lines` lines of elements `step` apart, which start `line_step` apart.
void resample_bytes(const uint8_t* in, int64_t in_line, int64_t in_step, uint8_t* out, int64_t out_line,
                    int64_t out_step, int64_t lines, const WholeTaps& whole) {
  const Taps& taps = whole.taps;
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t k = 0; k < taps.results(); ++k) {
      int32_t sum = 0;
      for (int64_t c = k * taps.width; c < (k + 1) * taps.width; ++c)
        sum += whole.weights[c] * in[line * in_line + taps.places[c] * in_step];
      out[line * out_line + k * out_step] = rounded_byte(sum, whole.precision);
    }
}

// Along the rows, rounded to bytes, then along the columns. A dim that keeps its size is left alone.
void interpolate_bytes(const Tensor& self, const Tensor& result, const Resampling& r) {
  Planes from = planes_of(self, 2), to = planes_of(result, 2);
  int64_t rows = from.size[1], columns = to.size[2];
  bool along_rows = from.size[2] != columns, along_columns = rows != to.size[1];
  WholeTaps across = make_whole_taps(r.dims[1], from.size[2], columns);
  WholeTaps down = make_whole_taps(r.dims[0], rows, to.size[1]);
  const uint8_t* in = self.data_ptr<uint8_t>();
  uint8_t* out = result.data_ptr<uint8_t>();
  for_each_plane(to.count(), to.elements() * (across.taps.width + down.taps.width), [&](int64_t p) {
    std::vector<uint8_t> between(rows * columns);
    const uint8_t* plane = in + from.start(p);
    if (along_rows)
      resample_bytes(plane, from.stride[1], from.stride[2], between.data(), columns, 1, rows, across);
    else
      for (int64_t i = 0; i < rows * columns; ++i) between[i] = plane[from.at(i)];
    uint8_t* to_plane = out + to.start(p);
    if (along_columns)
      resample_bytes(between.data(), 1, columns, to_plane, to.stride[2], to.stride[1], columns, down);
    else
      for (int64_t i = 0; i < rows * columns; ++i) to_plane[to.at(i)] = between[i];
  });
}

void forward(const OpArgs& args, Results results) {
  const Tensor& self = args[0].tensor();
  Resampling r = resampling_of(args);
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, uint8_t>)
      interpolate_bytes(self, results[0], r);
    else if constexpr (!std::is_integral_v<T>)
      interpolate<T>(self, results[0], r);
  });
}

void backward(const OpArgs& args, Results results) {
  const Tensor& gradient = args[0].tensor();
  Resampling r = resampling_of(args);
  visit(gradient.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) spread<T>(gradient, results[0], r);
  });
}

}  // namespace

SINTER_ROUTINE(resample_nearest_default) {
  Resampling r = resampling_of(args);
  visit(args[0].tensor().dtype(), [&](auto zero) { copy_nearest<decltype(zero)>(args[0].tensor(), results[0], r); });
}

SINTER_ROUTINE(upsample_nearest1d_backward_default) { backward(args, results); }
SINTER_ROUTINE(upsample_nearest2d_backward_default) { backward(args, results); }
SINTER_ROUTINE(upsample_nearest3d_backward_default) { backward(args, results); }
SINTER_ROUTINE(inner_upsample_nearest_exact1d_backward_default) { backward(args, results); }
SINTER_ROUTINE(inner_upsample_nearest_exact2d_backward_default) { backward(args, results); }
SINTER_ROUTINE(inner_upsample_nearest_exact3d_backward_default) { backward(args, results); }
SINTER_ROUTINE(upsample_linear1d_default) { forward(args, results); }
SINTER_ROUTINE(upsample_linear1d_backward_default) { backward(args, results); }
SINTER_ROUTINE(upsample_bilinear2d_default) { forward(args, results); }
SINTER_ROUTINE(upsample_bilinear2d_backward_default) { backward(args, results); }
SINTER_ROUTINE(upsample_trilinear3d_default) { forward(args, results); }
SINTER_ROUTINE(upsample_trilinear3d_backward_default) { backward(args, results); }
SINTER_ROUTINE(upsample_bicubic2d_default) { forward(args, results); }
SINTER_ROUTINE(upsample_bicubic2d_backward_default) { backward(args, results); }
SINTER_ROUTINE(inner_upsample_bilinear2d_aa_default) { forward(args, results); }
SINTER_ROUTINE(inner_upsample_bilinear2d_aa_backward_default) { backward(args, results); }
SINTER_ROUTINE(inner_upsample_bicubic2d_aa_default) { forward(args, results); }
SINTER_ROUTINE(inner_upsample_bicubic2d_aa_backward_default) { backward(args, results); }

}  // namespace sinter::runtime::routines
