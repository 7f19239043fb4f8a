// A thread for each result: forward it goes through its window, backward through the windows that its element is in.
// Windows slide, or share the input out.

#include <sinter/runtime/cuda/pool.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/windows.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/routines/planes.h>

#include <algorithm>
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

// L is the type of what is counted: 32 bits where all of it fits.
constexpr const char* parameters = R"(
#define DIM(name) const long name##0, const long name##1, const long name##2
#define PARAMETERS const long all, const long channels, const long divisor, DIM(n), DIM(o), DIM(kernel), DIM(stride), \
    DIM(padding), DIM(dilation), const long x_batch, const long x_channel, DIM(x), const long y_batch, \
    const long y_channel, DIM(y)
)";

// A window along one dim, and the windows that a place is in: those from `first` to `last` may hold it.
constexpr const char* sliding = R"(
struct Span { L start, count, step, divisor; };
__device__ inline Span span_of(L o, L n, L outputs, L kernel, L stride, L padding, L dilation) {
  L first = o * stride - padding, end = first + (kernel - 1) * dilation + 1;
  L start = first < 0 ? first + (-first + dilation - 1) / dilation * dilation : first;
  L inside = end < n ? end : n;
  L count = inside > start ? (inside - start + dilation - 1) / dilation : 0;
  L padded = (end < n + padding ? end : n + padding) - first;
  Span span = {start, count, dilation, COUNTS_PADDING ? padded : count};
  return span;
}
__device__ inline L first_window(L x, L n, L outputs, L kernel, L stride, L padding, L dilation) {
  L reach = x + padding - (kernel - 1) * dilation;
  return reach <= 0 ? 0 : (reach + stride - 1) / stride;
}
__device__ inline L last_window(L x, L n, L outputs, L kernel, L stride, L padding, L dilation) {
  L last = (x + padding) / stride;
  return last < outputs - 1 ? last : outputs - 1;
}
)";
constexpr const char* sharing = R"(
struct Span { L start, count, step, divisor; };
__device__ inline Span span_of(L o, L n, L outputs, L kernel, L stride, L padding, L dilation) {
  L start = o * n / outputs, end = ((o + 1) * n + outputs - 1) / outputs;
  Span span = {start, end - start, 1, end - start};
  return span;
}
__device__ inline L first_window(L x, L n, L outputs, L kernel, L stride, L padding, L dilation) {
  return x * outputs / n;
}
__device__ inline L last_window(L x, L n, L outputs, L kernel, L stride, L padding, L dilation) {
  return ((x + 1) * outputs + n - 1) / n - 1;
}
)";
// AT: element `at` of a row-major [planes, size0, size1, size2] as places i, j, k in a plane.
constexpr const char* spans = R"(
#define IN(f, at, d) f(at, (L)n##d, (L)o##d, (L)kernel##d, (L)stride##d, (L)padding##d, (L)dilation##d)
#define SPAN(at, d) IN(span_of, at, d)
#define FIRST(at, d) IN(first_window, at, d)
#define LAST(at, d) IN(last_window, at, d)
#define AT(size) \
  L at = (L)blockIdx.x * 256 + (L)threadIdx.x; \
  if (at >= (L)all) return; \
  L k = at % (L)size##2, j = at / (L)size##2 % (L)size##1, plane = at / (L)size##2 / (L)size##1; \
  L i = plane % (L)size##0; \
  plane /= (L)size##0;
#define START(v) (plane / (L)channels * (L)v##_batch + plane % (L)channels * (L)v##_channel)
#define PLACE(v, a, b, c) ((a) * (L)v##0 + (b) * (L)v##1 + (c) * (L)v##2)
)";

// x is the input, y the result. Windows of WINDOW elements at most are all loaded before one is looked at; others,
// where WINDOW is 0, element by element.
constexpr const char* maxima = R"(
extern "C" __global__ void __launch_bounds__(256) max_windows(const T* in, T* out, long long* places, PARAMETERS) {
  AT(o)
  Span a = SPAN(i, 0), b = SPAN(j, 1), c = SPAN(k, 2);
  in += START(x);
  L y = START(y) + PLACE(y, i, j, k);
#define OFFSET(p, q, r) PLACE(x, a.start + (p) * a.step, b.start + (q) * b.step, c.start + (r) * c.step)
#define LOOK(value, p, q, r) \
  if (IS_GREATER(value, best)) { \
    best = value; \
    place = ((a.start + (p) * a.step) * (L)n1 + b.start + (q) * b.step) * (L)n2 + c.start + (r) * c.step; \
  }
  L place = (a.start * (L)n1 + b.start) * (L)n2 + c.start;
#if WINDOW
  T loaded[WINDOW];
#pragma unroll
  for (int w = 0; w < WINDOW; ++w) {
    int p = w / WINDOW2 / WINDOW1, q = w / WINDOW2 % WINDOW1, r = w % WINDOW2;
    bool is_inside = p < a.count && q < b.count && r < c.count;
    loaded[w] = in[is_inside ? OFFSET(p, q, r) : OFFSET(0, 0, 0)];
  }
  T best = loaded[0];
#pragma unroll
  for (int w = 0; w < WINDOW; ++w) {
    int p = w / WINDOW2 / WINDOW1, q = w / WINDOW2 % WINDOW1, r = w % WINDOW2;
    if (p < a.count && q < b.count && r < c.count) LOOK(loaded[w], p, q, r)
  }
#else
  T best = in[OFFSET(0, 0, 0)];
  for (L p = 0; p < a.count; ++p)
    for (L q = 0; q < b.count; ++q)
      for (L r = 0; r < c.count; ++r) {
        T value = in[OFFSET(p, q, r)];
        LOOK(value, p, q, r)
      }
#endif
  out[y] = best;
  places[y] = place;
}
)";
constexpr const char* averages = R"(
extern "C" __global__ void __launch_bounds__(256) average_windows(const T* in, T* out, long long* places, PARAMETERS) {
  AT(o)
  Span a = SPAN(i, 0), b = SPAN(j, 1), c = SPAN(k, 2);
  in += START(x);
  A sum = 0;
  for (L p = 0; p < a.count; ++p)
    for (L q = 0; q < b.count; ++q)
      for (L r = 0; r < c.count; ++r)
        sum += widen(in[PLACE(x, a.start + p * a.step, b.start + q * b.step, c.start + r * c.step)]);
  out[START(y) + PLACE(y, i, j, k)] = narrow(sum / (A)((long)a.count * b.count * c.count));
}
)";

