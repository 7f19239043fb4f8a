// Pointwise rows: chains beside streaming loops, functions beside libm. Names and shapes as in the peers' scripts.

#include "bench/limits.h"
#include "bench/side_by_side.h"

#include <sinter/sinter.h>

namespace sinter::bench {
namespace {

constexpr int64_t big = int64_t{1} << 24;

Tensor relu_add_mul(const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; }

void relu_add_mul_big(benchmark::State& state) {
  auto fast = compile(relu_add_mul);
  Tensor x = randn({big}), y = randn({big}), out = empty({big});
  run_side_by_side(
      state,
      {.ours = [&] { fast(x, y); },
       .limit = [&] { stream_relu_add_mul(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), big); },
       .bytes = 12.0 * big});
}
SINTER_ROW(relu_add_mul_big);

void gelu_row(benchmark::State& state, int64_t count) {
  auto fast = compile([](const Tensor& x) { return gelu(x) * 2.0; });
  Tensor x = randn({count}), out = empty({count});
  run_side_by_side(state, {.ours = [&] { fast(x); },
                           .limit = [&] { libm_gelu(x.data_ptr<float>(), out.data_ptr<float>(), count); },
                           .bytes = 8.0 * static_cast<double>(count),
                           .elements = static_cast<double>(count)});
}
void gelu_64k(benchmark::State& state) { gelu_row(state, 65536); }
void gelu_big(benchmark::State& state) { gelu_row(state, big); }
SINTER_ROW(gelu_64k);
SINTER_ROW(gelu_big)->Iterations(5);

void gelu_tanh_row(benchmark::State& state, int64_t count) {
  auto fast = compile([](const Tensor& x) { return gelu(x, "tanh"); });
  Tensor x = randn({count}), out = empty({count});
  run_side_by_side(state, {.ours = [&] { fast(x); },
                           .limit = [&] { libm_gelu_tanh(x.data_ptr<float>(), out.data_ptr<float>(), count); },
                           .bytes = 8.0 * static_cast<double>(count),
                           .elements = static_cast<double>(count)});
}
void gelu_tanh_64k(benchmark::State& state) { gelu_tanh_row(state, 65536); }
void gelu_tanh_big(benchmark::State& state) { gelu_tanh_row(state, big); }
SINTER_ROW(gelu_tanh_64k);
SINTER_ROW(gelu_tanh_big)->Iterations(5);

Tensor price(const Tensor& s, const Tensor& k, const Tensor& t, const Tensor& r, const Tensor& v) {
  Tensor d1 = (log(s / k) + (r + 0.5 * v * v) * t) / (v * sqrt(t));
  Tensor d2 = d1 - v * sqrt(t);
  auto cdf = [](const Tensor& z) { return 0.5 * (1.0 + erf(z * 0.7071067811865476)); };
  return s * cdf(d1) - k * exp(-r * t) * cdf(d2);
}

void black_scholes_row(benchmark::State& state, int64_t count) {
  auto fast = compile(price);
  std::vector<Tensor> in;
  for (int i = 0; i < 5; ++i) in.push_back(abs(randn({count})) + 0.5);
  Tensor out = empty({count});
  const float* pointers[5];
  for (int i = 0; i < 5; ++i) pointers[i] = in[i].data_ptr<float>();
  run_side_by_side(state, {.ours = [&] { fast(in[0], in[1], in[2], in[3], in[4]); },
                           .limit = [&] { libm_black_scholes(pointers, out.data_ptr<float>(), count); },
                           .bytes = 24.0 * static_cast<double>(count),
                           .elements = static_cast<double>(count)});
}
void black_scholes_64k(benchmark::State& state) { black_scholes_row(state, 65536); }
void black_scholes(benchmark::State& state) { black_scholes_row(state, big); }
SINTER_ROW(black_scholes_64k);
SINTER_ROW(black_scholes)->Iterations(3);

void sin_exp_chain10(benchmark::State& state) {
  auto fast = compile([](Tensor x, const Tensor& y) {
    for (int i = 0; i < 10; ++i) x = sin(x) * y + exp(-x * x) * 0.1;
    return x;
  });
  Tensor x = randn({big / 4}), y = randn({big / 4}), out = empty({big / 4});
  run_side_by_side(
      state, {.ours = [&] { fast(x, y); },
              .limit = [&] { stream_add(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), big / 4); },
              .bytes = 12.0 * big / 4,
              .elements = big / 4});
}
SINTER_ROW(sin_exp_chain10);

