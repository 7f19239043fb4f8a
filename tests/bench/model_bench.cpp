// Parts of models: attention, a transformer block, a convolution with what follows it; beside the library's time for
// the products alone.

#include "bench/side_by_side.h"

#include <sinter/sinter.h>

namespace sinter::bench {
namespace {

void sdpa_512(benchmark::State& state) {
  auto attend = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    return scaled_dot_product_attention(q, k, v, {}, 0.0, /*is_causal=*/true);
  };
  auto fast = compile(attend);
  Tensor q = randn({1, 12, 512, 64}), k = randn({1, 12, 512, 64}), v = randn({1, 12, 512, 64});
  Tensor queries = q.view({12, 512, 64}), keys = k.view({12, 512, 64}).transpose(1, 2), values = v.view({12, 512, 64});
  run_side_by_side(state, {.ours = [&] { fast(q, k, v); }, .limit = [&] { matmul(matmul(queries, keys), values); }});
}
SINTER_ROW(sdpa_512);

struct Block {
  static constexpr int64_t channels = 768, heads = 12, length = 512;

  Tensor g1 = randn({channels}), b1 = randn({channels}), wq = randn({3 * channels, channels}) * 0.02;
  Tensor bq = randn({3 * channels}), wo = randn({channels, channels}) * 0.02, bo = randn({channels});
  Tensor g2 = randn({channels}), b2 = randn({channels}), w1 = randn({4 * channels, channels}) * 0.02;
  Tensor c1 = randn({4 * channels}), w2 = randn({channels, 4 * channels}) * 0.02, c2 = randn({channels});

  Tensor operator()(const Tensor& input) const {
    Tensor x = input, h = layer_norm(x, {channels}, g1, b1);
    auto per_head = [](const Tensor& t) { return t.view({1, length, heads, channels / heads}).transpose(1, 2); };
    Tensor parts = linear(h, wq, bq);
    auto part = [&](int64_t i) { return per_head(parts.slice(-1, i * channels, (i + 1) * channels)); };
    Tensor attended = scaled_dot_product_attention(part(0), part(1), part(2), {}, 0.0, /*is_causal=*/true);
    x = x + linear(attended.transpose(1, 2).reshape({1, length, channels}), wo, bo);
    h = layer_norm(x, {channels}, g2, b2);
    return x + linear(gelu(linear(h, w1, c1), "tanh"), w2, c2);
  }
};

void gpt2_block(benchmark::State& state) {
  Block block;
  auto fast = compile(block);
  Tensor x = randn({1, Block::length, Block::channels});
  Tensor rows = x.view({Block::length, Block::channels}), wide = randn({Block::length, 4 * Block::channels});
  auto products = [&] {
    mm(rows, block.wq.t());
    mm(rows, block.wo.t());
    mm(rows, block.w1.t());
    mm(wide, block.w2.t());
  };
  run_side_by_side(state, {.ours = [&] { fast(x); }, .limit = products});
}
SINTER_ROW(gpt2_block);

void conv_bn_relu(benchmark::State& state) {
  Tensor x = randn({8, 64, 56, 56}), w = randn({64, 64, 3, 3}) * 0.05;
  Tensor g = randn({64}), b = randn({64}), mean = randn({64}), var = abs(randn({64})) + 1;
  auto fast = compile(
      [](const Tensor& x, const Tensor& w, const Tensor& g, const Tensor& b, const Tensor& mean, const Tensor& var) {
        return relu(batch_norm(conv2d(x, w, {}, {1, 1}, {1, 1}), g, b, mean, var, false, 0.1, 1e-5));
      });
  run_side_by_side(state,
                   {.ours = [&] { fast(x, w, g, b, mean, var); }, .limit = [&] { conv2d(x, w, {}, {1, 1}, {1, 1}); }});
}
SINTER_ROW(conv_bn_relu);

}  // namespace
}  // namespace sinter::bench
