// Inputs and functions of each row.

#include "bench/cuda/rows.h"

#include <memory>

#include "bench/gpt2_block.h"

namespace sinter::bench {

namespace {

const Device gpu = cuda::device(0);
constexpr int64_t big = int64_t{1} << 27;

// Numbers are drawn on the host once and spread from there: drawing them takes longer than all rows.
Tensor normal(SymDims sizes, double scale = 1.0) {
  static const Tensor drawn = randn({int64_t{1} << 22}).to(gpu);
  int64_t count = numel(sizes).constant(), part = drawn.numel().constant();
  int64_t times = (count + part - 1) / part;
  Tensor many = (drawn.expand({times, part}) * scale).reshape({times * part});
  return clone(many.slice(0, 0, count)).view(sizes);
}
Tensor positive(SymDims sizes) { return abs(normal(std::move(sizes))) + 0.5; }

template <class F, class... Args>
CudaRow row(std::string name, double bytes, double goal_us, F function, Args... args) {
  auto fast = compile(function, {.name = name});
  return {name, bytes, goal_us, 0, [=] { fast(args...); }};
}

Tensor relu_add_mul(const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; }

Tensor price(const Tensor& s, const Tensor& k, const Tensor& t, const Tensor& r, const Tensor& v) {
  Tensor d1 = (log(s / k) + (r + 0.5 * v * v) * t) / (v * sqrt(t));
  Tensor d2 = d1 - v * sqrt(t);
  auto cdf = [](const Tensor& z) { return 0.5 * (1.0 + erf(z * 0.7071067811865476)); };
  return s * cdf(d1) - k * exp(-r * t) * cdf(d2);
}

std::tuple<Tensor, Tensor, Tensor> adam_step(const Tensor& p, const Tensor& g, const Tensor& m, const Tensor& v) {
  Tensor m2 = 0.9 * m + 0.1 * g, v2 = 0.999 * v + 0.001 * g * g;
  return {p - 1e-3 * (m2 / 0.1) / (sqrt(v2 / 0.001) + 1e-8), m2, v2};
}

Tensor five_points(const Tensor& x) {
  auto window = [&](int64_t row, int64_t column) {
    return x.slice(0, row, row + 4094).slice(1, column, column + 4094);
  };
  Tensor middle = window(1, 1);
  return middle + 0.1 * (window(0, 1) + window(2, 1) + window(1, 0) + window(1, 2) - 4 * middle);
}

Tensor one_of(const char* op, Values args) { return ops(op).call(std::move(args))[0].tensor(); }

std::vector<NamedRow> pointwise_rows() {
  return {
      {"relu_add_mul_big",
       [] { return row("relu_add_mul_big", 12.0 * big, 0, relu_add_mul, normal({big}), normal({big}, 0.5)); }},
      {"gelu_big",
       [] { return row("gelu_big", 8.0 * big, 0, [](const Tensor& x) { return gelu(x) * 2.0; }, normal({big})); }},
      {"bf16_chain",
       [] {
         return row(
             "bf16_chain", 6.0 * big, 0, [](const Tensor& x, const Tensor& y) { return sigmoid(x) * x + y; },
             normal({big}).to(bf16), normal({big}, 0.5).to(bf16));
       }},
      {"adam",
       [] {
         int64_t n = big / 2;
         return row("adam", 28.0 * static_cast<double>(n), 0, adam_step, normal({n}), normal({n}, 0.5),
                    normal({n}, 0.1), positive({n}));
       }},
      {"black_scholes",
       [] {
         return row("black_scholes", 24.0 * big, 0, price, positive({big}), positive({big}), positive({big}),
                    positive({big}), positive({big}));
       }},
      {"transpose_add",
       [] {
         return row(
             "transpose_add", 12.0 * 4096 * 4096, 60, [](const Tensor& x, const Tensor& y) { return x.t() + y; },
             normal({4096, 4096}), normal({4096, 4096}, 0.5));
       }},
      {"cat_mul",
       [] {
         return row(
             "cat_mul", 8.0 * 4096 * 4096, 0, [](const Tensor& x, const Tensor& y) { return cat({x, y}, 1) * 2.0; },
             normal({4096, 2000}), normal({4096, 2096}));
       }},
      {"stencil2d", [] { return row("stencil2d", 8.0 * 4096 * 4096, 38, five_points, normal({4096, 4096})); }},
  };
}

std::vector<NamedRow> reduction_rows() {
  constexpr int64_t rows = 16384;
  return {
      {"softmax",
       [] {
         return row(
             "softmax", 8.0 * rows * 4096, 130, [](const Tensor& x) { return softmax(x, -1); }, normal({rows, 4096}));
       }},
      {"softmax_odd",
       [] {
         return row(
             "softmax_odd", 8.0 * rows * 1000, 40, [](const Tensor& x) { return softmax(x * 0.5 + 1.0, -1); },
             normal({rows, 1000}));
       }},
      {"layernorm_res",
       [] {
         return row(
             "layernorm_res", 12.0 * rows * 1024, 55,
             [](const Tensor& x, const Tensor& res, const Tensor& g, const Tensor& b) {
               return layer_norm(x + res, {1024}, g, b);
             },
             normal({rows, 1024}), normal({rows, 1024}, 0.5), normal({1024}), normal({1024}));
       }},
      {"rmsnorm",
       [] {
         return row(
             "rmsnorm", 8.0 * rows * 4096, 128,
             [](const Tensor& x, const Tensor& g) { return x * rsqrt((x * x).mean({-1}, true) + 1e-6) * g; },
             normal({rows, 4096}), normal({4096}));
       }},
      {"var_dim0",
       [] {
         return row(
             "var_dim0", 4.0 * rows * 4096, 68,
             [](const Tensor& x) {
               Values both = ops("aten::var_mean.dim").call({x, Dims{0}});
               return std::pair(both[0].tensor(), both[1].tensor());
             },
             normal({rows, 4096}));
       }},
      {"sum_all",
       [] { return row("sum_all", 4.0 * big, 130, [](const Tensor& x) { return (x * x).sum(); }, normal({big})); }},
      {"cross_entropy",
       [] {
         Tensor targets = randint(4096, {rows}).to(gpu);
         return row(
             "cross_entropy", 4.0 * rows * 4096, 72,
             [](const Tensor& x, const Tensor& t) { return one_of("aten::cross_entropy_loss", {x, t}); },
             normal({rows, 4096}), targets);
       }},
      {"argmax",
       [] {
         return row(
             "argmax", 4.0 * rows * 4096, 70, [](const Tensor& x) { return one_of("aten::argmax", {x + 1.0, -1}); },
             normal({rows, 4096}));
       }},
      {"cumsum",
       [] {
         return row(
             "cumsum", 8.0 * rows * 4096, 140, [](const Tensor& x) { return one_of("aten::cumsum", {x, -1}) * 2.0; },
             normal({rows, 4096}));
       }},
  };
}

std::vector<NamedRow> product_rows() {
  return {
      {"matmul_2k",
       [] {
         CudaRow made = row(
             "matmul_2k", 0, 0, [](const Tensor& a, const Tensor& b) { return mm(a, b); }, normal({2048, 2048}),
             normal({2048, 2048}));
         made.flops = 2.0 * 2048 * 2048 * 2048;
         return made;
       }},
      {"linear_gelu",
       [] {
         CudaRow made = row(
             "linear_gelu", 0, 0,
             [](const Tensor& x, const Tensor& w, const Tensor& b) { return gelu(linear(x, w, b)); },
             normal({1024, 1024}), normal({4096, 1024}), normal({4096}));
         made.flops = 2.0 * 1024 * 1024 * 4096;
         return made;
       }},
      {"sdpa_512",
       [] {
         return row(
             "sdpa_512", 0, 0,
             [](const Tensor& q, const Tensor& k, const Tensor& v) {
               return scaled_dot_product_attention(q, k, v, {}, 0.0, /*is_causal=*/true);
             },
             normal({1, 12, 512, 64}), normal({1, 12, 512, 64}), normal({1, 12, 512, 64}));
       }},
      {"gpt2_block", [] { return row("gpt2_block", 0, 0, Gpt2Block(normal), normal({1, 512, 768})); }},
      {"relu_add_mul_1k", [] { return row("relu_add_mul_1k", 0, 6, relu_add_mul, normal({1000}), normal({1000})); }},
  };
}

}  // namespace

std::vector<NamedRow> cuda_rows() {
  std::vector<NamedRow> rows = pointwise_rows();
  for (auto* more : {&reduction_rows, &product_rows})
    for (NamedRow& row : (*more)()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace sinter::bench
