// Memory access of generated loops beyond plain vectors: a count of lanes found at run time, masks, index arithmetic.
//
// A masked load touches no memory where the mask is false; there, and from lane n on, the value is zero. It takes
// memory and position apart: where the mask is false the position may lie outside of the memory, where no pointer may
// be.

#pragma once

#include <sinter/codegen/prelude/logic.h>
#include <sinter/codegen/prelude/memory.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// Asks for memory that will be read soon; any address will do.
// piece: prefetch
inline void prefetch(const void* p) { __builtin_prefetch(p); }
// The first n lanes, n from 1 to N.
// piece: load_up_to
template <class T>
inline auto load_up_to(const T* p, long n) {
  return n == N ? load(p) : load_n(p, n);
}
// piece: store_up_to
template <class T, class V>
inline void store_up_to(T* p, V v, long n) {
  if (n == N)
    store(p, v);
  else
    store_n(p, v, n);
}
// The lanes before lane n, which is from 1 to N.
// piece: lanes_before
inline b32v lanes_before(long n) {
  i32v lane;
  for (int i = 0; i < N; ++i) lane[i] = i;
  return b32v{lane < (int)n};
}
// piece: iota_i32
inline i32v iota_i32(long start) {
  i32v lane;
  for (int i = 0; i < N; ++i) lane[i] = i;
  return lane + (int)start;
}
// piece: lanes_of_mask
inline long lanes_of_mask(b32v m, long n) {
  long count = 0;
  for (long i = 0; i < n; ++i) count -= m.bits[i];
  return count;
}
// piece: masked_load
template <class T>
inline auto masked_load(const T* p, long at, b32v m, long n) {
  long count = lanes_of_mask(m, n);
  if (count == N) return load(p + at);
  T lanes[N] = {};
  if (count != 0) {
    for (long i = 0; i < n; ++i) {
      if (m.bits[i]) lanes[i] = p[at + i];
    }
  }
  return load(lanes);
}
// piece: masked_strided
template <class T>
inline auto masked_strided(const T* p, long at, long stride, b32v m, long n) {
  T lanes[N] = {};
  for (long i = 0; i < n; ++i) {
    if (m.bits[i]) lanes[i] = p[at + i * stride];
  }
  return load(lanes);
}
// piece: masked_gather
template <class T>
inline auto masked_gather(const T* p, i64v index, b32v m, long n) {
  T lanes[N] = {};
  for (long i = 0; i < n; ++i) {
    if (m.bits[i]) lanes[i] = p[index[i]];
  }
  return load(lanes);
}
// piece: masked_splat
template <class T>
inline auto masked_splat(const T* p, long at, b32v m, long n) {
  T lanes[N] = {};
  for (long i = 0; i < n; ++i) {
    if (m.bits[i]) lanes[i] = p[at];
  }
  return load(lanes);
}
// At positions that grow by at most 1 from lane to lane: those of a whole vector often follow one another.
// piece: load_runs
template <class T, class At>
inline auto load_runs(const T* p, At at, long n) {
  long first = at(0);
  if (n == N && at(N - 1) - first == N - 1) return load(p + first);
  T lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[at(i)];
  return load(lanes);
}
// piece: scatter
template <class T, class V>
inline void scatter(T* p, V v, i64v index, long n) {
  T lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[index[i]] = lanes[i];
}
// Rounds toward minus infinity; the divisor is positive.
// piece: div_down
inline long div_down(long a, long b) { return (a >= 0 ? a : a - b + 1) / b; }
// piece: mod_down
inline long mod_down(long a, long b) {
  long r = a % b;
  return r < 0 ? r + b : r;
}
// Into [0, n): staying at the ends, and going back and forth between them.
// piece: clamp_index
inline long clamp_index(long a, long n) { return a < 0 ? 0 : a < n ? a : n - 1; }
// piece: mirror_index needs: mod_down
inline long mirror_index(long a, long n) {
  long r = a < 0 ? -a : a;
  if (r >= n) r = mod_down(r, 2 * n - 2);
  return r < n ? r : 2 * n - 2 - r;
}
// piece: at_most
inline long at_most(long a, long b) { return a < b ? a : b; }
// Makes streamed stores visible before whatever follows.
// piece: stream_fence
inline void stream_fence() {
#ifdef __x86_64__
  __builtin_ia32_sfence();
#endif
}
// end of pieces

}  // namespace
