// Tiles of up to 2048 elements are sorted in shared memory by Batcher's bitonic network, then runs are merged in pairs,
// each thread finding its part of a pair by bisection (merge path). No two elements are equal, since the position
// decides last, so that the order is one whatever the steps. Where few of each row are asked for, the first of each
// tile are sorted again instead.

#include <sinter/runtime/cuda/order_rows.h>

#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/own_kernel.h>

#include <algorithm>
#include <bit>

namespace sinter::runtime {

namespace {

constexpr int64_t most_of_tile = 2048;
constexpr int64_t merged_by_thread = 8;
constexpr int sorting_threads = 1024;

// E holds a rank, which orders as the elements do, and a position. Of narrow types both fit into 64 bits.
constexpr const char* narrow_elements = R"(
typedef unsigned long long E;
typedef unsigned Rank;
__device__ inline E element(Rank rank, long position) { return (E)rank << 32 | (unsigned)position; }
__device__ inline bool is_before(E a, E b) { return a < b; }
__device__ inline unsigned position_of(E e) { return (unsigned)e; }
__device__ inline E last() { return ~0ull; }
)";
constexpr const char* wide_elements = R"(
struct alignas(16) E { unsigned long long rank; unsigned position; };
typedef unsigned long long Rank;
__device__ inline E element(Rank rank, long position) { E e; e.rank = rank; e.position = (unsigned)position; return e; }
__device__ inline bool is_before(E a, E b) { return a.rank < b.rank || (a.rank == b.rank && a.position < b.position); }
__device__ inline unsigned position_of(E e) { return e.position; }
__device__ inline E last() { return element(~0ull, 0xffffffffu); }
)";

std::string rank_text(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return R"(__device__ inline Rank rank_of(T x) {
  if (x != x) return ~0ull;
  unsigned long long bits = x == 0 ? 0 : (unsigned long long)__double_as_longlong(x);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
})";
    case DType::f16:
    case DType::bf16:
    case DType::f32:
      return R"(__device__ inline Rank rank_of(T x) {
  float y = widen(x);
  if (y != y) return ~0u;
  unsigned bits = y == 0 ? 0 : __float_as_uint(y);
  return bits >> 31 ? ~bits : bits | 1u << 31;
})";
    case DType::i64: return "__device__ inline Rank rank_of(T x) { return (Rank)x ^ 1ull << 63; }";
    case DType::boolean:
    case DType::u8: return "__device__ inline Rank rank_of(T x) { return x; }";
    default: return "__device__ inline Rank rank_of(T x) { return (unsigned)(int)x ^ 1u << 31; }";
  }
}

// What is sorted first are elements of rows, then what was kept of tiles.
constexpr const char* of_rows = R"(
typedef T From;
__device__ inline E element_of(T x, long position, long flip) { return element(rank_of(x) ^ (Rank)flip, position); }
)";
constexpr const char* of_tiles = R"(
typedef E From;
__device__ inline E element_of(E e, long position, long flip) { return e; }
)";

constexpr const char* sorting = R"(
// A tile in shared memory, and the first `kept` of it to memory. Several tiles share a block.
__device__ inline void sort_and_keep(E* s, E* to, long tiles, long all, long tile, long kept) {
  for (long k = 2; k <= tile; k *= 2)
    for (long j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      int low = (int)(threadIdx.x / j * 2 * j + threadIdx.x % j), high = low + (int)j;
      bool ascends = (low & (tile - 1) & k) == 0;
      E a = s[low], b = s[high];
      if (is_before(b, a) == ascends) { s[low] = b; s[high] = a; }
    }
  __syncthreads();
  for (int i = (int)threadIdx.x; i < 2048; i += 1024) {
    long t = ((long)blockIdx.x * 2048 + i) / tile, at = i & (tile - 1);
    if (t < all && at < kept) to[t * kept + at] = s[i];
  }
}

extern "C" __global__ void __launch_bounds__(1024) sort_tiles(const From* from, E* to, const long all, const long tiles,
    const long length, const long tile, const long kept, const long flip) {
  __shared__ E s[2048];
  for (int i = (int)threadIdx.x; i < 2048; i += 1024) {
    long t = ((long)blockIdx.x * 2048 + i) / tile, row = t / tiles, at = t % tiles * tile + (i & (tile - 1));
    s[i] = t < all && at < length ? element_of(from[row * length + at], at, flip) : last();
  }
  sort_and_keep(s, to, tiles, all, tile, kept);
}
)";

