// Threads that reduce together: a team is some lanes of a warp, a block, or one column of a block.
//
// The order of combination is a function of the team's size alone, so results are the same from run to run. Every
// thread of the team gets the result.

#pragma once

#include <sinter/codegen/prelude/cuda/lane.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: shuffle_xor
template <class T>
inline Lane<T> shuffle_xor(Lane<T> v, int by) {
  return Lane<T>((T)__shfl_xor_sync(0xffffffffu, v.x, by));
}
inline b32v shuffle_xor(b32v v, int by) { return b32v{shuffle_xor(v.bits, by)}; }
// Of neighbouring threads: `Team`, a power of two, of one warp, or all of the block, for which `room` has a place a
// warp.
// piece: combine_team
template <int Team, class V, class Combine>
inline V combine_team(V v, Combine combine, V* room) {
#pragma unroll
  for (int by = (Team < 32 ? Team : 32) / 2; by > 0; by /= 2) v = combine(v, shuffle_xor(v, by));
  if constexpr (Team > 32) {
    __syncthreads();  // others may still read what was there before
    if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
    __syncthreads();
    v = room[0];
#pragma unroll
    for (int warp = 1; warp < Team / 32; ++warp) v = combine(v, room[warp]);
  }
  return v;
}
// Of the threads of one column, `Columns` apart; `room` has a place a thread.
// piece: combine_column
template <int Columns, int Team, class V, class Combine>
inline V combine_column(V v, Combine combine, V* room) {
  __syncthreads();  // others may still read what was there before
  room[threadIdx.x] = v;
  for (int half = Team / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half * Columns)
      room[threadIdx.x] = combine(room[threadIdx.x], room[threadIdx.x + half * Columns]);
  }
  __syncthreads();
  return room[threadIdx.x % Columns];
}
// Mean and squared deviations from it. While elements are taken, both are about the first of them, so that little is
// lost where the mean is large beside the deviations.
// piece: Deviations
template <class V>
struct Deviations {
  V count, mean, squares, sum;
};
template <class V>
inline Deviations<V> taken(Deviations<V> all, V x) {
  V first = all.count == V(0) ? x : all.mean, difference = x - first;
  return {all.count + V(1), first, all.squares + difference * difference, all.sum + difference};
}
template <class V>
inline Deviations<V> settled(Deviations<V> all) {
  V share = all.count == V(0) ? V(0) : all.sum / all.count;
  return {all.count, all.mean + share, all.squares - all.sum * share, V(0)};
}
// Of two parts together (Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm", 1979).
template <class V>
inline Deviations<V> merged(Deviations<V> a, Deviations<V> b) {
  if (a.count == V(0)) return b;
  if (b.count == V(0)) return a;
  V count = a.count + b.count, difference = b.mean - a.mean, share = b.count / count;
  V squares = a.squares + b.squares + difference * difference * a.count * share;
  return {count, a.mean + difference * share, squares, V(0)};
}
// The squared deviations from any other center.
template <class V>
inline V squares_about(Deviations<V> all, V center) {
  V off = all.mean - center;
  return all.squares + all.count * off * off;
}
// end of pieces

}  // namespace