void adam(benchmark::State& state) {
  auto fast = compile([](const Tensor& p, const Tensor& g, const Tensor& m, const Tensor& v) {
    Tensor m2 = 0.9 * m + 0.1 * g, v2 = 0.999 * v + 0.001 * g * g;
    return std::tuple(p - 1e-3 * (m2 / 0.1) / (sqrt(v2 / 0.001) + 1e-8), m2, v2);
  });
  int64_t count = big / 2;
  Tensor in[4] = {randn({count}), randn({count}), randn({count}), abs(randn({count}))};
  Tensor out[3] = {empty({count}), empty({count}), empty({count})};
  const float* from[4];
  float* to[3];
  for (int i = 0; i < 4; ++i) from[i] = in[i].data_ptr<float>();
  for (int i = 0; i < 3; ++i) to[i] = out[i].data_ptr<float>();
  run_side_by_side(state, {.ours = [&] { fast(in[0], in[1], in[2], in[3]); },
                           .limit = [&] { stream_adam_traffic(from, to, count); },
                           .bytes = 28.0 * static_cast<double>(count)});
}
SINTER_ROW(adam);

void bf16_chain(benchmark::State& state) {
  auto fast = compile([](const Tensor& x, const Tensor& y) { return sigmoid(x) * x + y; });
  Tensor x = randn({big}).to(bf16), y = randn({big}).to(bf16), out = empty({big / 2});
  run_side_by_side(state, {.ours = [&] { fast(x, y); },
                           .limit =
                               [&] {
                                 stream_add(static_cast<float*>(x.data_ptr()), static_cast<float*>(y.data_ptr()),
                                            out.data_ptr<float>(), big / 2);
                               },
                           .bytes = 6.0 * big});
}
SINTER_ROW(bf16_chain);

void transpose_add(benchmark::State& state) {
  auto fast = compile([](const Tensor& x, const Tensor& y) { return x.t() + y; });
  Tensor x = randn({4096, 4096}), y = randn({4096, 4096}), out = empty({4096, 4096});
  run_side_by_side(state,
                   {.ours = [&] { fast(x, y); },
                    .limit = [&] { stream_add(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), big); },
                    .bytes = 12.0 * big});
}
SINTER_ROW(transpose_add);

void cat_mul(benchmark::State& state) {
  auto fast = compile([](const Tensor& x, const Tensor& y) { return cat({x, y}, 1) * 2.0; });
  Tensor x = randn({4096, 2000}), y = randn({4096, 2096}), from = randn({4096, 4096}), out = empty({4096, 4096});
  run_side_by_side(state, {.ours = [&] { fast(x, y); },
                           .limit = [&] { stream_copy(from.data_ptr<float>(), out.data_ptr<float>(), big); },
                           .bytes = 8.0 * big});
}
SINTER_ROW(cat_mul);

void eager_add(benchmark::State& state, int64_t count, int64_t repeats) {
  Tensor x = randn({count}), y = randn({count}), out = empty({count});
  run_side_by_side(state,
                   {.ours = [&] { add(x, y); },
                    .limit = [&] { plain_add(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), count); },
                    .repeats = repeats,
                    .bytes = 12.0 * static_cast<double>(count)});
}
void eager_add_16(benchmark::State& state) { eager_add(state, 16, 1000); }
void eager_add_1m(benchmark::State& state) { eager_add(state, 1 << 20, 1); }
SINTER_ROW(eager_add_16);
SINTER_ROW(eager_add_1m);

void cached_call(benchmark::State& state, int64_t count) {
  auto fast = compile(relu_add_mul);
  Tensor x = randn({count}), y = randn({count}), out = empty({count});
  run_side_by_side(
      state,
      {.ours = [&] { fast(x, y); },
       .limit = [&] { stream_relu_add_mul(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), count); },
       .repeats = 1000});
}
void cached_call_16(benchmark::State& state) { cached_call(state, 16); }
void relu_add_mul_1k(benchmark::State& state) { cached_call(state, 1000); }
SINTER_ROW(cached_call_16);
SINTER_ROW(relu_add_mul_1k);

// The five points around each inner point of a plane.
void stencil2d(benchmark::State& state) {
  auto fast = compile([](const Tensor& x) {
    auto window = [&](int64_t row, int64_t column) {
      return x.slice(0, row, row + 4094).slice(1, column, column + 4094);
    };
    Tensor middle = window(1, 1);
    return middle + 0.1 * (window(0, 1) + window(2, 1) + window(1, 0) + window(1, 2) - 4 * middle);
  });
  Tensor x = randn({4096, 4096}), out = empty({4096, 4096});
  int64_t count = x.numel().constant();
  run_side_by_side(state, {.ours = [&] { fast(x); },
                           .limit = [&] { stream_copy(x.data_ptr<float>(), out.data_ptr<float>(), count); },
                           .bytes = 8.0 * static_cast<double>(count)});
}
SINTER_ROW(stencil2d);

}  // namespace
}  // namespace sinter::bench
