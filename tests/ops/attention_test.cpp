// Attention against its formula.

#include <sinter/graph/ops/functions/attention.h>
#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/parallel.h>

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor noise(SymDims sizes, uint64_t seed, DType dtype = f32) {
  int64_t count = numel(sizes).constant();
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    elements.push_back(static_cast<double>(seed >> 40) / (1 << 23) - 1);
  }
  return tensor_of(elements, {count}).to(dtype).view(sizes);
}

Tensor by_formula(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& added) {
  double scale = 1 / std::sqrt(static_cast<double>(q.size(-1).constant()));
  Tensor scores = matmul(q, k.transpose(-2, -1)) * scale;
  return matmul(softmax(added.defined() ? scores + added : scores, -1), v);
}

void expect_close(const Tensor& got, const Tensor& want, double tolerance = 2e-6) {
  ASSERT_EQ(to_string(got.sizes()), to_string(want.sizes()));
  EXPECT_TRUE(allclose(got.to(f32), want.to(f32), tolerance, tolerance));
}

// More rows and keys than a tile has, in numbers that are no multiple of it.
Tensors long_rows() { return {noise({2, 3, 150, 16}, 1), noise({2, 3, 531, 16}, 2), noise({2, 3, 531, 24}, 3)}; }

TEST(Attention, IsItsFormula) {
  Tensors x = long_rows();
  auto attend = [](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2]); };
  expect_close(result_of(attend, x), by_formula(x[0], x[1], x[2], {}));
  EXPECT_EQ(layout_of(result_of(attend, {x[0].transpose(1, 2), x[0].transpose(1, 2), x[0].transpose(1, 2)})),
            "[2, 150, 3, 16] [7200, 16, 2400, 1]");
}

TEST(Attention, MasksAddOrHide) {
  Tensors x = long_rows();
  x.push_back(noise({150, 531}, 4));
  x.push_back(noise({2, 1, 150, 531}, 5) > 0.0);
  auto added = [](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2], x[3]); };
  expect_close(result_of(added, x), by_formula(x[0], x[1], x[2], x[3]));
  auto hidden = [](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2], x[4]); };
  Tensor infinite = where(x[4], zeros({}), full({}, -INFINITY));
  expect_close(result_of(hidden, x), by_formula(x[0], x[1], x[2], infinite));
}

TEST(Attention, CausalRowsSeeWhatCameBefore) {
  Tensors x = long_rows();
  auto causal = [](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2], {}, 0, true); };
  Tensor row = arange(150, i64).unsqueeze(1), column = arange(531, i64);
  Tensor infinite = where(column <= row, zeros({}), full({}, -INFINITY));
  expect_close(result_of(causal, x), by_formula(x[0], x[1], x[2], infinite));
}

TEST(Attention, RowsWithoutKeysAreZero) {
  Tensors x = {ones({1, 1, 2, 4}), ones({1, 1, 3, 4}), ones({1, 1, 3, 1}), zeros({2, 3}, boolean)};
  auto attend = [](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2], x[3]); };
  expect_elements(attend, x, f32, {0, 0});
}

TEST(Attention, AHeadOfKeysServesSeveralOfQueries) {
  Tensors x = {noise({1, 4, 5, 8}, 1), noise({1, 2, 7, 8}, 2), noise({1, 2, 7, 8}, 3)};
  auto grouped = [](const Tensors& x) {
    return scaled_dot_product_attention(x[0], x[1], x[2], {}, 0, false, {}, true);
  };
  auto twice = [](const Tensor& t) { return t.unsqueeze(2).expand({1, 2, 2, 7, 8}).reshape({1, 4, 7, 8}); };
  expect_close(result_of(grouped, x), by_formula(x[0], twice(x[1]), twice(x[2]), {}));
}

TEST(Attention, TakesAnyNumberOfLeadingDims) {
  auto attend = [](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2]); };
  Tensors flat = {noise({5, 8}, 1, f64), noise({7, 8}, 2, f64), noise({7, 8}, 3, f64)};
  EXPECT_EQ(layout_of(result_of(attend, flat)), "[5, 8] [8, 1]");
  Tensors deep = {noise({2, 1, 5, 8}, 1, bf16), noise({3, 1, 3, 7, 8}, 2, bf16), noise({7, 8}, 3, bf16)};
  Tensor result = result_of(attend, deep);
  expect_close(result, by_formula(deep[0].to(f32), deep[1].to(f32), deep[2].to(f32), {}), 8e-3);
}

TEST(Attention, IsTheSameForAnyNumberOfThreads) {
  Tensors x = long_rows();
  Tensor all = scaled_dot_product_attention(x[0], x[1], x[2]);
  int before = get_num_threads();
  set_num_threads(1);
  Tensor one = scaled_dot_product_attention(x[0], x[1], x[2]);
  set_num_threads(before);
  expect_same_bits(all, one);
}

TEST(Attention, NeverHoldsAllScores) {
  Tensor q = noise({1, 1, 4096, 8}, 1);
  runtime::reset_peak_host_memory();
  int64_t before = runtime::host_memory_stats().current_bytes;
  Tensor result = scaled_dot_product_attention(q, q, q);
  EXPECT_LT(runtime::host_memory_stats().peak_bytes - before, int64_t{4096} * 4096);
}

TEST(Attention, GradientsAreSmallDifferences) {
  Tensor q = noise({1, 2, 3, 4}, 1), k = noise({1, 2, 5, 4}, 2), v = noise({1, 2, 5, 4}, 3), g = noise({1, 2, 3, 4}, 4);
  Values forward = ops("aten::_scaled_dot_product_flash_attention_for_cpu")(q, k, v);
  Values gradients =
      ops("aten::_scaled_dot_product_flash_attention_for_cpu_backward")(g, q, k, v, forward[0], forward[1], 0.0, false);
  auto loss = [&](const Tensor& a, const Tensor& b, const Tensor& c) {
    return sum(scaled_dot_product_attention(a.to(f64), b.to(f64), c.to(f64)) * g.to(f64)).item<double>();
  };
  Tensor step = zeros({1, 2, 1, 4}).add_(1e-4);
  auto slope = [&](double up, double down) { return (up - down) / 2e-4; };
  EXPECT_NEAR(sum(gradients[0].tensor()).item<double>(), slope(loss(q + step, k, v), loss(q - step, k, v)), 1e-3);
  EXPECT_NEAR(sum(gradients[1].tensor()).item<double>(), slope(loss(q, k + step, v), loss(q, k - step, v)), 1e-3);
  EXPECT_NEAR(sum(gradients[2].tensor()).item<double>(), slope(loss(q, k, v + step), loss(q, k, v - step)), 1e-3);
}

TEST(Attention, ErrorsNameTheSizes) {
  Tensors x = {ones({1, 1, 2, 4}), ones({1, 1, 3, 5}), zeros({2, 3}, boolean), ones({1, 1, 3, 4})};
  EXPECT_EQ(message_of([](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[1]); }, x),
            "scaled_dot_product_attention: query has 4 features, key 5");
  EXPECT_EQ(
      message_of([](const Tensors& x) { return scaled_dot_product_attention(x[0], x[3], x[3], x[2], 0, true); }, x),
      "scaled_dot_product_attention: attn_mask beside is_causal");
}

}  // namespace
}  // namespace sinter::test
