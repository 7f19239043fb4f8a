// Symbolic kernels beside the same with fixed sizes: `limit` is the static entry of the same function.

#include "bench/side_by_side.h"

#include <sinter/sinter.h>

namespace sinter::bench {
namespace {

// One argument, all of whose dims are symbolic in `ours`.
template <class F>
void symbolic_row(benchmark::State& state, F function, SymDims sizes, int64_t repeats = 1) {
  auto fixed = compile(function, {.dynamic = Dynamic::never});
  auto symbolic = compile(function, {.dynamic = Dynamic::always});
  Tensor x = randn(sizes);
  run_side_by_side(state, {.ours = [&] { symbolic(x); }, .limit = [&] { fixed(x); }, .repeats = repeats});
}

Tensor relu_chain(const Tensor& x) { return relu(x * 0.5 + x) * 2.0; }

void symbolic_call_1k(benchmark::State& state) { symbolic_row(state, relu_chain, {1000}, 1000); }
void symbolic_chain_64k(benchmark::State& state) { symbolic_row(state, relu_chain, {65536}, 20); }
void symbolic_chain_16m(benchmark::State& state) { symbolic_row(state, relu_chain, {int64_t{1} << 24}); }
void symbolic_gelu_64k(benchmark::State& state) {
  symbolic_row(state, [](const Tensor& x) { return gelu(x); }, {64, 1024}, 10);
}
void symbolic_softmax_4k(benchmark::State& state) {
  symbolic_row(state, [](const Tensor& x) { return softmax(x, 1); }, {4096, 1024});
}
void symbolic_row_sum(benchmark::State& state) {
  symbolic_row(state, [](const Tensor& x) { return sum(x, {1}); }, {4096, 4096});
}
void symbolic_column_sum(benchmark::State& state) {
  symbolic_row(state, [](const Tensor& x) { return sum(x, {0}); }, {4096, 4096});
}
SINTER_ROW(symbolic_call_1k);
SINTER_ROW(symbolic_chain_64k);
SINTER_ROW(symbolic_chain_16m);
SINTER_ROW(symbolic_gelu_64k);
SINTER_ROW(symbolic_softmax_4k);
SINTER_ROW(symbolic_row_sum);
SINTER_ROW(symbolic_column_sum);

}  // namespace
}  // namespace sinter::bench
