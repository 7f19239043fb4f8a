// Means and spreads in one pass over memory: as exact as two passes, whatever the mean, and the same compiled.

#include <sinter/graph/ops/functions/normalization.h>
#include <sinter/graph/ops/functions/statistics.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Tensors both(const TensorPair& pair) { return {pair.first, pair.second}; }

// Two passes in f64 over the values as they are.
TensorPair reference(const Tensor& x, const Dims& dims) {
  Tensor wide = x.to(f64), average = mean(wide, dims, true), centred = wide - average;
  double count = static_cast<double>(x.numel().constant() / average.numel().constant());
  return {sum(centred * centred, dims) / (count - 1), mean(wide, dims)};
}

double worst_relative(const Tensor& found, const Tensor& expected) {
  return max(abs(found.to(f64) - expected) / abs(expected)).item<double>();
}

struct Case {
  SymDims sizes;
  Dims dims;
};
// Columns with and without a rest of a block, blocks of planes, rows.
const std::vector<Case> cases = {{{4096, 96}, {0}}, {{300, 70}, {0}},       {{3, 319, 64}, {1}},
                                 {{2, 40000}, {1}}, {{5, 3, 320, 64}, {2}}, {{16, 24, 8, 100}, {0, 1, 2}}};

TEST(Moments, OfValuesFarFromZeroAreExact) {
  for (const Case& c : cases)
    for (double offset : {0.0, 1e4, -3e5}) {
      Tensor x = randn(c.sizes) + offset;
      TensorPair found = var_mean(x, c.dims), expected = reference(x, c.dims);
      EXPECT_LT(worst_relative(found.first, expected.first), 2e-6) << to_string(x.sizes()) << " " << offset;
      if (offset == 0) continue;  // the mean is near 0 then
      EXPECT_LT(worst_relative(found.second, expected.second), 1e-7) << to_string(x.sizes());
    }
}

// The first values, which the shift comes from, are far from the others; values that drift.
TEST(Moments, OfValuesThatTheirFirstOnesTellLittleOfAreNearlyExact) {
  for (const Case& c : cases) {
    int64_t count = 1;
    for (SymInt size : c.sizes) count *= size.constant();
    Tensor drifting = arange(count, f32).view(c.sizes) * 1e-3 + randn(c.sizes);
    EXPECT_LT(worst_relative(var_mean(drifting, c.dims).first, reference(drifting, c.dims).first), 2e-6);
    Tensor place = arange(c.sizes[c.dims[0]].constant(), f32);
    SymDims along(c.sizes.size(), SymInt(1));
    along[c.dims[0]] = c.sizes[c.dims[0]];
    Tensor padded = where((place < 8.0).view(along), zeros(c.sizes), randn(c.sizes) + 1e4);
    EXPECT_LT(worst_relative(var_mean(padded, c.dims).first, reference(padded, c.dims).first), 1e-5);
  }
}

TEST(Moments, OfEqualValuesHaveNoSpread) {
  for (const Case& c : cases) {
    TensorPair found = var_mean(full(c.sizes, 0.1), c.dims);
    EXPECT_EQ(max(found.first).item<float>(), 0) << to_string(c.sizes);
    EXPECT_EQ(min(found.second).item<float>(), 0.1f);
    EXPECT_EQ(max(found.second).item<float>(), 0.1f);
  }
}

TEST(Moments, OfInfiniteOnesHaveAMean) {
  for (const Case& c : cases)
    for (int64_t at : {0, 200}) {
      Tensor x = randn(c.sizes);
      Tensor line = x.select(c.dims[0], at % c.sizes[c.dims[0]].constant());
      line.fill_(infinity);
      TensorPair found = var_mean(x, c.dims);
      EXPECT_EQ(min(found.second).item<float>(), infinity) << to_string(c.sizes) << at;
      EXPECT_TRUE(std::isnan(min(found.first).item<float>())) << to_string(c.sizes) << at;
      line.fill_(1e30);  // its square is infinite, the values are not
      TensorPair large = var_mean(x, c.dims);
      EXPECT_EQ(min(large.first).item<float>(), infinity) << to_string(c.sizes) << at;
      EXPECT_LT(max(large.second).item<float>(), infinity) << to_string(c.sizes) << at;
    }
}

TEST(Moments, AreTheSameCompiledAndOneKernel) {
  for (const Case& c : cases)
    for (DType dtype : {f16, bf16, f32, f64}) {
      auto spread = [dims = c.dims](const Tensor& x) { return both(var_mean(x * 2.0, dims)); };
      Tensor x = (randn(c.sizes) + 3.0).to(dtype);
      eager_and_compiled(spread, x);
      EXPECT_EQ(kernel_count(spread, x), 1 + (c.sizes[0].constant() == 300 || c.sizes[0].constant() == 3))
          << to_string(c.sizes);
    }
}

TEST(Moments, OfChannelsLastAreThoseOfColumns) {
  Tensor x = (randn({4, 9, 11, 80}) + 100.0).permute({0, 3, 1, 2});
  auto norm = [](const Tensor& x) { return batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5); };
  eager_and_compiled(norm, x);
  EXPECT_LT(max(abs(norm(x) - norm(contiguous(x)))).item<float>(), 1e-4);
  eager_and_compiled([](const Tensor& x) { return group_norm(x, 2); }, randn({2, 4, 150, 150}));
}

}  // namespace
}  // namespace sinter::test
