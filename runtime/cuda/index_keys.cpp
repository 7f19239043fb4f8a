// One kernel for an index tensor, which finds its extremes on the way; one for the places beside it.

#include <sinter/runtime/cuda/index_keys.h>

#include <sinter/graph/ops/check_range.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/cuda/pending_checks.h>

#include <limits>

namespace sinter::runtime {

namespace {

constexpr const char* index_kernels = R"(
extern "C" __global__ void __launch_bounds__(256) clear_extremes(const I* index, K* keys, long long* extremes,
    const long count, const long size, const long step, const long wraps, const long adds) {
  if (threadIdx.x == 0) {
    extremes[0] = 0x7fffffffffffffffll;
    extremes[1] = -0x7fffffffffffffffll - 1;
  }
}
extern "C" __global__ void __launch_bounds__(256) add_index(const I* index, K* keys, long long* extremes,
    const long count, const long size, const long step, const long wraps, const long adds) {
  __shared__ long long low[8], high[8];
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  long long least = 0x7fffffffffffffffll, most = -0x7fffffffffffffffll - 1;
  if (i < count) {
    long long at = index[i];
    least = most = at;
    if (wraps && at < 0) at += size;
    at = at < 0 ? 0 : at >= size ? size - 1 : at;
    keys[i] = (K)((adds ? keys[i] : 0) + at * step);
  }
  for (int by = 16; by > 0; by /= 2) {
    long long a = __shfl_xor_sync(0xffffffffu, least, by), b = __shfl_xor_sync(0xffffffffu, most, by);
    least = a < least ? a : least;
    most = b > most ? b : most;
  }
  if (threadIdx.x % 32 == 0) {
    low[threadIdx.x / 32] = least;
    high[threadIdx.x / 32] = most;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < 8; ++w) {
    least = low[w] < least ? low[w] : least;
    most = high[w] > most ? high[w] : most;
  }
  atomicMin(&extremes[0], least);
  atomicMax(&extremes[1], most);
}
)";

constexpr const char* place_kernel = R"(
extern "C" __global__ void __launch_bounds__(256) add_places(K* keys, const long count, const long adds,
    const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6,
    const long n7, const long s0, const long s1, const long s2, const long s3, const long s4, const long s5,
    const long s6, const long s7) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  long sizes[8] = {n0, n1, n2, n3, n4, n5, n6, n7}, steps[8] = {s0, s1, s2, s3, s4, s5, s6, s7};
  long rest = i, place = adds ? keys[i] : 0;
#pragma unroll
  for (int d = 7; d >= 0; --d) {
    place += rest % sizes[d] * steps[d];
    rest /= sizes[d];
  }
  keys[i] = (K)place;
}
)";

std::string types_text(DType keys, DType index = DType::i64) {
  return fmt::format("typedef {} K;\ntypedef {} I;\n", keys == DType::i32 ? "int" : "long long",
                     index == DType::i32 ? "int" : "long long");
}

}  // namespace

IndexKeys::IndexKeys(Device device, int64_t count, int64_t places) : count_(count), places_(places) {
  bool is_narrow = places <= std::numeric_limits<int32_t>::max();
  keys_ = new_device_tensor(device, is_narrow ? DType::i32 : DType::i64, {count});
}

void IndexKeys::add(const OpArgs& args, const Tensor& index, int64_t size, int64_t step, bool wraps,
                    std::string_view what) {
  Tensor named = index.dtype() == DType::i32 ? index : index.to(DType::i64, args.here());
  named = named.contiguous(args.here());
  Tensor extremes = new_device_tensor(keys_.device(), DType::i64, {2});
  run_own_kernel(keys_.device(), "add_index", types_text(keys_.dtype(), named.dtype()) + index_kernels,
                 {{"clear_extremes", 1}, {"add_index", blocks_for(count_)}},
                 {named.data_ptr(), keys_.data_ptr(), extremes.data_ptr()},
                 {count_, size, step, wraps ? 1 : 0, is_started_ ? 1 : 0});
  is_started_ = true;
  if (count_ == 0) return;
  int slot = args.op().schema().find("user_op");
  std::string message = fmt::format("{}: {}", slot < 0 ? args.op().schema().name : args[slot].string(), what);
  Values values = {extremes.select(0, 0, args.here()),
                   extremes.select(0, 1, args.here()),
                   Scalar(wraps ? -size : int64_t{0}),
                   Scalar(size - 1),
                   message,
                   std::string()};
  check_range_later(OpArgs(op_defs::check_range_default, values, args.here()));
}

void IndexKeys::add_places(const Dims& sizes, const Dims& steps) {
  std::vector<int64_t> numbers = {count_, is_started_ ? 1 : 0};
  size_t missing = static_cast<size_t>(most_key_dims) - sizes.size();
  for (size_t i = 0; i < missing; ++i) numbers.push_back(1);
  numbers.insert(numbers.end(), sizes.begin(), sizes.end());
  for (size_t i = 0; i < missing; ++i) numbers.push_back(0);
  numbers.insert(numbers.end(), steps.begin(), steps.end());
  run_own_kernel(keys_.device(), "add_places", types_text(keys_.dtype()) + place_kernel,
                 {{"add_places", blocks_for(count_)}}, {keys_.data_ptr()}, numbers);
  is_started_ = true;
}

std::string out_of_range_text(const OpArgs& args, int64_t dim, int64_t size) {
  return "index {} is out of range for " + place_of_index(args, dim, std::to_string(size));
}

}  // namespace sinter::runtime
