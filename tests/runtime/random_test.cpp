// Random numbers: ranges, moments, and what they depend on.

#include <gtest/gtest.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/philox.h>
#include <sinter/runtime/random.h>

#include <cmath>
#include <cstring>

namespace sinter {
namespace {

std::vector<char> bytes_of(const Tensor& x) {
  auto* data = static_cast<const char*>(x.data_ptr());
  return {data, data + x.numel().constant() * byte_size(x.dtype())};
}

TEST(Random, PhiloxGivesItsPublishedNumbers) {
  EXPECT_EQ(runtime::philox(0, {0, 0, 0, 0}), (runtime::PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(runtime::philox(~uint64_t{0}, {~0u, ~0u, ~0u, ~0u}),
            (runtime::PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Random, UniformNumbersNeverReachOne) {
  manual_seed(1);
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensor x = rand({1 << 20}, dtype).to(f64);
    const double* values = x.data_ptr<double>();
    double sum = 0, highest = 0;
    for (int64_t i = 0; i < 1 << 20; ++i) {
      ASSERT_GE(values[i], 0);
      highest = std::max(highest, values[i]);
      sum += values[i];
    }
    EXPECT_LT(highest, 1) << name(dtype);
    EXPECT_NEAR(sum / (1 << 20), 0.5, dtype == bf16 ? 0.004 : 0.002) << name(dtype);
  }
}

TEST(Random, NormalNumbersHaveTheirMoments) {
  manual_seed(2);
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensor x = randn({1 << 18}, dtype).to(f64);
    const double* values = x.data_ptr<double>();
    double sum = 0, squares = 0, fourth = 0;
    for (int64_t i = 0; i < 1 << 18; ++i) {
      ASSERT_TRUE(std::isfinite(values[i]));
      sum += values[i];
      squares += values[i] * values[i];
      fourth += std::pow(values[i], 4);
    }
    EXPECT_NEAR(sum / (1 << 18), 0, 0.01);
    EXPECT_NEAR(squares / (1 << 18), 1, 0.015);
    EXPECT_NEAR(fourth / (1 << 18), 3, 0.1);
  }
}

TEST(Random, IntegersCoverTheirRangeEvenly) {
  manual_seed(3);
  Tensor x = randint(-3, 4, {70000});
  int counts[7] = {};
  for (int64_t i = 0; i < 70000; ++i) {
    int64_t value = x.data_ptr<int64_t>()[i];
    ASSERT_TRUE(value >= -3 && value < 4);
    ++counts[value + 3];
  }
  for (int count : counts) EXPECT_NEAR(count, 10000, 500);
  Tensor wide = randint(INT64_MIN, INT64_MAX, {1000});
  int negative = 0;
  for (int64_t i = 0; i < 1000; ++i) negative += wide.data_ptr<int64_t>()[i] < 0;
  EXPECT_NEAR(negative, 500, 100);
}

TEST(Random, NumbersDependOnSeedAndCallsOnly) {
  int threads = get_num_threads();
  auto draw = [] {
    manual_seed(42);
    std::vector<std::vector<char>> all;
    for (const Tensor& x : {rand({50001}), randn({50001}), rand({7}, f64), randn({50001}, f64), randint(1000, {50001})})
      all.push_back(bytes_of(x));
    return all;
  };
  set_num_threads(1);
  auto one = draw();
  set_num_threads(4);
  EXPECT_EQ(one, draw());
  set_num_threads(threads);
  EXPECT_NE(bytes_of(rand({100})), bytes_of(rand({100})));
}

TEST(Random, TheStateCanBeKeptAndSetBack) {
  manual_seed(5);
  rand({10});
  GeneratorState state = default_generator().state();
  EXPECT_EQ(state, (GeneratorState{5, 3}));
  auto first = bytes_of(rand({10}, f64));
  EXPECT_EQ(default_generator().state().position, 8u);
  default_generator().set_state(state);
  EXPECT_EQ(first, bytes_of(rand({10}, f64)));
}

}  // namespace
}  // namespace sinter
