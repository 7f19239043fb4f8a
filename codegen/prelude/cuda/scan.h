// Running values along a row that the threads of a team share.
//
// Parts are combined in the order of the elements, but not one after the other: what a sum loses to rounding is not
// what the CPU's loses.

#pragma once

#include <sinter/codegen/prelude/cuda/lane.h>

namespace {

// Of the thread that is `by` before this one in its team.
// piece: shuffle_up
template <class T>
inline Lane<T> shuffle_up(Lane<T> v, int by, int width) {
  return Lane<T>((T)__shfl_up_sync(0xffffffffu, v.x, by, width));
}
// piece: shuffle_from
template <class T>
inline Lane<T> shuffle_from(Lane<T> v, int thread, int width) {
  return Lane<T>((T)__shfl_sync(0xffffffffu, v.x, thread, width));
}
// The elements of step s and thread t are neighbours, those of thread t + 1 follow, those of step s + 1 follow the last
// thread's. They become running values, `carry` before the first of them and the last of them after; `room` has a place
// for each warp of each step.
// piece: scan_tile needs: shuffle_up shuffle_from
template <int Team, int Steps, int Count, class V, class Combine>
inline void scan_tile(V (&v)[Steps][Count], V& carry, Combine combine, V* room) {
  constexpr int width = Team < 32 ? Team : 32, warps = Team / width;
  const int lane = (int)threadIdx.x % width, warp = (int)threadIdx.x / width % warps;
  V before[Steps];
#pragma unroll
  for (int s = 0; s < Steps; ++s) {
#pragma unroll
    for (int k = 1; k < Count; ++k) v[s][k] = combine(v[s][k - 1], v[s][k]);
    V all = v[s][Count - 1];
#pragma unroll
    for (int by = 1; by < width; by *= 2) {
      V other = shuffle_up(all, by, width);
      if (lane >= by) all = combine(other, all);
    }
    before[s] = shuffle_up(all, 1, width);
    if constexpr (warps > 1) {
      if (lane == width - 1) room[s * warps + warp] = all;
    } else {
      V start = carry;
      carry = combine(carry, shuffle_from(all, width - 1, width));
      before[s] = lane > 0 ? combine(start, before[s]) : start;
    }
  }
  if constexpr (warps > 1) {
    __syncthreads();
#pragma unroll
    for (int s = 0; s < Steps; ++s) {
      V start = carry;
#pragma unroll
      for (int w = 0; w < warps; ++w) {
        if (w == warp) start = carry;
        carry = combine(carry, room[s * warps + w]);
      }
      before[s] = lane > 0 ? combine(start, before[s]) : start;
    }
    __syncthreads();
  }
#pragma unroll
  for (int s = 0; s < Steps; ++s) {
#pragma unroll
    for (int k = 0; k < Count; ++k) v[s][k] = combine(before[s], v[s][k]);
  }
}
// end of pieces

}  // namespace
