// Assignments find the last position of each place by an integer maximum. Sums and extrema of integers meet at their
// places in any order. Others sort the positions by their keys, and a thread goes through those that meet.

#include <sinter/runtime/cuda/combine_at_keys.h>

#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/order_rows.h>
#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/cuda/ranked_elements.h>

#include <algorithm>
#include <bit>
#include <limits>

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
// where a place's run of positions begins. Of a long run four elements are loaded at once.
constexpr const char* combining = R"(
extern "C" __global__ void __launch_bounds__(256) combine_runs(T* target, const T* values, const E* order,
    const long count, const long outer, const long inner, const long positions, const long places, const long step,
    const long includes_target) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  L beside = (L)(outer * inner), end = (L)positions, k = (L)i / beside, j = (L)i % beside;
  Rank key = rank_in(order[k]);
  if (k > 0 && rank_in(order[k - 1]) == key) return;
  L before = j / (L)inner, after = j % (L)inner, stride = (L)(step * inner);
  T* into = target + (before * (L)places + (L)(key ^ FIRST_KEY)) * (L)inner + after;
  const T* from = values + (L)step * (before * end * (L)inner + after);
  T all = includes_target ? *into : (T)(IDENTITY);
  L start = k;
  for (; k + 3 < end && rank_in(order[k + 3]) == key; k += 4) {
    T met[4];
    for (int n = 0; n < 4; ++n) met[n] = from[stride * (L)position_of(order[k + n])];
    for (int n = 0; n < 4; ++n) all = combined(all, met[n]);
  }
  for (; k < end && rank_in(order[k]) == key; ++k) all = combined(all, from[stride * (L)position_of(order[k])]);
  *into = finished(all, k - start + includes_target);
}
)";

// Where the order cannot show: integers, with what the device does at one address.
constexpr const char* meeting = R"(
extern "C" __global__ void __launch_bounds__(256) meet_at_keys(T* target, const T* values, const K* keys,
    const long count, const long outer, const long inner, const long positions, const long places, const long step) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  L after = (L)i % (L)inner, rest = (L)i / (L)inner, position = rest % (L)positions, before = rest / (L)positions;
  MEET((M*)target + (before * (L)places + (L)keys[position]) * (L)inner + after, (M)values[i * step]);
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

namespace {

bool has_any_order(DType dtype, Meeting how, bool includes_target) {
  bool is_integer = dtype == DType::i32 || dtype == DType::i64;
  return is_integer && includes_target && (how == Meeting::add || how == Meeting::minimum || how == Meeting::maximum);
}

std::string meeting_text(DType dtype, Meeting how) {
  const char* sign = how == Meeting::add ? "unsigned " : "";
  const char* name = how == Meeting::add ? "atomicAdd" : how == Meeting::minimum ? "atomicMin" : "atomicMax";
  return fmt::format("typedef {}{} M;\n#define MEET {}\n", sign, dtype == DType::i32 ? "int" : "long long", name);
}

}  // namespace

void combine_at_keys(const Tensor& target, const IndexKeys& keys, const Tensor& values, KeyedShape shape, Meeting how,
                     bool includes_target) {
  int64_t positions = keys.count(), count = positions * shape.outer * shape.inner;
  if (count == 0 || keys.places() == 0) return;
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  bool is_narrow = std::max(count, target.numel().constant()) + own_threads < most;
  std::string types = element_text(target.dtype()) + (is_narrow ? "typedef int L;\n" : "typedef long L;\n");
  std::vector<int64_t> numbers = {count, shape.outer, shape.inner, positions, keys.places(), step_of(values)};
  if (has_any_order(target.dtype(), how, includes_target))
    return run_own_kernel(target.device(), "meet_at_keys",
                          types + key_type(keys) + meeting_text(target.dtype(), how) + meeting,
                          {{"meet_at_keys", blocks_for(count)}},
                          {target.data_ptr(), values.data_ptr(), keys.keys().data_ptr()}, std::move(numbers));
  OrderedRows order(keys.keys().reshape({1, positions}), false, positions,
                    std::bit_width(static_cast<uint64_t>(keys.places() - 1)));
  const char* first =
      keys.keys().dtype() == DType::i32 ? "#define FIRST_KEY (1u << 31)\n" : "#define FIRST_KEY (1ull << 63)\n";
  numbers.push_back(includes_target ? 1 : 0);
  run_own_kernel(target.device(), "combine_at_keys",
                 types + ranked_text(keys.keys().dtype()) + first + combination_text(target.dtype(), how) + combining,
                 {{"combine_runs", blocks_for(count)}},
                 {target.data_ptr(), values.data_ptr(), order.elements().data_ptr()}, std::move(numbers));
}

}  // namespace sinter::runtime
