// Library products with what is fused behind them, beside the library's own time for the product alone.

#include "bench/side_by_side.h"

#include <sinter/sinter.h>

namespace sinter::bench {
namespace {

void linear_gelu(benchmark::State& state) {
  auto fast = compile([](const Tensor& x, const Tensor& w, const Tensor& b) { return gelu(linear(x, w, b)); });
  Tensor x = randn({1024, 1024}), w = randn({4096, 1024}), b = randn({4096});
  run_side_by_side(state, {.ours = [&] { fast(x, w, b); }, .limit = [&] { mm(x, w.t()); }});
}
SINTER_ROW(linear_gelu);

void matmul_2k(benchmark::State& state) {
  auto fast = compile([](const Tensor& a, const Tensor& b) { return matmul(a, b); });
  Tensor a = randn({2048, 2048}), b = randn({2048, 2048});
  run_side_by_side(state, {.ours = [&] { fast(a, b); }, .limit = [&] { mm(a, b); }});
}
SINTER_ROW(matmul_2k)->Iterations(5);

}  // namespace
}  // namespace sinter::bench
