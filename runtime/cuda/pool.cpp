// A thread for each result: forward it goes through its window, backward through the windows that its element is in.
// Windows slide, or share the input out.

#include <sinter/runtime/cuda/pool.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/windows.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/routines/planes.h>

#include <unordered_map>

namespace sinter::runtime {

namespace {

using Outputs = std::span<const Tensor>;

// In each of three dims: sizes of the input and of the windows' results, and how windows lie. Those of a dim that the
// tensor lacks have one element.
struct Geometry {
  Place size = {1, 1, 1}, output = {1, 1, 1};
  Place kernel = {1, 1, 1}, stride = {1, 1, 1}, padding = {0, 0, 0}, dilation = {1, 1, 1};
  bool shares = false;          // the input is shared out: kernel, stride, padding and dilation do not count
  bool counts_padding = false;  // in an average
};

constexpr const char* parameters = R"(
#define DIM(name) const long name##0, const long name##1, const long name##2
#define PARAMETERS const long all, const long channels, const long divisor, DIM(n), DIM(o), DIM(kernel), DIM(stride), \
    DIM(padding), DIM(dilation), const long x_batch, const long x_channel, DIM(x), const long y_batch, \
    const long y_channel, DIM(y)
)";

// A window along one dim, and the windows that a place is in: those from `first` to `last` may hold it.
constexpr const char* sliding = R"(
struct Span { long start, count, step, divisor; };
__device__ inline Span span_of(long o, long n, long outputs, long kernel, long stride, long padding, long dilation) {
  long first = o * stride - padding, end = first + (kernel - 1) * dilation + 1;
  long start = first < 0 ? first + (-first + dilation - 1) / dilation * dilation : first;
  long inside = end < n ? end : n;
  long count = inside > start ? (inside - start + dilation - 1) / dilation : 0;
  long padded = (end < n + padding ? end : n + padding) - first;
  Span span = {start, count, dilation, COUNTS_PADDING ? padded : count};
  return span;
}
__device__ inline long first_window(long x, long n, long outputs, long kernel, long stride, long padding,
    long dilation) {
  long reach = x + padding - (kernel - 1) * dilation;
  return reach <= 0 ? 0 : (reach + stride - 1) / stride;
}
__device__ inline long last_window(long x, long n, long outputs, long kernel, long stride, long padding,
    long dilation) {
  long last = (x + padding) / stride;
  return last < outputs - 1 ? last : outputs - 1;
}
)";
constexpr const char* sharing = R"(
struct Span { long start, count, step, divisor; };
__device__ inline Span span_of(long o, long n, long outputs, long kernel, long stride, long padding, long dilation) {
  long start = o * n / outputs, end = ((o + 1) * n + outputs - 1) / outputs;
  Span span = {start, end - start, 1, end - start};
  return span;
}
__device__ inline long first_window(long x, long n, long outputs, long kernel, long stride, long padding,
    long dilation) {
  return x * outputs / n;
}
__device__ inline long last_window(long x, long n, long outputs, long kernel, long stride, long padding,
    long dilation) {
  return ((x + 1) * outputs + n - 1) / n - 1;
}
)";
constexpr const char* spans = R"(
#define SPAN(at, d) span_of(at, n##d, o##d, kernel##d, stride##d, padding##d, dilation##d)
#define FIRST(at, d) first_window(at, n##d, o##d, kernel##d, stride##d, padding##d, dilation##d)
#define LAST(at, d) last_window(at, n##d, o##d, kernel##d, stride##d, padding##d, dilation##d)
)";

