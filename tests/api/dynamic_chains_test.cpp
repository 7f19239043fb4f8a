// Random chains of operators, with sizes drawn anew for each call: compiled equals eager bit for bit.

#include <sinter/sinter.h>

#include <random>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

// Steps from a tensor of three dims to one of three dims.
using Step = Tensor (*)(const Tensor&);
constexpr Step steps[] = {
    [](const Tensor& x) { return x * 1.5 + 0.25; },
    [](const Tensor& x) { return tanh(x); },
    [](const Tensor& x) { return x - mean(x, {2}, true); },
    [](const Tensor& x) { return softmax(x, 2); },
    [](const Tensor& x) { return softmax(x, 1); },
    [](const Tensor& x) { return x / (amax(x, {0, 1}, true) + 10.0); },
    [](const Tensor& x) { return x.transpose(0, 1) + 1; },
    [](const Tensor& x) { return x.permute({2, 0, 1}); },
    [](const Tensor& x) { return contiguous(x.transpose(1, 2)); },
    [](const Tensor& x) { return cat({x, x * 2}, 1); },
    [](const Tensor& x) { return cat({x, exp(x) * 0.1}, 2); },
    [](const Tensor& x) { return x.reshape({x.size(0) * x.size(1), x.size(2)}).unsqueeze(1) * 3; },
    [](const Tensor& x) { return x.slice(1, 0, std::nullopt, 2); },
    [](const Tensor& x) { return x.slice(2, x.size(2) > 3 ? 1 : 0) * 2; },
    [](const Tensor& x) { return relu(x) + sum(x, {1}, true); },
    [](const Tensor& x) { return x * x.size(2); },
    [](const Tensor& x) { return where(x > 0.5, x, x * 0.5); },
    [](const Tensor& x) { return sum(x, {0}, true) * 0.1 + x; },
    [](const Tensor& x) { return flip(x, {1}) - x; },
};

Tensor random_tensor(std::mt19937_64& random, std::vector<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random() % 2001) / 500 - 2);
  return tensor_of(values, sizes);
}

TEST(DynamicChains, CompiledEqualsEagerAtAllSizes) {
  // On a device each kernel of each size is a compile, eager too.
  bool is_short = std::getenv("SINTER_TEST_SHORT") != nullptr || !placement().is_cpu();
  for (uint64_t seed = 0; seed < (is_short ? 8 : 60); ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Step> chain;
    for (uint64_t i = 0, length = 1 + random() % 5; i < length; ++i)
      chain.push_back(steps[random() % std::size(steps)]);
    auto function = [&](const Tensor& x) {
      Tensor y = x;
      for (Step step : chain) y = step(y);
      return y;
    };
    auto fast = compile(function);
    for (int call = 0; call < 6; ++call) {
      std::vector<int64_t> sizes;
      for (int dim = 0; dim < 3; ++dim) sizes.push_back(1 + static_cast<int64_t>(random() % (call % 2 ? 40 : 7)));
      Tensor x = random_tensor(random, sizes);
      SCOPED_TRACE(fmt::format("seed {}, sizes {} {} {}", seed, sizes[0], sizes[1], sizes[2]));
      expect_same_bits(fast(x), function(x));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace sinter::test
