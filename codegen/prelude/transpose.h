// Transposition in registers: N rows of N elements become N columns.

#pragma once

#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: LaneList
template <class, int... lane>
struct LaneList {};
template <int count>
struct MakeLaneList {
#ifdef __clang__
  typedef __make_integer_seq<LaneList, int, count> type;
#else
  typedef LaneList<int, __integer_pack(count)...> type;
#endif
};
// Two rows that lie `half` apart exchange the half blocks off the diagonal.
// piece: exchange_blocks
template <int half, class I, class V, int... lane>
inline void exchange_blocks(V& a, V& b, LaneList<int, lane...>) {
  V top = a, bottom = b;
#ifdef __clang__
  a = __builtin_shufflevector(top, bottom, ((lane & half) ? N + lane - half : lane)...);
  b = __builtin_shufflevector(top, bottom, ((lane & half) ? N + lane : lane + half)...);
#else
  a = __builtin_shuffle(top, bottom, I{((lane & half) ? N + lane - half : lane)...});
  b = __builtin_shuffle(top, bottom, I{((lane & half) ? N + lane : lane + half)...});
#endif
}
// piece: transpose_rows
template <int half, class I, class V>
inline void transpose_rows(V* rows) {
#pragma GCC unroll 64
  for (int i = 0; i < N; ++i) {
    if ((i & half) == 0) exchange_blocks<half, I>(rows[i], rows[i + half], typename MakeLaneList<N>::type{});
  }
  if constexpr (half > 1) transpose_rows<half / 2, I>(rows);
}
// to[c * to_stride + r] = from[r * from_stride + c]. V and I are vectors of unsigned and signed integers of T's size.
// piece: copy_transposed
template <class V, class I, class T>
inline void copy_transposed(const T* from, long from_stride, T* to, long to_stride, long rows, long columns) {
  for (long r = 0; r < rows; r += N) {
    for (long c = 0; c < columns; c += N) {
      const T* source = from + r * from_stride + c;
      T* target = to + c * to_stride + r;
      if (r + N <= rows && c + N <= columns) {
        V block[N];
#pragma GCC unroll 64
        for (long i = 0; i < N; ++i) __builtin_memcpy(&block[i], source + i * from_stride, sizeof(V));
        transpose_rows<N / 2, I>(block);
#pragma GCC unroll 64
        for (long i = 0; i < N; ++i) __builtin_memcpy(target + i * to_stride, &block[i], sizeof(V));
      } else {
        for (long i = 0; i < N && r + i < rows; ++i) {
          for (long k = 0; k < N && c + k < columns; ++k) target[k * to_stride + i] = source[i * from_stride + k];
        }
      }
    }
  }
}
// end of pieces

}  // namespace