constexpr const char* merging = R"(
// Rows of `reach` elements with sorted runs of `run` each: pairs of them become one. A thread gives eight elements.
extern "C" __global__ void __launch_bounds__(256) merge_runs(const E* from, E* to, const long count, const long reach,
    const long run) {
  long first = ((long)blockIdx.x * 256 + threadIdx.x) * 8;
  if (first >= count) return;
  long in_row = first % reach, base = first - in_row + in_row / (2 * run) * 2 * run;
  long left = reach - (base % reach);
  long a_count = left < run ? left : run, b_count = left - a_count < run ? left - a_count : run;
  const E *a = from + base, *b = a + a_count;
  long d = first - base, low = d > b_count ? d - b_count : 0, high = d < a_count ? d : a_count;
  while (low < high) {
    long middle = (low + high) / 2;
    if (is_before(a[middle], b[d - 1 - middle])) low = middle + 1;
    else high = middle;
  }
  long i = low, j = d - low;
  for (int k = 0; k < 8; ++k) {
    bool takes_a = i < a_count && (j >= b_count || is_before(a[i], b[j]));
    to[first + k] = takes_a ? a[i++] : b[j++];
  }
}
)";

constexpr const char* writing = R"(
extern "C" __global__ void __launch_bounds__(256) write_medians(const E* from, const T* rows, T* values,
    long long* positions, const long all, const long length, const long reach, const long skips_nan) {
  long row = (long)blockIdx.x * 256 + threadIdx.x;
  if (row >= all) return;
  from += row * reach;
  rows += row * length;
  long low = 0, high = length;  // how many numbers there are before the NaNs
  while (low < high) {
    long middle = (low + high) / 2;
    A x = widen(rows[position_of(from[middle])]);
    if (x == x) low = middle + 1;
    else high = middle;
  }
  bool is_nan = low == 0 || (low < length && !skips_nan);
  unsigned position = position_of(from[is_nan ? low : (low - 1) / 2]);
  values[row] = rows[position];
  if (positions) positions[row] = position;
}
extern "C" __global__ void __launch_bounds__(256) write_modes(const E* from, const T* rows, T* values,
    long long* positions, const long all, const long length, const long reach) {
  long row = (long)blockIdx.x * 256 + threadIdx.x;
  if (row >= all) return;
  from += row * reach;
  rows += row * length;
  unsigned best = position_of(from[0]);
  long best_count = 0, count = 0;
  for (long i = 0; i < length; ++i) {
    ++count;
    unsigned position = position_of(from[i]);
    if (i + 1 < length && widen(rows[position]) == widen(rows[position_of(from[i + 1])])) continue;
    if (count > best_count) { best = position; best_count = count; }
    count = 0;
  }
  values[row] = rows[best];
  positions[row] = best;
}
extern "C" __global__ void __launch_bounds__(256) write_ordered(const E* from, const T* rows, T* values,
    long long* positions, const long all, const long length, const long reach, const long first, const long count) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i >= all) return;
  long row = i / count, position = position_of(from[row * reach + first + i % count]);
  if (values) values[i] = rows[row * length + position];
  if (positions) positions[i] = position;
}
extern "C" __global__ void __launch_bounds__(256) write_positions(const E* from, int* positions, const long all,
    const long reach, const long count) {
  long i = (long)blockIdx.x * 256 + threadIdx.x;
  if (i < all) positions[i] = (int)position_of(from[i / count * reach + i % count]);
}
)";

bool is_wide(DType dtype) { return byte_size(dtype) == 8; }

std::string text_for(DType dtype, const char* kernels, const char* before = "") {
  return element_text(dtype) + (is_wide(dtype) ? wide_elements : narrow_elements) + rank_text(dtype) + before + kernels;
}

int64_t power_of_two_from(int64_t size) { return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(size))); }

}  // namespace

