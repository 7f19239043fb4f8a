// Assignments find the last position of each place by an integer maximum. Others sort the positions by their keys, and
// a thread goes through those that meet.

#include <sinter/runtime/cuda/combine_at_keys.h>

#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/order_rows.h>
#include <sinter/runtime/cuda/own_kernel.h>

namespace sinter::runtime {

namespace {

std::string key_type(const IndexKeys& keys) {
  return fmt::format("typedef {} K;\n", keys.keys().dtype() == DType::i32 ? "int" : "long long");
}

constexpr const char* assigning = R"(
extern "C" __global__ void __launch_bounds__(256) clear_last(T* target, const K* keys, const T* values, int* last,
    const long count, const long inner, const long positions, const long places, const long step) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i < places) last[i] = -1;
}
extern "C" __global__ void __launch_bounds__(256) find_last(T* target, const K* keys, const T* values, int* last,
    const long count, const long inner, const long positions, const long places, const long step) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i < positions) atomicMax(&last[keys[i]], (int)i);
}
extern "C" __global__ void __launch_bounds__(256) assign_last(T* target, const K* keys, const T* values, int* last,
    const long count, const long inner, const long positions, const long places, const long step) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  long position = i / inner % positions, outer = i / inner / positions, key = keys[position];
  if (step == 0 || last[key] == position) target[(outer * places + key) * inner + i % inner] = values[i * step];
}
)";

// Thread (k, j): element j of the places beside the indices, at the k-th of the sorted positions; it does something
// where a place's run of positions begins.
constexpr const char* combining = R"(
extern "C" __global__ void __launch_bounds__(256) combine_runs(T* target, const K* keys, const T* values,
    const int* order, const long count, const long outer, const long inner, const long positions, const long places,
    const long step, const long includes_target) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  long beside = outer * inner, k = i / beside, j = i % beside;
  K key = keys[order[k]];
  if (k > 0 && keys[order[k - 1]] == key) return;
  T* into = target + (j / inner * places + key) * inner + j % inner;
  const T* from = values + step * (j / inner * positions * inner + j % inner);
  T all = includes_target ? *into : (T)(IDENTITY);
  long met = includes_target ? 1 : 0;
  for (; k < positions && keys[order[k]] == key; ++k, ++met) all = combined(all, from[step * order[k] * inner]);
  *into = finished(all, met);
}
)";

std::string combination_text(DType dtype, Meeting how) {
  bool is_bool = dtype == DType::boolean, is_float = is_floating(dtype);
  std::string value, identity = "0", finished = "all";
  switch (how) {
    case Meeting::mean:
      finished = is_float ? "all / (T)met" : "(T)(all / (long long)met - (all % (long long)met != 0 && all < 0))";
      [[fallthrough]];
    case Meeting::add: value = is_bool ? "a | b" : is_float ? "a + b" : "(T)((A)a + (A)b)"; break;
    case Meeting::multiply:
      value = is_bool ? "a & b" : is_float ? "a * b" : "(T)((A)a * (A)b)";
      identity = "1";
      break;
    case Meeting::minimum:
    case Meeting::maximum: {
      bool is_least = how == Meeting::minimum;
      value = fmt::format("a != a || (b == b && a {} b) ? a : b", is_least ? "<=" : ">=");
      if (is_float) {
        identity = fmt::format("{}__longlong_as_double(0x7ff0000000000000ll)", is_least ? "" : "-");
      } else if (is_bool || dtype == DType::u8) {
        identity = is_least ? (is_bool ? "1" : "255") : "0";
      } else {
        int bits = static_cast<int>(byte_size(dtype)) * 8;
        identity = fmt::format("{}(1ull << {})", is_least ? "~" : "", bits - 1);
      }
    }
  }
  return fmt::format(
      "#define IDENTITY {}\n__device__ inline T combined(T a, T b) {{ return {}; }}\n"
      "__device__ inline T finished(T all, long met) {{ return {}; }}\n",
      identity, value, finished);
}

int64_t step_of(const Tensor& values) { return values.numel() == 1 ? 0 : 1; }

}  // namespace

void assign_at_keys(const Tensor& target, const IndexKeys& keys, const Tensor& values, KeyedShape shape) {
  int64_t positions = keys.count(), places = keys.places(), count = positions * shape.outer * shape.inner;
  if (count == 0 || places == 0) return;
  bool is_one = step_of(values) == 0;
  Tensor last = new_device_tensor(target.device(), DType::i32, {is_one ? 0 : places});
  run_own_kernel(target.device(), "assign_at_keys",
                 element_text(type_to_move(target.dtype())) + key_type(keys) + assigning,
                 {{"clear_last", is_one ? 0 : blocks_for(places)},
                  {"find_last", is_one ? 0 : blocks_for(positions)},
                  {"assign_last", blocks_for(count)}},
                 {target.data_ptr(), keys.keys().data_ptr(), values.data_ptr(), last.data_ptr()},
                 {count, shape.inner, positions, places, is_one ? 0 : 1});
}

Tensor positions_by_key(const IndexKeys& keys) {
  return OrderedRows(keys.keys().reshape({1, keys.count()}), false, keys.count()).positions();
}

void combine_at_keys(const Tensor& target, const IndexKeys& keys, const Tensor& values, KeyedShape shape, Meeting how,
                     bool includes_target) {
  int64_t positions = keys.count(), count = positions * shape.outer * shape.inner;
  if (count == 0 || keys.places() == 0) return;
  Tensor order = positions_by_key(keys);
  run_own_kernel(target.device(), "combine_at_keys",
                 element_text(target.dtype()) + key_type(keys) + combination_text(target.dtype(), how) + combining,
                 {{"combine_runs", blocks_for(count)}},
                 {target.data_ptr(), keys.keys().data_ptr(), values.data_ptr(), order.data_ptr()},
                 {count, shape.outer, shape.inner, positions, keys.places(), step_of(values), includes_target ? 1 : 0});
}

}  // namespace sinter::runtime
