// Blocks of 1024 elements count theirs; one block adds up what is before each; then each element knows its place.

#include <sinter/runtime/cuda/true_elements.h>

#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/own_kernel.h>

namespace sinter::runtime {

namespace {

constexpr int64_t elements_of_block = 1024;

// Each thread has four neighbours.
constexpr const char* counting = R"(
__device__ inline int is_true(const T* elements, long at, long size) {
  return at < size && widen(elements[at]) != 0 ? 1 : 0;
}
// Running sums of a block's threads; `all` is their end.
__device__ inline int before_thread(int own, int* room, int* all) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = own;
  for (int by = 1; by < 32; by *= 2) {
    int other = __shfl_up_sync(0xffffffffu, sum, by);
    if (lane >= by) sum += other;
  }
  if (lane == 31) room[warp] = sum;
  __syncthreads();
  int start = 0, end = 0;
  for (int w = 0; w < 8; ++w) {
    if (w < warp) start += room[w];
    end += room[w];
  }
  __syncthreads();
  *all = end;
  return start + sum - own;
}

extern "C" __global__ void __launch_bounds__(256) count_true(const T* elements, long long* counts, const long size,
    const long blocks) {
  __shared__ int room[8];
  long first = (long)blockIdx.x * 1024 + 4 * threadIdx.x;
  int own = 0, all;
  for (int k = 0; k < 4; ++k) own += is_true(elements, first + k, size);
  before_thread(own, room, &all);
  if (threadIdx.x == 0) counts[blockIdx.x] = all;
}
extern "C" __global__ void __launch_bounds__(256) add_counts(const T* elements, long long* counts, const long size,
    const long blocks) {
  __shared__ long long room[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  long long before = 0;
  for (long base = 0; base < blocks; base += 256) {
    long i = base + threadIdx.x;
    long long own = i < blocks ? counts[i] : 0, sum = own;
    for (int by = 1; by < 32; by *= 2) {
      long long other = __shfl_up_sync(0xffffffffu, sum, by);
      if (lane >= by) sum += other;
    }
    if (lane == 31) room[warp] = sum;
    __syncthreads();
    long long start = before;
    for (int w = 0; w < 8; ++w) {
      if (w < warp) start += room[w];
      before += room[w];
    }
    __syncthreads();
    if (i < blocks) counts[i] = start + sum - own;
  }
  if (threadIdx.x == 0) counts[blocks] = before;
}
)";

constexpr const char* placing = R"(
extern "C" __global__ void __launch_bounds__(256) place_true(const T* elements, const long long* counts,
    const M* from, M* to, long long* indices, const long size, const long most, const long row_step,
    const long dim_step, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5,
    const long n6, const long n7) {
  __shared__ int room[8];
  long first = (long)blockIdx.x * 1024 + 4 * threadIdx.x;
  int own = 0, all;
  for (int k = 0; k < 4; ++k) own += is_true(elements, first + k, size);
  long rank = counts[blockIdx.x] + before_thread(own, room, &all);
  for (int k = 0; k < 4; ++k) {
    long i = first + k;
    bool is_placed = is_true(elements, i, size) != 0;
#if WAY == 0
    long sizes[8] = {n0, n1, n2, n3, n4, n5, n6, n7}, rest = i;
    if (is_placed && rank < most) {
#pragma unroll
      for (int d = 7; d >= 0; --d) {
        if (d >= 8 - DIMS) indices[rank * row_step + (d - 8 + DIMS) * dim_step] = rest % sizes[d];
        rest /= sizes[d];
      }
    }
#elif WAY == 1
    if (is_placed) to[rank] = from[i];
#elif WAY == 2
    if (is_placed) to[i] = from[rank];
#else
    if (i < size) indices[i] = rank - (is_placed ? 0 : 1);
#endif
    rank += is_placed;
  }
}
)";

enum Way { to_indices, packing, unpacking, ranking };

std::string text_for(const Tensor& elements, const char* kernels) { return element_text(elements.dtype()) + kernels; }

std::string moved_type(const Tensor& tensor) {
  DType dtype = tensor.defined() ? type_to_move(tensor.dtype()) : DType::u8;
  constexpr const char* names[] = {"unsigned char", "short", "int", "long long"};
  int which = dtype == DType::u8 ? 0 : dtype == DType::i16 ? 1 : dtype == DType::i32 ? 2 : 3;
  return fmt::format("typedef {} M;\n", names[which]);
}

std::string placing_text(const Tensor& elements, const Tensor& moved, Way way, size_t dims = 0) {
  return fmt::format("#define WAY {}\n#define DIMS {}\n", static_cast<int>(way), dims) + moved_type(moved) +
         text_for(elements, counting) + placing;
}

}  // namespace

TrueElements::TrueElements(const Tensor& elements) : elements_(elements), size_(elements.numel().constant()) {
  blocks_ = (size_ + elements_of_block - 1) / elements_of_block;
  counts_ = new_device_tensor(elements.device(), DType::i64, {blocks_ + 1});
  run_own_kernel(elements.device(), "count_true", text_for(elements, counting),
                 {{"count_true", blocks_}, {"add_counts", 1}}, {elements_.data_ptr(), counts_.data_ptr()},
                 {size_, blocks_});
}

int64_t TrueElements::count() const { return counts_.select(0, blocks_).item().to_int(); }

void TrueElements::write_indices(const Dims& sizes, const Tensor& to, int64_t row_step, int64_t dim_step,
                                 int64_t most) const {
  std::vector<int64_t> numbers = {size_, most, row_step, dim_step};
  for (size_t i = sizes.size(); i < 8; ++i) numbers.push_back(1);
  numbers.insert(numbers.end(), sizes.begin(), sizes.end());
  run_own_kernel(elements_.device(), "write_indices", placing_text(elements_, {}, to_indices, sizes.size()),
                 {{"place_true", blocks_}}, {elements_.data_ptr(), counts_.data_ptr(), nullptr, nullptr, to.data_ptr()},
                 numbers);
}

void TrueElements::pack(const Tensor& from, const Tensor& to) const {
  run_own_kernel(elements_.device(), "pack", placing_text(elements_, from, packing), {{"place_true", blocks_}},
                 {elements_.data_ptr(), counts_.data_ptr(), from.data_ptr(), to.data_ptr(), nullptr},
                 {size_, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
}

void TrueElements::unpack(const Tensor& from, const Tensor& to) const {
  run_own_kernel(elements_.device(), "unpack", placing_text(elements_, from, unpacking), {{"place_true", blocks_}},
                 {elements_.data_ptr(), counts_.data_ptr(), from.data_ptr(), to.data_ptr(), nullptr},
                 {size_, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
}

void TrueElements::write_ranks(const Tensor& to) const {
  run_own_kernel(elements_.device(), "write_ranks", placing_text(elements_, {}, ranking), {{"place_true", blocks_}},
                 {elements_.data_ptr(), counts_.data_ptr(), nullptr, nullptr, to.data_ptr()},
                 {size_, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
}

}  // namespace sinter::runtime
