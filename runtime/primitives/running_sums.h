// Running sums of N rows of f32 at a time: columns are made of a square of rows in registers, added one after the other
// in f64, and made rows again; see elementwise.h for how this file is used.

#pragma once

#include <sinter/runtime/primitives/elementwise.h>

namespace {

typedef float f32_half __attribute__((vector_size(2 * N)));
typedef double f64_half __attribute__((vector_size(4 * N)));

typedef MakeLaneList<N / 2>::type half_lanes;
typedef MakeLaneList<N>::type all_lanes;

template <int first, int... lane>
inline f64_half widened(f32v v, LaneList<int, lane...>) {
  f32_half part = __builtin_shufflevector(v, v, (lane + first)...);
  return __builtin_convertvector(part, f64_half);
}
template <int... lane>
inline f32v rounded(f64_half low, f64_half high, LaneList<int, lane...>) {
  return __builtin_shufflevector(__builtin_convertvector(low, f32_half), __builtin_convertvector(high, f32_half),
                                 lane...);
}

// The running sum of each row.
struct RunningColumn {
  f64_half low = {}, high = {};

  // Adds a column, and gives the sums rounded.
  inline f32v add(f32v column) {
    low += widened<0>(column, half_lanes{});
    high += widened<N / 2>(column, half_lanes{});
    return rounded(low, high, all_lanes{});
  }
};

// Past the caches; p is aligned like a vector. A template, for each builtin takes vectors of one length.
template <class V>
inline void stream_vector(float* p, V v) {
#if defined(__clang__)
  __builtin_nontemporal_store(v, (V*)p);
#else
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) return __builtin_ia32_movntps512(p, v);
#endif
#if defined(__AVX__)
  if constexpr (sizeof(V) == 32) return __builtin_ia32_movntps256(p, v);
#endif
#if defined(__SSE__)
  if constexpr (sizeof(V) == 16) return __builtin_ia32_movntps(p, v);
#endif
  *(V*)p = v;
#endif
}

template <bool streams>
void sum_square(RunningColumn& running, const float* in, float* out, long row_step) {
  f32v square[N];
#pragma GCC unroll 64
  for (long row = 0; row < N; ++row) __builtin_memcpy(&square[row], in + row * row_step, sizeof(f32v));
  transpose_rows<N / 2, i32v>(square);
#pragma GCC unroll 64
  for (long column = 0; column < N; ++column) square[column] = running.add(square[column]);
  transpose_rows<N / 2, i32v>(square);
#pragma GCC unroll 64
  for (long row = 0; row < N; ++row) {
    if constexpr (streams)
      stream_vector(out + row * row_step, square[row]);
    else
      __builtin_memcpy(out + row * row_step, &square[row], sizeof(f32v));
  }
}

inline void sum_rest(RunningColumn& running, const float* in, float* out, long row_step, long columns) {
  for (long column = 0; column < columns; ++column) {
    f32v values;
    for (long row = 0; row < N; ++row) values[row] = in[row * row_step + column];
    values = running.add(values);
    for (long row = 0; row < N; ++row) out[row * row_step + column] = values[row];
  }
}

inline void running_sums(const float* in, float* out, long row_step, long columns, bool streams) {
  RunningColumn running;
  long column = 0;
  bool is_aligned = (unsigned long)out % sizeof(f32v) == 0 && row_step % N == 0;
  if (streams && is_aligned) {
    for (; column + N <= columns; column += N) sum_square<true>(running, in + column, out + column, row_step);
  } else {
    for (; column + N <= columns; column += N) sum_square<false>(running, in + column, out + column, row_step);
  }
  sum_rest(running, in + column, out + column, row_step, columns - column);
#if defined(__SSE__)
  __builtin_ia32_sfence();
#endif
}

}  // namespace