// x is the input, y the result.
constexpr const char* forward = R"(
extern "C" __global__ void __launch_bounds__(256) max_windows(const T* in, T* out, long long* places, PARAMETERS) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  if (at >= all) return;
  long k = at % o2, j = at / o2 % o1, i = at / o2 / o1 % o0, plane = at / o2 / o1 / o0;
  Span a = SPAN(i, 0), b = SPAN(j, 1), c = SPAN(k, 2);
  in += plane / channels * x_batch + plane % channels * x_channel;
  long y = plane / channels * y_batch + plane % channels * y_channel + i * y0 + j * y1 + k * y2;
  T best = in[a.start * x0 + b.start * x1 + c.start * x2];
  long place = (a.start * n1 + b.start) * n2 + c.start;
  for (long p = 0; p < a.count; ++p)
    for (long q = 0; q < b.count; ++q)
      for (long r = 0; r < c.count; ++r) {
        long z0 = a.start + p * a.step, z1 = b.start + q * b.step, z2 = c.start + r * c.step;
        T value = in[z0 * x0 + z1 * x1 + z2 * x2];
        if (!IS_GREATER(value, best)) continue;
        best = value;
        place = (z0 * n1 + z1) * n2 + z2;
      }
  out[y] = best;
  places[y] = place;
}
extern "C" __global__ void __launch_bounds__(256) average_windows(const T* in, T* out, long long* places, PARAMETERS) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  if (at >= all) return;
  long k = at % o2, j = at / o2 % o1, i = at / o2 / o1 % o0, plane = at / o2 / o1 / o0;
  Span a = SPAN(i, 0), b = SPAN(j, 1), c = SPAN(k, 2);
  in += plane / channels * x_batch + plane % channels * x_channel;
  A sum = 0;
  for (long p = 0; p < a.count; ++p)
    for (long q = 0; q < b.count; ++q)
      for (long r = 0; r < c.count; ++r)
        sum += widen(in[(a.start + p * a.step) * x0 + (b.start + q * b.step) * x1 + (c.start + r * c.step) * x2]);
  out[plane / channels * y_batch + plane % channels * y_channel + i * y0 + j * y1 + k * y2] =
      narrow(sum / (A)(a.count * b.count * c.count));
}
)";

// x is the gradient of the results, y that of the input.
constexpr const char* backward = R"(
extern "C" __global__ void __launch_bounds__(256) share_out(const T* in, T* out, const long long* places, PARAMETERS) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  if (at >= all) return;
  long k = at % n2, j = at / n2 % n1, i = at / n2 / n1 % n0, plane = at / n2 / n1 / n0;
  long x = plane / channels * x_batch + plane % channels * x_channel;
  A sum = 0;
  for (long p = FIRST(i, 0); p <= LAST(i, 0); ++p)
    for (long q = FIRST(j, 1); q <= LAST(j, 1); ++q)
      for (long r = FIRST(k, 2); r <= LAST(k, 2); ++r) {
        Span a = SPAN(p, 0), b = SPAN(q, 1), c = SPAN(r, 2);
        if ((i - a.start) / a.step >= a.count || (j - b.start) / b.step >= b.count ||
            (k - c.start) / c.step >= c.count)
          continue;
        sum += widen(in[x + p * x0 + q * x1 + r * x2]) / (A)(divisor != 0 ? divisor : a.divisor * b.divisor * c.divisor);
      }
  out[plane / channels * y_batch + plane % channels * y_channel + i * y0 + j * y1 + k * y2] = narrow(sum);
}
)";

std::string text_for(DType dtype, const Geometry& g, const char* kernels) {
  const char* greater =
      is_floating(dtype) ? "(widen(value) > widen(best) || widen(value) != widen(value))" : "(value > best)";
  return element_text(dtype) +
         fmt::format("#define COUNTS_PADDING {}\n#define IS_GREATER(value, best) {}\n", g.counts_padding ? 1 : 0,
                     greater) +
         parameters + (g.shares ? sharing : sliding) + spans + kernels;
}

// From x (any strides) to y; as many threads as y has elements.
void run_pool(const char* function, const char* kernels, const Geometry& g, int64_t rank, const Tensor& x,
              const Tensor& y, const Tensor& places, int64_t divisor = 0) {
  Planes from = planes_of(x, rank), to = planes_of(y, rank);
  int64_t all = y.numel().constant();
  std::vector<int64_t> numbers = {all, to.channels, divisor};
  for (const Place& three : {g.size, g.output, g.kernel, g.stride, g.padding, g.dilation})
    numbers.insert(numbers.end(), three.begin(), three.end());
  for (const Planes& planes : {from, to}) {
    numbers.insert(numbers.end(), {planes.batch_stride, planes.channel_stride});
    numbers.insert(numbers.end(), planes.stride.begin(), planes.stride.end());
  }
  run_own_kernel(y.device(), function, text_for(x.dtype(), g, kernels), {{function, blocks_for(all)}},
                 {x.data_ptr(), y.data_ptr(), places.defined() ? places.data_ptr() : nullptr}, numbers);
}

