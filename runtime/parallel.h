// Splits a range of indices over threads.

#pragma once

#include <cstdint>

namespace sinter {

// How many threads parallel loops use at most, the calling one included; at first the cores that this process may use.
// In a child of fork it is one, whatever is set: what was compiled before goes on working there.
void set_num_threads(int count);
int get_num_threads();

// Does [begin, end) of some work; called from several threads at once on parts that do not overlap.
using RangeFunction = void (*)(void* context, int64_t begin, int64_t end);

// The caller's own way to run a loop. It must call `run` on parts that make up [begin, end), each but the last a
// multiple of `grain` long, and return when all are done. `run` never throws.
using ParallelForHook = void (*)(void* user, int64_t begin, int64_t end, int64_t grain, RangeFunction run,
                                 void* context);

// Replaces the built-in threads by the caller's pool; a null hook brings them back. Not to be called while a loop runs.
void set_parallel_for(ParallelForHook hook, void* user);

}  // namespace sinter

namespace sinter::runtime {

// Calls `run` on parts of [begin, end) of at least `grain` indices, on several threads if that is worth it. A loop
// inside a loop runs in its thread alone. The first exception that `run` throws reaches the caller once all parts are
// over.
void parallel_for(int64_t begin, int64_t end, int64_t grain, RangeFunction run, void* context);

// The same for anything callable as body(begin, end).
template <class Body>
void parallel_for(int64_t begin, int64_t end, int64_t grain, const Body& body) {
  parallel_for(
      begin, end, grain,
      [](void* context, int64_t from, int64_t to) { (*static_cast<const Body*>(context))(from, to); },
      const_cast<Body*>(&body));
}

// True in a thread that is running part of a loop.
bool is_inside_parallel_for();

}  // namespace sinter::runtime
