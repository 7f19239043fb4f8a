// Reductions and norms beside the traffic that they cannot avoid.

#include "bench/limits.h"
#include "bench/side_by_side.h"

#include <sinter/sinter.h>

namespace sinter::bench {
namespace {

// One read and one write of each element.
void one_pass(benchmark::State& state, const std::function<void()>& ours, const Tensor& x) {
  int64_t count = x.numel().constant();
  Tensor out = empty(x.sizes());
  run_side_by_side(state, {.ours = ours,
                           .limit = [&] { stream_copy(x.data_ptr<float>(), out.data_ptr<float>(), count); },
                           .bytes = 8.0 * static_cast<double>(count)});
}

void one_read(benchmark::State& state, const std::function<void()>& ours, const Tensor& x) {
  int64_t count = x.numel().constant();
  float total = 0;
  run_side_by_side(state, {.ours = ours,
                           .limit = [&] { benchmark::DoNotOptimize(total += read_all(x.data_ptr<float>(), count)); },
                           .bytes = 4.0 * static_cast<double>(count)});
}

void softmax_row(benchmark::State& state, int64_t columns) {
  auto fast = compile([](const Tensor& x) { return softmax(x, -1); });
  Tensor x = randn({4096, columns});
  one_pass(state, [&] { fast(x); }, x);
}
void softmax(benchmark::State& state) { softmax_row(state, 4096); }
void softmax_1k(benchmark::State& state) { softmax_row(state, 1024); }
SINTER_ROW(softmax);
SINTER_ROW(softmax_1k);

void softmax_odd(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) { return sinter::softmax(x * 0.5 + 1.0, -1); });
  Tensor x = randn({4096, 1000});
  one_pass(state, [&] { fast(x); }, x);
}
SINTER_ROW(softmax_odd);

void layernorm_row(benchmark::State& state, int64_t columns) {
  auto fast = compile([columns](const Tensor& x, const Tensor& residual, const Tensor& g, const Tensor& b) {
    return layer_norm(x + residual, {columns}, g, b);
  });
  Tensor x = randn({4096, columns}), residual = randn({4096, columns}), g = randn({columns}), b = randn({columns});
  Tensor out = empty({4096, columns});
  int64_t count = 4096 * columns;
  run_side_by_side(
      state,
      {.ours = [&] { fast(x, residual, g, b); },
       .limit = [&] { stream_add(x.data_ptr<float>(), residual.data_ptr<float>(), out.data_ptr<float>(), count); },
       .bytes = 12.0 * static_cast<double>(count)});
}
void layernorm_res(benchmark::State& state) { layernorm_row(state, 1024); }
void layernorm_res_4k(benchmark::State& state) { layernorm_row(state, 4096); }
SINTER_ROW(layernorm_res);
SINTER_ROW(layernorm_res_4k);

void rmsnorm(benchmark::State& state) {
  auto fast = compile([](const Tensor& x, const Tensor& g) { return x * rsqrt(mean(x * x, {-1}, true) + 1e-6) * g; });
  Tensor x = randn({4096, 4096}), g = randn({4096});
  one_pass(state, [&] { fast(x, g); }, x);
}
SINTER_ROW(rmsnorm);

void column_sums(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) { return sum(x, {0}); });
  Tensor x = randn({4096, 4096});
  one_read(state, [&] { fast(x); }, x);
}
void column_sums_1k(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) { return sum(x, {0}); });
  Tensor x = randn({4096, 1024});
  one_read(state, [&] { fast(x); }, x);
}
SINTER_ROW(column_sums);
SINTER_ROW(column_sums_1k);

void sum_all(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) { return sum(x * x); });
  Tensor x = randn({int64_t{1} << 24});
  one_read(state, [&] { fast(x); }, x);
}
SINTER_ROW(sum_all);

void var_dim0(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) { return var_mean(x, Dims{0}); });
  Tensor x = randn({4096, 4096});
  one_read(state, [&] { fast(x); }, x);
}
SINTER_ROW(var_dim0);

void cross_entropy(benchmark::State& state) {
  auto fast = compile([](const Tensor& x, const Tensor& target) { return cross_entropy_loss(x, target); });
  Tensor x = randn({4096, 4096}), target = randint(0, 4096, {4096}, i64);
  one_read(state, [&] { fast(x, target); }, x);
}
SINTER_ROW(cross_entropy);

void argmax_row(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) { return argmax(x + 1, -1); });
  Tensor x = randn({4096, 4096});
  one_read(state, [&] { fast(x); }, x);
}
BENCHMARK(argmax_row)->Name("argmax")->UseManualTime()->Unit(benchmark::kMicrosecond);

void cumsum_row(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) { return cumsum(x, -1) * 2; });
  Tensor x = randn({4096, 4096});
  one_pass(state, [&] { fast(x); }, x);
}
BENCHMARK(cumsum_row)->Name("cumsum")->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sinter::bench