// --- Ops --------------------------------------------------------------------------------------------------------

int64_t rank_in_name(const OpArgs& args) {
  const std::string& name = args.op().schema().name;
  return name[name.find_first_of("123")] - '0';
}

Place at_end(const Dims& numbers, int64_t missing) {
  Place place = {missing, missing, missing};
  std::copy(numbers.begin(), numbers.end(), place.end() - static_cast<std::ptrdiff_t>(numbers.size()));
  return place;
}

Geometry sliding_geometry(const Windows& w) {
  Dims size, output;
  for (SymInt n : w.size) size.push_back(n.constant());
  for (SymInt n : w.output) output.push_back(n.constant());
  Geometry g{at_end(size, 1), at_end(output, 1)};
  g.kernel = at_end(w.kernel, 1);
  g.stride = at_end(w.stride, 1);
  g.padding = at_end(w.padding, 0);
  g.dilation = at_end(w.dilation, 1);
  return g;
}

Geometry sharing_geometry(const Tensor& whole, const Tensor& shares, int64_t rank) {
  Geometry g{planes_of(whole, rank).size, planes_of(shares, rank).size};
  g.shares = true;
  return g;
}

void max_pool(const OpArgs& args, Outputs outputs) {
  int64_t rank = rank_in_name(args);
  run_pool("max_windows", forward, sliding_geometry(pool_windows(args, rank, 0)), rank, args[0].tensor(), outputs[0],
           outputs[1]);
}
void adaptive_max_pool(const OpArgs& args, Outputs outputs) {
  int64_t rank = rank_in_name(args);
  run_pool("max_windows", forward, sharing_geometry(args[0].tensor(), outputs[0], rank), rank, args[0].tensor(),
           outputs[0], outputs[1]);
}
void uneven_average(const OpArgs& args, Outputs outputs) {
  int64_t rank = static_cast<int64_t>(args.dims("output_size").size());
  run_pool("average_windows", forward, sharing_geometry(args[0].tensor(), outputs[0], rank), rank, args[0].tensor(),
           outputs[0], Tensor());
}
void avg_pool_backward(const OpArgs& args, Outputs outputs) {
  int64_t rank = rank_in_name(args);
  Geometry g = sliding_geometry(pool_windows(args, rank, 1));
  g.counts_padding = args.flag("count_include_pad");
  int64_t divisor = args["divisor_override"].is_none() ? 0 : args.integer("divisor_override");
  run_pool("share_out", backward, g, rank, args[0].tensor(), outputs[0], Tensor(), divisor);
}
void adaptive_avg_pool_backward(const OpArgs& args, Outputs outputs) {
  int64_t rank = rank_in_name(args);
  run_pool("share_out", backward, sharing_geometry(outputs[0], args[0].tensor(), rank), rank, args[0].tensor(),
           outputs[0], Tensor());
}
using Pool = void (*)(const OpArgs&, Outputs);

const std::unordered_map<const OpDef*, Pool>& pools() {
  namespace d = op_defs;
  static const auto& table = *new std::unordered_map<const OpDef*, Pool>{
      {&d::max_pool1d_with_indices_default, max_pool},
      {&d::max_pool2d_with_indices_default, max_pool},
      {&d::max_pool3d_with_indices_default, max_pool},
      {&d::adaptive_max_pool2d_default, adaptive_max_pool},
      {&d::adaptive_max_pool3d_default, adaptive_max_pool},
      {&d::uneven_adaptive_avg_pool_default, uneven_average},
      {&d::avg_pool2d_backward_default, avg_pool_backward},
      {&d::avg_pool3d_backward_default, avg_pool_backward},
      {&d::inner_adaptive_avg_pool2d_backward_default, adaptive_avg_pool_backward},
      {&d::inner_adaptive_avg_pool3d_backward_default, adaptive_avg_pool_backward},
  };
  return table;
}

}  // namespace

bool pool_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  auto found = pools().find(&args.op());
  if (found == pools().end()) return false;
  if (!(outputs[0].numel() == 0)) found->second(args, outputs);
  return true;
}

}  // namespace sinter::runtime
