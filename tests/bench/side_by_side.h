// A benchmark row that times ours and its limit in turn, so that both see the same machine: medians and their ratio.

#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sinter::bench {

inline double seconds_of(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct SideBySide {
  std::function<void()> ours;
  std::function<void()>
      limit;            // a hand-written loop, the library's own time, or the traffic that is the least possible
  int64_t repeats = 1;  // of short work, timed together
  double bytes = 0;     // that must move, for the bandwidth column
  double elements = 0;
};

// Counters: ours_us and limit_us (medians of one run), reached = limit / ours, gb_s if bytes are given.
inline void run_side_by_side(benchmark::State& state, const SideBySide& row) {
  std::vector<double> ours, limit;
  row.ours();
  row.limit();
  for (auto _ : state) {
    auto repeated = [&](const std::function<void()>& work) {
      return seconds_of([&] {
               for (int64_t i = 0; i < row.repeats; ++i) work();
             }) /
             static_cast<double>(row.repeats);
    };
    limit.push_back(repeated(row.limit));
    ours.push_back(repeated(row.ours));
    state.SetIterationTime(ours.back() * static_cast<double>(row.repeats));
  }
  double our_time = median(ours), limit_time = median(limit);
  state.counters["ours_us"] = our_time * 1e6;
  state.counters["limit_us"] = limit_time * 1e6;
  state.counters["reached"] = limit_time / our_time;
  if (row.bytes > 0) state.counters["gb_s"] = row.bytes / our_time * 1e-9;
  if (row.elements > 0) state.counters["ns_per_element"] = our_time * 1e9 / row.elements;
}

}  // namespace sinter::bench

#define SINTER_ROW(name) BENCHMARK(name)->UseManualTime()->Unit(benchmark::kMicrosecond)
