// Pools: the greatest element of each window and its place, averages over uneven windows, and the gradients.

#include <sinter/runtime/routines/planes.h>
#include <sinter/runtime/routines/pool_spans.h>
#include <sinter/runtime/routines/routine.h>
#include <sinter/runtime/routines/stepped.h>

#include <cmath>
#include <limits>

namespace sinter::runtime::routines {

namespace {

template <class T>
bool is_nan_value(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

int64_t rank_in_name(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name[name.find_first_of("123")] - '0';
}

int64_t outputs(const Spans& spans) {
  return static_cast<int64_t>(spans[0].size() * spans[1].size() * spans[2].size());
}

// One plane: the first greatest element of each window, or the last NaN.
template <class T>
void max_plane(const T* in, const Planes& self, const Spans& spans, T* out, const Planes& values, int64_t* places,
               const Planes& indices) {
  for_each_window(spans, [&](int64_t i, int64_t j, int64_t k, const Span& a, const Span& b, const Span& c) {
    const T* best = nullptr;
    int64_t place = 0;
    for_each_element(a, b, c, [&](int64_t x, int64_t y, int64_t z) {
      const T* here = in + self.at(x, y, z);
      Wide<T> value = static_cast<Wide<T>>(*here);
      if (best && !(value > static_cast<Wide<T>>(*best)) && !is_nan_value(value)) return;
      best = here;
      place = (x * self.size[1] + y) * self.size[2] + z;
    });
    out[values.at(i, j, k)] = *best;
    places[indices.at(i, j, k)] = place;
  });
}

template <class T, class SpansOf>
void max_planes(const Tensor& self, Results results, int64_t rank, int64_t work, const SpansOf& spans_of) {
  Planes from = planes_of(self, rank), to = planes_of(results[0], rank), places = planes_of(results[1], rank);
  const T* in = self.data_ptr<T>();
  T* out = results[0].data_ptr<T>();
  int64_t* place = results[1].data_ptr<int64_t>();
  for_each_plane(from.count(), work, [&](int64_t p) {
    max_plane(in + from.start(p), from, spans_of(p), out + to.start(p), to, place + places.start(p), places);
  });
}

void run_max(const Tensor& self, Results results, int64_t rank, const Spans& spans) {
  if (results[0].numel() == 0) return;
  int64_t work = outputs(spans) * 4;
  for (const std::vector<Span>& dim : spans) work *= dim[0].count;
  visit(self.dtype(), [&](auto zero) {
    max_planes<decltype(zero)>(self, results, rank, work, [&](int64_t) -> const Spans& { return spans; });
  });
}

void max_pool(const OpArgs& args, Results results) {
  int64_t rank = rank_in_name(args);
  run_max(args[0].tensor(), results, rank, sliding_spans(pool_windows(args, rank, 0), false));
}
void adaptive_max_pool(const OpArgs& args, Results results) {
  const Tensor& self = args[0].tensor();
  int64_t rank = rank_in_name(args);
  run_max(self, results, rank, adaptive_spans(spatial_sizes(self.sizes(), rank), args.dims("output_size")));
}

// --- Fractional pools -------------------------------------------------------------------------------------------

// Where the windows of one dim start: pseudo-random steps between two whole numbers, which add up to the size.
template <class T>
std::vector<Span> fractional_spans(T random, int64_t size, int64_t output, int64_t kernel) {
  std::vector<Span> spans(output, Span{size - kernel, kernel, 1, kernel});
  if (output < 2) return spans;
  using N = Step<T>;
  N sample = N(random), alpha = N(size - kernel) / N(output - 1);
  // Also of a sample that no integer holds, or that is no number.
  auto whole = [](N value) {
    double there = static_cast<double>(wide(value)), most = 4e18;
    return static_cast<int64_t>(there > -most ? std::min(there, most) : -most);
  };
  for (int64_t i = 0; i < output - 1; ++i) spans[i].start = whole((N(i) + sample) * alpha) - whole(sample * alpha);
  // A sample that is not in [0, 1) must not lead out of the image.
  for (int64_t i = 0; i < output; ++i) spans[i].start = std::clamp<int64_t>(spans[i].start, 0, size - kernel);
  return spans;
}

template <class T>
void fractional_planes(const OpArgs& args, Results results) {
  const Tensor &self = args[0].tensor(), &samples = args[3].tensor();
  int64_t rank = rank_in_name(args);
  Dims kernel = spatial_numbers(args, "kernel_size", rank), output = spatial_numbers(args, "output_size", rank);
  Dims size = spatial_sizes(self.sizes(), rank);
  const T* random = samples.data_ptr<T>();
  int64_t channels = samples.sizes()[1].constant();
  auto stride = [&](int dim) { return samples.strides()[dim].constant(); };
  auto spans_of = [&](int64_t p) {
    Spans spans = no_spans();
    for (int64_t i = 0; i < rank; ++i) {
      // The last sample is for the first dim in two dims, the first one in three.
      int64_t which = rank == 2 ? 1 - i : i;
      T sample = random[p / channels * stride(0) + p % channels * stride(1) + which * stride(2)];
      spans[3 - rank + i] = fractional_spans<T>(sample, size[i], output[i], kernel[i]);
    }
    return spans;
  };
  int64_t work = 4;
  for (int64_t i = 0; i < rank; ++i) work *= kernel[i] * output[i];
  max_planes<T>(self, results, rank, work, spans_of);
}

void fractional_max_pool(const OpArgs& args, Results results) {
  visit(args[0].tensor().dtype(), [&](auto zero) {
    if constexpr (!std::is_integral_v<decltype(zero)>) fractional_planes<decltype(zero)>(args, results);
  });
}

// --- Elements back to their places ------------------------------------------------------------------------------

// Adds (or just puts) each element at the place in the result's plane that its index names.
template <class T>
void put_back(const OpArgs& args, const Tensor& values, const Tensor& indices, const Tensor& result, int64_t rank,
              bool adds) {
  Planes from = planes_of(values, rank), places = planes_of(indices, rank), to = planes_of(result, rank);
  const T* in = values.data_ptr<T>();
  const int64_t* place = indices.data_ptr<int64_t>();
  T* out = result.data_ptr<T>();
  int64_t size = to.elements();
  for_each_plane(to.count(), size + from.elements() * 4, [&](int64_t p) {
    std::vector<Wide<T>> plane(size, Wide<T>{});
    for (int64_t i = 0; i < from.elements(); ++i) {
      int64_t at = place[places.start(p) + places.at(i)];
      if (at < 0 || at >= size)
        args.fail(ErrorKind::argument, fmt::format("index {} in a plane of {} elements", at, size));
      Wide<T> value = static_cast<Wide<T>>(in[from.start(p) + from.at(i)]);
      plane[at] = adds ? static_cast<Wide<T>>(plane[at] + value) : value;
    }
    for (int64_t i = 0; i < size; ++i) out[to.start(p) + to.at(i)] = static_cast<T>(plane[i]);
  });
}

void put_back_any(const OpArgs& args, Results results, const Tensor& values, const Tensor& indices, bool adds) {
  visit(values.dtype(),
        [&](auto zero) { put_back<decltype(zero)>(args, values, indices, results[0], rank_in_name(args), adds); });
}

void add_back(const OpArgs& args, Results results) {
  put_back_any(args, results, args[0].tensor(), args["indices"].tensor(), true);
}
void unpool(const OpArgs& args, Results results) {
  put_back_any(args, results, args[0].tensor(), args["indices"].tensor(), false);
}

// --- Averages ---------------------------------------------------------------------------------------------------

template <class T>
void average(const Tensor& self, const Tensor& result, const Spans& spans, int64_t rank) {
  Planes from = planes_of(self, rank), to = planes_of(result, rank);
  const T* in = self.data_ptr<T>();
  T* out = result.data_ptr<T>();
  for_each_plane(from.count(), from.elements() * 2, [&](int64_t p) {
    const T* plane = in + from.start(p);
    for_each_window(spans, [&](int64_t i, int64_t j, int64_t k, const Span& a, const Span& b, const Span& c) {
      Wide<T> sum = 0;
      for_each_element(a, b, c,
                       [&](int64_t x, int64_t y, int64_t z) { sum += static_cast<Wide<T>>(plane[from.at(x, y, z)]); });
      out[to.start(p) + to.at(i, j, k)] = static_cast<T>(sum / static_cast<Wide<T>>(a.count * b.count * c.count));
    });
  });
}

// Each output's gradient, shared out among its window.
template <class T>
void share_out(const Tensor& gradient, const Tensor& result, const Spans& spans, int64_t rank, int64_t divisor) {
  Planes from = planes_of(gradient, rank), to = planes_of(result, rank);
  const T* in = gradient.data_ptr<T>();
  T* out = result.data_ptr<T>();
  for_each_plane(to.count(), to.elements() * 4, [&](int64_t p) {
    std::vector<Wide<T>> plane(to.elements(), Wide<T>{});
    for_each_window(spans, [&](int64_t i, int64_t j, int64_t k, const Span& a, const Span& b, const Span& c) {
      int64_t by = divisor != 0 ? divisor : a.divisor * b.divisor * c.divisor;
      Wide<T> share = static_cast<Wide<T>>(in[from.start(p) + from.at(i, j, k)]) / static_cast<Wide<T>>(by);
      for_each_element(a, b, c,
                       [&](int64_t x, int64_t y, int64_t z) { plane[(x * to.size[1] + y) * to.size[2] + z] += share; });
    });
    for (int64_t i = 0; i < to.elements(); ++i) out[to.start(p) + to.at(i)] = static_cast<T>(plane[i]);
  });
}

void share_out_any(const Tensor& gradient, const Tensor& result, const Spans& spans, int64_t rank, int64_t divisor) {
  visit(gradient.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) share_out<T>(gradient, result, spans, rank, divisor);
  });
}

void avg_pool_backward(const OpArgs& args, Results results) {
  int64_t rank = rank_in_name(args);
  int64_t divisor = args["divisor_override"].is_none() ? 0 : args.integer("divisor_override");
  Spans spans = sliding_spans(pool_windows(args, rank, 1), args.flag("count_include_pad"));
  share_out_any(args[0].tensor(), results[0], spans, rank, divisor);
}

void adaptive_avg_pool_backward(const OpArgs& args, Results results) {
  int64_t rank = rank_in_name(args);
  Dims size = spatial_sizes(args[1].tensor().sizes(), rank), output = spatial_sizes(args[0].tensor().sizes(), rank);
  share_out_any(args[0].tensor(), results[0], adaptive_spans(size, output), rank, 0);
}

}  // namespace

