// A GPT-2 block, its parameters captured: a row of both benchmarks.

#pragma once

#include <sinter/sinter.h>

namespace sinter::bench {

struct Gpt2Block {
  static constexpr int64_t channels = 768, heads = 12, length = 512;

  // `normal(sizes, scale)` gives a parameter, on the device that the block is to run on.
  template <class Normal>
  explicit Gpt2Block(Normal normal)
      : g1(normal({channels}, 1)),
        b1(normal({channels}, 1)),
        wq(normal({3 * channels, channels}, 0.02)),
        bq(normal({3 * channels}, 1)),
        wo(normal({channels, channels}, 0.02)),
        bo(normal({channels}, 1)),
        g2(normal({channels}, 1)),
        b2(normal({channels}, 1)),
        w1(normal({4 * channels, channels}, 0.02)),
        c1(normal({4 * channels}, 1)),
        w2(normal({channels, 4 * channels}, 0.02)),
        c2(normal({channels}, 1)) {}

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

  Tensor g1, b1, wq, bq, wo, bo, g2, b2, w1, c1, w2, c2;
};

}  // namespace sinter::bench
