// A thread makes one element of the result from those that the tables of places and weights name for each dim. A
// gradient gathers too: its tables say for each element which results it went into.

#include <sinter/runtime/cuda/resample.h>

#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/load_kernel.h>
#include <sinter/runtime/routines/planes.h>
#include <sinter/runtime/routines/resampling.h>

#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>

namespace sinter::runtime {

namespace {

constexpr int threads = 256;
constexpr size_t most_kept_tables = 256;

enum class Mode : uint8_t { nearest, forward, backward };

// Of one dim: elements starts[x] to starts[x + 1] of the lists are what result x is made of.
struct Lists {
  std::vector<int64_t> starts, places;
  std::vector<double> weights;
};

Lists forward_lists(const Taps& taps) {
  Lists lists;
  for (int64_t i = 0; i <= taps.results(); ++i) lists.starts.push_back(i * taps.width);
  lists.places = taps.places;
  lists.weights = taps.weights;
  return lists;
}

// For each element the results that it has part in, in order.
Lists backward_lists(const Taps& taps, int64_t size) {
  std::vector<std::vector<std::pair<int64_t, double>>> users(static_cast<size_t>(size));
  for (size_t i = 0; i < taps.places.size(); ++i)
    if (taps.weights[i] != 0)
      users[static_cast<size_t>(taps.places[i])].emplace_back(static_cast<int64_t>(i) / taps.width, taps.weights[i]);
  Lists lists;
  lists.starts.push_back(0);
  for (const auto& list : users) {
    for (auto [place, weight] : list) {
      lists.places.push_back(place);
      lists.weights.push_back(weight);
    }
    lists.starts.push_back(static_cast<int64_t>(lists.places.size()));
  }
  return lists;
}

// The lists of three dims on the device, and where each begins.
struct Tables {
  Tensor numbers;  // starts and places
  Tensor weights;
  std::array<int64_t, 3> starts{}, places{}, first_weight{};
};

template <class T>
Tensor uploaded(const std::vector<T>& elements, DType dtype, Device device) {
  auto count = static_cast<int64_t>(elements.size());
  Tensor host({dtype, cpu, contiguous_layout({count})}, new_host_storage(count * byte_size(dtype)));
  std::memcpy(host.data_ptr(), elements.data(), elements.size() * sizeof(T));
  return moved(host, device);
}

Tables make_tables(const PlaneTaps& taps, const Place& sizes, Mode mode, Device device) {
  Tables tables;
  std::vector<int64_t> numbers;
  std::vector<double> weights;
  for (size_t dim = 0; dim < 3; ++dim) {
    Lists lists = mode == Mode::backward ? backward_lists(taps[dim], sizes[dim]) : forward_lists(taps[dim]);
    tables.starts[dim] = static_cast<int64_t>(numbers.size());
    numbers.insert(numbers.end(), lists.starts.begin(), lists.starts.end());
    tables.places[dim] = static_cast<int64_t>(numbers.size());
    numbers.insert(numbers.end(), lists.places.begin(), lists.places.end());
    tables.first_weight[dim] = static_cast<int64_t>(weights.size());
    weights.insert(weights.end(), lists.weights.begin(), lists.weights.end());
  }
  if (weights.empty()) weights.push_back(0);
  tables.numbers = uploaded(numbers, DType::i64, device);
  tables.weights = uploaded(weights, DType::f64, device);
  return tables;
}

std::string key_of(const Resampling& r, const Place& sizes, const Place& results, DType dtype, Mode mode,
                   Device device) {
  std::string key = fmt::format("{} {} {} {}", device.index, static_cast<int>(mode), dtype == DType::f64, r.rank);
  for (size_t i = 0; i < 3; ++i)
    key += fmt::format(" {}>{} {} {} {} {}", sizes[i], results[i], static_cast<int>(r.dims[i].filter),
                       r.dims[i].align_corners, r.dims[i].antialias, r.dims[i].scale.value_or(0));
  return key;
}

// Kept, since making and uploading them costs more than most kernels: those of the first few hundred shapes.
Tables tables_for(const Resampling& r, const Place& sizes, const Place& results, DType dtype, Mode mode,
                  Device device) {
  static std::mutex& mutex = *new std::mutex;
  static auto& kept = *new std::map<std::string, Tables>;
  std::string key = key_of(r, sizes, results, dtype, mode, device);
  {
    std::lock_guard lock(mutex);
    if (auto found = kept.find(key); found != kept.end()) return found->second;
  }
  Tables made = make_tables(taps_of(r, sizes, results, dtype), sizes, mode, device);
  std::lock_guard lock(mutex);
  if (kept.size() < most_kept_tables) kept.emplace(std::move(key), made);
  return made;
}

constexpr const char* kernel_text = R"(
extern "C" __global__ void __launch_bounds__(256) resample(
    const T* in, T* out, const long* numbers, const double* weights, const long n, const long i0, const long i1,
    const long i2, const long o0, const long o1, const long o2, const long s0, const long s1, const long s2,
    const long p0, const long p1, const long p2, const long w0, const long w1, const long w2) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  if (at >= n) return;
  long z = at % o2, y = at / o2 % o1, x = at / o2 / o1 % o0;
  in += at / o2 / o1 / o0 * i0 * i1 * i2;
  long x0 = numbers[s0 + x], x1 = numbers[s0 + x + 1], y0 = numbers[s1 + y], y1 = numbers[s1 + y + 1];
  long z0 = numbers[s2 + z], z1 = numbers[s2 + z + 1];
#if MODE == 0
  out[at] = in[(numbers[p0 + x0] * i1 + numbers[p1 + y0]) * i2 + numbers[p2 + z0]];
#elif MODE == 1
  A sum = 0;
  for (long c = z0; c < z1; ++c) {
    A mixed = 0;
    for (long a = x0; a < x1; ++a)
      for (long b = y0; b < y1; ++b)
        mixed += (A)(weights[w0 + a] * weights[w1 + b]) *
                 widen(in[(numbers[p0 + a] * i1 + numbers[p1 + b]) * i2 + numbers[p2 + c]]);
    sum += (A)weights[w2 + c] * mixed;
  }
  out[at] = narrow(sum);
#else
  A sum = 0;
  for (long a = x0; a < x1; ++a)
    for (long b = y0; b < y1; ++b) {
      A mixed = 0;
      for (long c = z0; c < z1; ++c)
        mixed += (A)weights[w2 + c] * widen(in[(numbers[p0 + a] * i1 + numbers[p1 + b]) * i2 + numbers[p2 + c]]);
      sum += (A)(weights[w0 + a] * weights[w1 + b]) * mixed;
    }
  out[at] = narrow(sum);
#endif
}
)";

