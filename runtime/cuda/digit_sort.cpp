// A radix sort from the least digit on, which keeps the order of equal ones. Of each digit three launches: each tile
// counts its digits; a warp for each digit of a row adds up what the tiles before have; each tile sorts itself in
// shared memory and goes where its digits begin.

#include <sinter/runtime/cuda/digit_sort.h>

#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/cuda/ranked_elements.h>

#include <utility>

namespace sinter::runtime {

namespace {

// counts: [rows, 256, tiles], then what stands before; totals: [rows, 256]. A warp has a stretch of its tile.
constexpr const char* sorting = R"(
#define PARAMETERS const From* from, E* to, int* counts, int* totals, const long rows, const long tiles, \
    const long length, const long shift, const long flip
enum { TILE = ITEMS * 512 };
__device__ inline int digit_of(E e, long shift) { return (int)(rank_in(e) >> shift) & 255; }
// Over the warp, up to and with its own.
template <class Number>
__device__ inline Number sum_of_lanes(Number value) {
  for (int by = 1; by < 32; by *= 2) {
    Number other = __shfl_up_sync(0xffffffffu, value, by, 32);
    if ((int)(threadIdx.x % 32) >= by) value += other;
  }
  return value;
}

// The lanes of the warp whose number of 8 bits is the same.
__device__ inline unsigned lanes_alike(int number) {
  unsigned alike = 0xffffffffu;
#pragma unroll
  for (int bit = 0; bit < 8; ++bit) {
    bool is_set = (number >> bit & 1) != 0;
    unsigned set = __ballot_sync(0xffffffffu, is_set);
    alike &= is_set ? set : ~set;
  }
  return alike;
}

extern "C" __global__ void __launch_bounds__(512) count_digits(PARAMETERS) {
  __shared__ int met[256];
  int thread = (int)threadIdx.x;
  if (thread < 256) met[thread] = 0;
  __syncthreads();
  long row = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  unsigned first = (unsigned)tile * TILE, left = (unsigned)length - first;
  from += row * length + first;
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    unsigned at = i * 512 + thread;
    if (at < left) atomicAdd(&met[digit_of(element_of(from[at], first + at, flip), shift)], 1);
  }
  __syncthreads();
  if (thread < 256) counts[(row * 256 + thread) * tiles + tile] = met[thread];
}

extern "C" __global__ void __launch_bounds__(512) add_up_tiles(PARAMETERS) {
  int lane = (int)threadIdx.x % 32, before = 0;
  long digit = (long)blockIdx.x * 16 + threadIdx.x / 32;
  counts += digit * tiles;
  for (long first = 0; first < tiles; first += 128) {
    int value[4], sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      long at = first + lane * 4 + i;
      value[i] = at < tiles ? counts[at] : 0;
      sum += value[i];
    }
    int all = sum_of_lanes(sum), mine = before + all - sum;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      long at = first + lane * 4 + i;
      if (at < tiles) counts[at] = mine;
      mine += value[i];
    }
    before += __shfl_sync(0xffffffffu, all, 31, 32);
  }
  if (lane == 0) totals[digit] = before;
}

extern "C" __global__ void __launch_bounds__(512) place_digits(PARAMETERS) {
  __shared__ E sorted[TILE];
  __shared__ unsigned short seen[16][256];
  __shared__ int in_tile[256], in_row[256];
  __shared__ long long of_warps[8];
  int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
  long row = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  unsigned first = (unsigned)tile * TILE, left = (unsigned)length - first;
  from += row * length + first;
  for (int i = thread; i < 16 * 256; i += 512) seen[i / 256][i % 256] = 0;
  __syncthreads();
  E mine[ITEMS];
  int rank[ITEMS];
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    unsigned at = (warp * ITEMS + i) * 32 + lane;
    mine[i] = at < left ? element_of(from[at], first + at, flip) : last();
  }
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    int digit = digit_of(mine[i], shift);
    unsigned alike = lanes_alike(digit);
    int before = __popc(alike & ((1u << lane) - 1));
    int start = seen[warp][digit];
    rank[i] = start + before;
    __syncwarp();
    if (before == 0) seen[warp][digit] = (unsigned short)(start + __popc(alike));
    __syncwarp();
  }
  __syncthreads();
  // A thread for each digit: its elements in the warps before, and of all lesser digits in the tile and in the row.
  int here = 0;
  long digit_at = row * 256 + thread % 256;
  if (thread < 256)
    for (int i = 0; i < 16; ++i) {
      int of_warp = seen[i][thread];
      seen[i][thread] = (unsigned short)here;
      here += of_warp;
    }
  long long both = (long long)totals[digit_at] << 16 | here, all = sum_of_lanes(both);
  if (lane == 31 && warp < 8) of_warps[warp] = all;
  __syncthreads();
  if (thread < 256) {
    for (int i = 0; i < warp; ++i) all += of_warps[i];
    all -= both;
    in_tile[thread] = (int)(all & 0xffff);
    in_row[thread] = (int)(all >> 16) + counts[digit_at * tiles + tile] - in_tile[thread];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    int digit = digit_of(mine[i], shift);
    sorted[in_tile[digit] + seen[warp][digit] + rank[i]] = mine[i];
  }
  __syncthreads();
  to += row * length;
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    unsigned at = i * 512 + thread;
    if (at < left) to[in_row[digit_of(sorted[at], shift)] + (int)at] = sorted[at];
  }
}
)";

// A tile of 32 KB.
int64_t items_of(DType dtype) { return 8 / words_of_ranked(dtype); }
constexpr int threads = 512;

}  // namespace

Tensor sort_by_digits(const Tensor& rows, bool descending, const std::vector<int>& digits) {
  Device device = rows.device();
  DType dtype = rows.dtype();
  int64_t count = rows.sizes()[0].constant(), length = rows.sizes()[1].constant();
  int64_t tile = items_of(dtype) * threads, tiles = (length + tile - 1) / tile;
  int64_t words = words_of_ranked(dtype) * count * length;
  Tensor counts = new_device_tensor(device, DType::i32, {count * 256 * tiles});
  Tensor totals = new_device_tensor(device, DType::i32, {count * 256});
  Tensor sorted, other;
  for (size_t i = 0; i < digits.size(); ++i) {
    std::string text = ranked_element_text(dtype) + (i == 0 ? of_rows : of_ranked);
    Tensor from = i == 0 ? rows : sorted;
    if (!other.defined()) other = new_device_tensor(device, DType::i64, {words});
    run_own_kernel(device, "sort_by_digits", fmt::format("enum {{ ITEMS = {} }};\n", items_of(dtype)) + text + sorting,
                   {{"count_digits", count * tiles}, {"add_up_tiles", count * 16}, {"place_digits", count * tiles}},
                   {from.data_ptr(), other.data_ptr(), counts.data_ptr(), totals.data_ptr()},
                   {count, tiles, length, digits[i], descending ? -1 : 0}, threads);
    std::swap(sorted, other);
  }
  return sorted;
}

}  // namespace sinter::runtime
