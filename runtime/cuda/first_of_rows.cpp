// A block holds a segment of a row in registers and finds the rank of its last element to keep digit by digit, from the
// highest on: how many there are of each digit among those that agree so far. What is kept of all segments is a row
// again, until it is short.

#include <sinter/runtime/cuda/first_of_rows.h>

#include <sinter/runtime/cuda/own_kernel.h>
#include <sinter/runtime/cuda/ranked_elements.h>

namespace sinter::runtime {

namespace {

constexpr int threads = 1024;
constexpr int64_t segment = 8 * threads;

// A warp has a stretch of 256 elements. Those past the row's end are its last.
constexpr const char* selecting = R"(
extern "C" __global__ void __launch_bounds__(1024) keep_first(const From* from, E* to, const long segments,
    const long length, const long kept, const long flip) {
  __shared__ int met[256], before[32];
  int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
  long row = blockIdx.x / segments, start = blockIdx.x % segments * 8192;
  from += row * length;
  E mine[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    long at = start + (warp * 8 + i) * 32 + lane;
    mine[i] = at < length ? element_of(from[at], at, flip) : last();
  }
  Rank bound = 0, known = 0;
  int needed = (int)kept;
  for (int shift = (int)sizeof(Rank) * 8 - 8; shift >= 0; shift -= 8) {
    if (thread < 256) met[thread] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if ((rank_in(mine[i]) & known) == bound) atomicAdd(&met[(int)(rank_in(mine[i]) >> shift) & 255], 1);
    __syncthreads();
    // Each warp finds for itself where the last one is.
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += met[lane * 8 + i];
    int all = sum;
    for (int by = 1; by < 32; by *= 2) {
      int other = __shfl_up_sync(0xffffffffu, all, by, 32);
      if (lane >= by) all += other;
    }
    int lesser = all - sum, digit = lane * 8;
    bool is_here = lesser < needed && needed <= all;
    if (is_here)
      for (; lesser + met[digit] < needed; ++digit) lesser += met[digit];
    int finder = 31 - __clz((int)__ballot_sync(0xffffffffu, is_here));
    bound |= (Rank)__shfl_sync(0xffffffffu, digit, finder, 32) << shift;
    known |= (Rank)255 << shift;
    needed -= __shfl_sync(0xffffffffu, lesser, finder, 32);
    __syncthreads();
  }
  // Of those that equal the bound the first `needed` are kept. Both kinds are counted in one number.
  int counted = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    counted += rank_in(mine[i]) < bound ? 1 << 16 : rank_in(mine[i]) == bound ? 1 : 0;
  for (int by = 16; by > 0; by /= 2) counted += __shfl_xor_sync(0xffffffffu, counted, by);
  if (lane == 0) before[warp] = counted;
  __syncthreads();
  int stands = 0;
  for (int i = 0; i < warp; ++i) stands += before[i];
  to += (long)blockIdx.x * kept;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    bool is_less = rank_in(mine[i]) < bound, is_equal = rank_in(mine[i]) == bound;
    unsigned less = __ballot_sync(0xffffffffu, is_less), equal = __ballot_sync(0xffffffffu, is_equal);
    unsigned lanes = (1u << lane) - 1;
    int less_before = (stands >> 16) + __popc(less & lanes), equal_before = (stands & 0xffff) + __popc(equal & lanes);
    if (is_less || (is_equal && equal_before < needed))
      to[less_before + (equal_before < needed ? equal_before : needed)] = mine[i];
    stands += __popc(less) << 16 | __popc(equal);
  }
}
)";

}  // namespace

Tensor first_of_rows(const Tensor& rows, bool descending, int64_t kept, int64_t* reach) {
  DType dtype = rows.dtype();
  int64_t count = rows.sizes()[0].constant();
  Tensor from = rows;
  *reach = rows.sizes()[1].constant();
  for (bool is_first = true; is_first || *reach > most_of_first; is_first = false) {
    int64_t segments = (*reach + segment - 1) / segment;
    Tensor to = new_device_tensor(rows.device(), DType::i64, {count * segments * kept * words_of_ranked(dtype)});
    run_own_kernel(rows.device(), "keep_first",
                   ranked_element_text(dtype) + (is_first ? of_rows : of_ranked) + selecting,
                   {{"keep_first", count * segments}}, {from.data_ptr(), to.data_ptr()},
                   {segments, *reach, kept, descending ? -1 : 0}, threads);
    from = to;
    *reach = segments * kept;
  }
  return from;
}

}  // namespace sinter::runtime
