// Tiles of up to 2048 elements are sorted in shared memory by Batcher's bitonic network, then runs are merged in pairs,
// each thread finding its part of a pair by bisection (merge path); where that takes many steps, rows are sorted by
// their digits instead. No two elements are equal, since the position decides last, so that the order is one whatever
// the steps. Where few of each row are asked for, the others are left out before.

#include <sinter/runtime/cuda/order_rows.h>

#include <sinter/runtime/cuda/digit_sort.h>
#include <sinter/runtime/cuda/first_of_rows.h>
#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/cuda/ranked_elements.h>

#include <algorithm>
#include <bit>

namespace sinter::runtime {

namespace {

constexpr int64_t most_of_tile = 2048;
constexpr int64_t merged_by_thread = 8;
constexpr int sorting_threads = 1024;

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
)";

std::string text_for(DType dtype, const char* kernels, const char* before = "") {
  return ranked_element_text(dtype) + before + kernels;
}

// Passes over all elements that merging tiles takes.
int merges_of(int64_t length) {
  uint64_t tiles = static_cast<uint64_t>((length + most_of_tile - 1) / most_of_tile);
  return std::bit_width(tiles - 1);
}

int64_t power_of_two_from(int64_t size) { return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(size))); }

}  // namespace

OrderedRows::OrderedRows(const Tensor& rows, bool descending, int64_t kept, int rank_bits)
    : rows_(rows),
      row_count_(rows.sizes()[0].constant()),
      length_(rows.sizes()[1].constant()),
      descending_(descending) {
  if (row_count_ == 0 || kept == 0) return;
  int64_t tile = std::min(most_of_tile, power_of_two_from(length_));
  std::vector<int> digits = digits_of_ranks(rows.dtype());
  std::erase_if(digits, [&](int digit) { return digit > 0 && digit >= rank_bits; });
  if (length_ > tile && kept <= most_of_first) {
    ordered_ = first_of_rows(rows, descending, kept, &reach_);
    sort_tiles(ordered_, false, reach_, power_of_two_from(reach_), kept);
  } else if (static_cast<int>(digits.size()) <= 2 * merges_of(length_)) {
    ordered_ = sort_by_digits(rows, descending, digits);
    reach_ = length_;
  } else {
    sort_tiles(rows_, true, length_, tile, tile);
    merge_runs(tile);
  }
}

void OrderedRows::sort_tiles(const Tensor& from, bool is_first, int64_t length, int64_t tile, int64_t kept) {
  int64_t tiles = (length + tile - 1) / tile, all = row_count_ * tiles;
  reach_ = tiles * kept;
  Device device = rows_.device();
  Tensor to = new_device_tensor(device, DType::i64, {row_count_ * reach_ * words_of_ranked(rows_.dtype())});
  run_own_kernel(device, "sort_tiles", text_for(rows_.dtype(), sorting, is_first ? of_rows : of_ranked),
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

}  // namespace sinter::runtime