OrderedRows::OrderedRows(const Tensor& rows, bool descending, int64_t kept)
    : rows_(rows),
      row_count_(rows.sizes()[0].constant()),
      length_(rows.sizes()[1].constant()),
      kept_(kept),
      descending_(descending) {
  if (row_count_ == 0 || kept == 0) return;
  int64_t tile = std::min(most_of_tile, power_of_two_from(length_));
  bool selects = length_ > tile && kept <= tile / 4;
  sort_tiles(rows_, true, length_, tile, selects ? kept : tile);
  if (selects) {
    while (reach_ > kept) {
      int64_t length = reach_;
      sort_tiles(ordered_, false, length, std::min(most_of_tile, power_of_two_from(length)), kept);
    }
  } else {
    merge_runs(tile);
  }
}

void OrderedRows::sort_tiles(const Tensor& from, bool is_first, int64_t length, int64_t tile, int64_t kept) {
  int64_t tiles = (length + tile - 1) / tile, all = row_count_ * tiles;
  reach_ = tiles * kept;
  Device device = rows_.device();
  int64_t words = is_wide(rows_.dtype()) ? 2 : 1;
  Tensor to = new_device_tensor(device, DType::i64, {row_count_ * reach_ * words});
  run_own_kernel(device, "sort_tiles", text_for(rows_.dtype(), sorting, is_first ? of_rows : of_tiles),
                 {{"sort_tiles", (all * tile + most_of_tile - 1) / most_of_tile}}, {from.data_ptr(), to.data_ptr()},
                 {all, tiles, length, tile, kept, descending_ ? -1 : 0}, sorting_threads);
  ordered_ = to;
}

void OrderedRows::merge_runs(int64_t tile) {
  int64_t count = row_count_ * reach_;
  if (tile >= reach_) return;
  Tensor other = new_device_tensor(rows_.device(), DType::i64, {ordered_.numel().constant()});
  for (int64_t run = tile; run < reach_; run *= 2) {
    run_own_kernel(rows_.device(), "merge_runs", text_for(rows_.dtype(), merging),
                   {{"merge_runs", blocks_for((count + merged_by_thread - 1) / merged_by_thread)}},
                   {ordered_.data_ptr(), other.data_ptr()}, {count, reach_, run});
    std::swap(ordered_, other);
  }
}

void OrderedRows::write(const Tensor& values, const Tensor& positions, int64_t first, int64_t count) const {
  int64_t all = row_count_ * count;
  if (all == 0) return;
  run_own_kernel(rows_.device(), "write_ordered", text_for(rows_.dtype(), writing),
                 {{"write_ordered", blocks_for(all)}},
                 {ordered_.data_ptr(), rows_.data_ptr(), values.defined() ? values.data_ptr() : nullptr,
                  positions.defined() ? positions.data_ptr() : nullptr},
                 {all, length_, reach_, first, count});
}

void OrderedRows::write_medians(const Tensor& values, const Tensor& positions, bool skips_nan) const {
  run_own_kernel(
      rows_.device(), "write_medians", text_for(rows_.dtype(), writing), {{"write_medians", blocks_for(row_count_)}},
      {ordered_.data_ptr(), rows_.data_ptr(), values.data_ptr(), positions.defined() ? positions.data_ptr() : nullptr},
      {row_count_, length_, reach_, skips_nan ? 1 : 0});
}

void OrderedRows::write_modes(const Tensor& values, const Tensor& positions) const {
  run_own_kernel(
      rows_.device(), "write_modes", text_for(rows_.dtype(), writing), {{"write_modes", blocks_for(row_count_)}},
      {ordered_.data_ptr(), rows_.data_ptr(), values.data_ptr(), positions.data_ptr()}, {row_count_, length_, reach_});
}

Tensor OrderedRows::positions() const {
  Tensor positions = new_device_tensor(rows_.device(), DType::i32, {row_count_, kept_});
  int64_t all = row_count_ * kept_;
  if (all > 0)
    run_own_kernel(rows_.device(), "write_positions", text_for(rows_.dtype(), writing),
                   {{"write_positions", blocks_for(all)}}, {ordered_.data_ptr(), positions.data_ptr()},
                   {all, reach_, kept_});
  return positions;
}

}  // namespace sinter::runtime