SINTER_ROUTINE(uneven_adaptive_avg_pool_default) {
  const Tensor& self = args[0].tensor();
  Dims output = args.dims("output_size");
  int64_t rank = static_cast<int64_t>(output.size());
  Spans spans = adaptive_spans(spatial_sizes(self.sizes(), rank), output);
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) average<T>(self, results[0], spans, rank);
  });
}

SINTER_ROUTINE(max_pool1d_with_indices_default) { max_pool(args, results); }
SINTER_ROUTINE(max_pool2d_with_indices_default) { max_pool(args, results); }
SINTER_ROUTINE(max_pool3d_with_indices_default) { max_pool(args, results); }
SINTER_ROUTINE(adaptive_max_pool2d_default) { adaptive_max_pool(args, results); }
SINTER_ROUTINE(adaptive_max_pool3d_default) { adaptive_max_pool(args, results); }
SINTER_ROUTINE(fractional_max_pool2d_default) { fractional_max_pool(args, results); }
SINTER_ROUTINE(fractional_max_pool3d_default) { fractional_max_pool(args, results); }
SINTER_ROUTINE(max_unpool2d_default) { unpool(args, results); }
SINTER_ROUTINE(max_unpool3d_default) { unpool(args, results); }
SINTER_ROUTINE(max_pool2d_with_indices_backward_default) { add_back(args, results); }
SINTER_ROUTINE(max_pool3d_with_indices_backward_default) { add_back(args, results); }
SINTER_ROUTINE(adaptive_max_pool2d_backward_default) { add_back(args, results); }
SINTER_ROUTINE(adaptive_max_pool3d_backward_default) { add_back(args, results); }
SINTER_ROUTINE(fractional_max_pool2d_backward_default) { add_back(args, results); }
SINTER_ROUTINE(fractional_max_pool3d_backward_default) { add_back(args, results); }
SINTER_ROUTINE(avg_pool2d_backward_default) { avg_pool_backward(args, results); }
SINTER_ROUTINE(avg_pool3d_backward_default) { avg_pool_backward(args, results); }
SINTER_ROUTINE(inner_adaptive_avg_pool2d_backward_default) { adaptive_avg_pool_backward(args, results); }
SINTER_ROUTINE(inner_adaptive_avg_pool3d_backward_default) { adaptive_avg_pool_backward(args, results); }

}  // namespace sinter::runtime::routines
