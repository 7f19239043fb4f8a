// Running values from the first element to the last: of one row lane by lane, of N rows a square at a time.

#pragma once

#include <sinter/codegen/prelude/transpose.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// Lane 0 of `running` is the value before the first of n lanes, and afterwards that behind them; gives those between.
// piece: scan_lanes
template <class V, class Combine>
inline V scan_lanes(V& running, V x, long n, Combine combine) {
  V result = x;
#pragma GCC unroll 64
  for (long lane = 0; lane < n; ++lane) {
    V next = x;
    next[0] = x[lane];
    running = combine(running, next);
    result[lane] = running[0];
  }
  return result;
}
// Each column of N rows goes through `take`, in order; I is a vector of signed integers of the elements' size.
// piece: scan_square
template <class I, class V, class Take>
inline void scan_square(V* rows, long columns, Take take) {
  transpose_rows<N / 2, I>(rows);
#pragma GCC unroll 64
  for (long column = 0; column < N; ++column) {
    if (column < columns) rows[column] = take(rows[column]);
  }
  transpose_rows<N / 2, I>(rows);
}
// end of pieces

}  // namespace
