// The end of a reduction: block results become one as a binary counter adds, equal sized neighbours first.
//
// So the order depends on the number of blocks alone, and a run of 2^m blocks is a subtree of its own.

#pragma once

#include <sinter/codegen/prelude/memory.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// levels[i * stride] holds the result of 2^i blocks where bit i of `block`, the number of blocks so far, is set.
// piece: add_block
template <class V, class Combine>
inline void add_block(V* levels, long block, V x, Combine combine, long stride = 1) {
  for (; block & 1; block >>= 1, levels += stride) x = combine(*levels, x);
  *levels = x;
}
// What is left, from the smallest to the largest.
// piece: total_of_blocks
template <class V, class Combine>
inline V total_of_blocks(const V* levels, long blocks, Combine combine, long stride = 1) {
  for (; !(blocks & 1); blocks >>= 1) levels += stride;
  V total = *levels;
  while (blocks >>= 1) {
    levels += stride;
    if (blocks & 1) total = combine(*levels, total);
  }
  return total;
}
// How many levels so many blocks fill, from 1 on.
// piece: level_count
inline long level_count(long blocks) { return 64 - __builtin_clzl((unsigned long)blocks); }
// The lanes of a block that lie in vectors of their own: lane j takes j + W/2, then j + W/4, ...
// piece: halve_rows
template <class V, class Combine>
inline V halve_rows(V* rows, long count, Combine combine) {
  for (long half = count / 2; half > 0; half /= 2) {
    for (long i = 0; i < half; ++i) rows[i] = combine(rows[i], rows[i + half]);
  }
  return rows[0];
}
// A sequence that comes in any number of values at a time, taken in W lanes and blocks of W * steps.
// piece: LaneSequence
template <int W, int steps, int level_count, class V, class T>
struct LaneSequence {
  V identity, rows[W / N], levels[level_count];
  T waiting[2 * N];  // values that fill no vector yet
  long count, row, step, blocks;

  void start(V first) {
    identity = first;
    count = row = step = blocks = 0;
    for (V& lanes : rows) lanes = identity;
  }
  template <class Combine, class Halve>
  void take(V x, long n, Combine combine, Halve halve) {
    if (count == 0 && n == N) return take_vector(x, combine, halve);
    store(waiting + count, x);
    count += n;
    if (count < N) return;
    take_vector(load(waiting), combine, halve);
    store(waiting, load(waiting + N));
    count -= N;
  }
  template <class Combine, class Halve>
  void take_vector(V x, Combine combine, Halve halve) {
    rows[row] = combine(rows[row], x);
    if (++row < W / N) return;
    row = 0;
    if (++step == steps) end_block(combine, halve);
  }
  // Whole steps, between two of which nothing waits: the partial results may be elsewhere for a while.
  long steps_left() const { return steps - step; }
  void get(V* to) const {
    for (int i = 0; i < W / N; ++i) to[i] = rows[i];
  }
  template <class Combine, class Halve>
  void put(const V* from, long taken, Combine combine, Halve halve) {
    for (int i = 0; i < W / N; ++i) rows[i] = from[i];
    step += taken;
    if (step == steps) end_block(combine, halve);
  }
  template <class Combine, class Halve>
  void end_block(Combine combine, Halve halve) {
    add_block(levels, blocks++, halve(rows), combine);
    for (V& lanes : rows) lanes = identity;
    row = step = 0;
  }
  template <class Combine, class Halve>
  V total(Combine combine, Halve halve) {
    if (count != 0) {
      store(waiting + count, identity);
      take_vector(load(waiting), combine, halve);
    }
    if (row != 0 || step != 0) end_block(combine, halve);
    return total_of_blocks(levels, blocks, combine);
  }
};
// end of pieces

}  // namespace