// x is the gradient of the results, y that of the input.
constexpr const char* backward = R"(
extern "C" __global__ void __launch_bounds__(256) share_out(const T* in, T* out, const long long* places, PARAMETERS) {
  AT(n)
  in += START(x);
  A sum = 0;
  for (L p = FIRST(i, 0); p <= LAST(i, 0); ++p)
    for (L q = FIRST(j, 1); q <= LAST(j, 1); ++q)
      for (L r = FIRST(k, 2); r <= LAST(k, 2); ++r) {
        Span a = SPAN(p, 0), b = SPAN(q, 1), c = SPAN(r, 2);
        if ((i - a.start) / a.step >= a.count || (j - b.start) / b.step >= b.count ||
            (k - c.start) / c.step >= c.count)
          continue;
        sum += widen(in[PLACE(x, p, q, r)]) / (A)(divisor != 0 ? divisor : (long)a.divisor * b.divisor * c.divisor);
      }
  out[START(y) + PLACE(y, i, j, k)] = narrow(sum);
}
)";

// Elements from a tensor's first to past its last.
int64_t extent_of(const Tensor& tensor) {
  int64_t extent = 1;
  for (int64_t i = 0; i < tensor.dim(); ++i)
    extent += (tensor.sizes()[i].constant() - 1) * tensor.strides()[i].constant();
  return extent;
}

// Whether 32 bits hold all positions, and all that the windows' ends are made from.
bool is_narrow(const Geometry& g, const Tensor& x, const Tensor& y) {
  constexpr int64_t most = 1 << 30;
  bool fits = std::max(extent_of(x), extent_of(y)) < most && g.size[0] * g.size[1] * g.size[2] < most;
  for (size_t d = 0; d < 3; ++d) {
    int64_t reach = g.size[d] + 2 * g.padding[d] + g.kernel[d] * g.dilation[d] + g.stride[d];
    fits = fits && (g.shares ? (g.size[d] + 1) * (g.output[d] + 1) : reach) < most;
  }
  return fits;
}

std::string text_for(DType dtype, const Geometry& g, bool narrow, const std::string& kernels) {
  const char* greater =
      is_floating(dtype) ? "(widen(value) > widen(best) || widen(value) != widen(value))" : "(value > best)";
  return element_text(dtype) +
         fmt::format("typedef {} L;\n#define COUNTS_PADDING {}\n#define IS_GREATER(value, best) {}\n",
                     narrow ? "int" : "long", g.counts_padding ? 1 : 0, greater) +
         parameters + (g.shares ? sharing : sliding) + spans + kernels;
}

// Windows that are small and slide are part of the text.
std::string window_text(const Geometry& g) {
  constexpr int64_t most_at_once = 32;  // loads that a thread has under way
  int64_t window = g.shares ? 0 : g.kernel[0] * g.kernel[1] * g.kernel[2];
  if (window > most_at_once) window = 0;
  return window == 0 ? "#define WINDOW 0\n"
                     : fmt::format("#define WINDOW {}\n#define WINDOW1 {}\n#define WINDOW2 {}\n", window, g.kernel[1],
                                   g.kernel[2]);
}

// From x (any strides) to y; as many threads as y has elements.
void run_pool(const char* function, const std::string& kernels, const Geometry& g, int64_t rank, const Tensor& x,
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
  run_own_kernel(y.device(), function, text_for(x.dtype(), g, is_narrow(g, x, y), kernels),
                 {{function, blocks_for(all)}},
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
  Geometry g = sliding_geometry(pool_windows(args, rank, 0));
  run_pool("max_windows", window_text(g) + maxima, g, rank, args[0].tensor(), outputs[0], outputs[1]);
}
void adaptive_max_pool(const OpArgs& args, Outputs outputs) {
  int64_t rank = rank_in_name(args);
  Geometry g = sharing_geometry(args[0].tensor(), outputs[0], rank);
  run_pool("max_windows", window_text(g) + maxima, g, rank, args[0].tensor(), outputs[0], outputs[1]);
}
void uneven_average(const OpArgs& args, Outputs outputs) {
  int64_t rank = static_cast<int64_t>(args.dims("output_size").size());
  run_pool("average_windows", averages, sharing_geometry(args[0].tensor(), outputs[0], rank), rank, args[0].tensor(),
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
