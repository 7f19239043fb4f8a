// Parts of models: attention, a transformer block, a convolution with what follows it; beside the library's time for
// the products alone.

#include <sinter/sinter.h>

#include "bench/gpt2_block.h"
#include "bench/side_by_side.h"

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

void gpt2_block(benchmark::State& state) {
  Gpt2Block block([](SymDims sizes, double scale) { return randn(sizes) * scale; });
  auto fast = compile(block);
  Tensor x = randn({1, Gpt2Block::length, Gpt2Block::channels});
  Tensor rows = x.view({Gpt2Block::length, Gpt2Block::channels}),
         wide = randn({Gpt2Block::length, 4 * Gpt2Block::channels});
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
