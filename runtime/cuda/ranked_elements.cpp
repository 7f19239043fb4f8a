// Of types of up to 32 bits rank and position fit into one number of 64.

#include <sinter/runtime/cuda/ranked_elements.h>

#include <sinter/runtime/cuda/element_text.h>

namespace sinter::runtime {

namespace {

constexpr const char* narrow_elements = R"(
typedef unsigned long long E;
typedef unsigned Rank;
__device__ inline E element(Rank rank, long position) { return (E)rank << 32 | (unsigned)position; }
__device__ inline bool is_before(E a, E b) { return a < b; }
__device__ inline unsigned position_of(E e) { return (unsigned)e; }
__device__ inline Rank rank_in(E e) { return (unsigned)(e >> 32); }
__device__ inline E last() { return ~0ull; }
)";
constexpr const char* wide_elements = R"(
struct alignas(16) E { unsigned long long rank; unsigned position; };
typedef unsigned long long Rank;
__device__ inline E element(Rank rank, long position) { E e; e.rank = rank; e.position = (unsigned)position; return e; }
__device__ inline bool is_before(E a, E b) { return a.rank < b.rank || (a.rank == b.rank && a.position < b.position); }
__device__ inline unsigned position_of(E e) { return e.position; }
__device__ inline Rank rank_in(E e) { return e.rank; }
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

bool is_wide(DType dtype) { return byte_size(dtype) == 8; }

}  // namespace

const char* ranked_text(DType dtype) { return is_wide(dtype) ? wide_elements : narrow_elements; }

std::string ranked_element_text(DType dtype) { return element_text(dtype) + ranked_text(dtype) + rank_text(dtype); }

int64_t words_of_ranked(DType dtype) { return is_wide(dtype) ? 2 : 1; }

std::vector<int> digits_of_ranks(DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::u8: return {0};
    case DType::i8: return {0, 24};  // the bits between are the sign's
    case DType::i16: return {0, 8, 24};
    case DType::bf16: return {16, 24};  // those below are 0, or 1 below 0
    case DType::f16: return {13, 21, 24};
    case DType::i32:
    case DType::f32: return {0, 8, 16, 24};
    default: return {0, 8, 16, 24, 32, 40, 48, 56};
  }
}

}  // namespace sinter::runtime
