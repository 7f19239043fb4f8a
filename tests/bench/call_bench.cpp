// What a call costs besides its kernels: each further argument, and a function that is compiled again.

#include <sinter/sinter.h>

#include <utility>

#include "bench/side_by_side.h"

namespace sinter::bench {
namespace {

template <size_t>
using Argument = const Tensor&;

template <size_t... i>
auto sum_of(std::index_sequence<i...>) {
  return compile([](Argument<i>... x) { return (x + ...); });
}

// A cached call of so many arguments, each one number.
template <size_t count>
double seconds_of_call() {
  auto fast = sum_of(std::make_index_sequence<count>());
  Tensor x = ones({1});
  auto call = [&]<size_t... i>(std::index_sequence<i...>) {
    benchmark::DoNotOptimize(fast((static_cast<void>(i), x)...));
  };
  call(std::make_index_sequence<count>());
  constexpr int repeats = 1000;
  return seconds_of([&] {
           for (int k = 0; k < repeats; ++k) call(std::make_index_sequence<count>());
         }) /
         repeats;
}

// Guards, address and addition of one more tensor: at most 15 ns.
void further_argument(benchmark::State& state) {
  constexpr size_t few = 2, many = 34;
  std::vector<double> times;
  for (auto _ : state) {
    times.push_back((seconds_of_call<many>() - seconds_of_call<few>()) / (many - few));
    state.SetIterationTime(std::max(times.back(), 1e-12));
  }
  state.counters["ours_us"] = median(times) * 1e6;
  state.counters["limit_us"] = 15e-3;
  state.counters["reached"] = 15e-9 / median(times);
}
SINTER_ROW(further_argument)->Iterations(30);

// A lambda that is made and compiled again, and called once; beside it the cached call.
void compiled_again(benchmark::State& state) {
  auto make = [] { return compile([](const Tensor& a, const Tensor& b) { return relu(a + b) * 2.0; }); };
  auto kept = make();
  Tensor x = ones({16}), y = ones({16});
  run_side_by_side(state, {.ours = [&] { benchmark::DoNotOptimize(make()(x, y)); },
                           .limit = [&] { benchmark::DoNotOptimize(kept(x, y)); },
                           .repeats = 100});
}
SINTER_ROW(compiled_again)->Iterations(30);

}  // namespace
}  // namespace sinter::bench