// An integer type of the element's size moves any element.
DType type_to_copy(DType dtype) {
  switch (byte_size(dtype)) {
    case 1: return DType::u8;
    case 2: return DType::i16;
    case 4: return DType::i32;
    default: return DType::i64;
  }
}

codegen::KernelSource source_for(Mode mode, DType dtype) {
  codegen::KernelSource source;
  source.name = "cuda_resample";
  source.text = fmt::format("#define MODE {}\n", static_cast<int>(mode)) +
                element_text(mode == Mode::nearest ? type_to_copy(dtype) : dtype) + kernel_text;
  source.launches.push_back({.function = "resample", .block = threads});
  return source;
}

const std::unordered_map<const OpDef*, Mode>& modes() {
  namespace d = op_defs;
  static const auto& table = *new std::unordered_map<const OpDef*, Mode>{
      {&d::resample_nearest_default, Mode::nearest},
      {&d::upsample_linear1d_default, Mode::forward},
      {&d::upsample_bilinear2d_default, Mode::forward},
      {&d::upsample_trilinear3d_default, Mode::forward},
      {&d::upsample_bicubic2d_default, Mode::forward},
      {&d::inner_upsample_bilinear2d_aa_default, Mode::forward},
      {&d::inner_upsample_bicubic2d_aa_default, Mode::forward},
      {&d::upsample_nearest1d_backward_default, Mode::backward},
      {&d::upsample_nearest2d_backward_default, Mode::backward},
      {&d::upsample_nearest3d_backward_default, Mode::backward},
      {&d::inner_upsample_nearest_exact1d_backward_default, Mode::backward},
      {&d::inner_upsample_nearest_exact2d_backward_default, Mode::backward},
      {&d::inner_upsample_nearest_exact3d_backward_default, Mode::backward},
      {&d::upsample_linear1d_backward_default, Mode::backward},
      {&d::upsample_bilinear2d_backward_default, Mode::backward},
      {&d::upsample_trilinear3d_backward_default, Mode::backward},
      {&d::upsample_bicubic2d_backward_default, Mode::backward},
      {&d::inner_upsample_bilinear2d_aa_backward_default, Mode::backward},
      {&d::inner_upsample_bicubic2d_aa_backward_default, Mode::backward},
  };
  return table;
}

}  // namespace

bool resample_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  auto found = modes().find(&args.op());
  if (found == modes().end()) return false;
  Mode mode = found->second;
  const Tensor& out = outputs[0];
  if (mode != Mode::nearest && !is_floating(out.dtype())) return false;  // bytes are rounded between their dims
  if (out.numel() == 0) return true;
  Resampling r = resampling_of(args);
  Tensor in = args[0].tensor().contiguous(args.here());
  bool is_direct = out.is_contiguous();
  Tensor target = is_direct ? out : empty_like(out, {}, args.here()).contiguous(args.here());
  Place read = planes_of(in, r.rank).size, written = planes_of(target, r.rank).size;
  bool is_gradient = mode == Mode::backward;
  Tables tables =
      tables_for(r, is_gradient ? written : read, is_gradient ? read : written, out.dtype(), mode, out.device());
  const CudaDevice& device = cuda_device(out.device());
  auto kernel = load_cuda_kernel(source_for(mode, out.dtype()), device);
  make_current(device);
  int64_t n = out.numel().constant();
  std::vector<int64_t> numbers = {n};
  for (const auto& three : {read, written, tables.starts, tables.places, tables.first_weight})
    numbers.insert(numbers.end(), three.begin(), three.end());
  std::array<void*, 4> addresses = {in.data_ptr(), target.data_ptr(), tables.numbers.data_ptr(),
                                    tables.weights.data_ptr()};
  std::array<int64_t, 1> blocks = {(n + threads - 1) / threads};
  launch(*kernel, addresses, current_cuda_stream(device), {numbers, blocks});
  if (!is_direct) out.copy_(target, args.here());
  return true;
}

}  // namespace sinter::runtime
