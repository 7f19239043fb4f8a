// When a call compiles and when it does not.

#include <sinter/runtime/kernel_cache.h>
#include <sinter/sinter.h>

#include <cmath>
#include <limits>

#include "support/compiled.h"

namespace sinter::test {

namespace {

Tensor filled(std::vector<int64_t> sizes, double value = 1, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return tensor_of(std::vector<double>(count, value), sizes, dtype);
}

TEST(Caching, ASecondCallOfTheSameKindDoesNotCompile) {
  auto fast = compile([](const Tensor& x) { return x + 1; });
  fast(filled({3}));
  int64_t kernels = runtime::kernel_cache_stats().compiles;
  fast(filled({3}, 7));
  EXPECT_EQ(fast.stats().compiles, 1);
  EXPECT_EQ(runtime::kernel_cache_stats().compiles, kernels);
}

TEST(Caching, AnotherSizeDtypeRankOrStrideCompilesAgain) {
  auto fast = compile([](const Tensor& x) { return x + 1; });
  fast(filled({2, 3}));
  fast(filled({3, 2}));
  EXPECT_EQ(fast.stats().compiles, 2);
  fast(filled({2, 3}, 1, f64));
  EXPECT_EQ(fast.stats().compiles, 3);
  fast(filled({6}));
  EXPECT_EQ(fast.stats().compiles, 4);
  fast(strided_view(filled({6}), {2, 3}, {1, 2}, 0));
  EXPECT_EQ(fast.stats().compiles, 5);
  fast(filled({2, 3}));
  EXPECT_EQ(fast.stats().compiles, 5);
}

// CASES B096.
TEST(Caching, StridesOfDimsOfOneElementDoNotMatter) {
  auto fast = compile([](const Tensor& x) { return x + 1; });
  Tensor base = filled({16}, 4);
  for (auto strides : {std::vector<int64_t>{1, 1}, {0, 0}, {7, 3}})
    EXPECT_EQ(elements_of(fast(strided_view(base, {1, 1}, strides, 0))), (std::vector<double>{5}));
  EXPECT_EQ(fast.stats().compiles, 1);
  auto empty = compile([](const Tensor& x) { return x + 1; });
  empty(strided_view(base, {0, 4}, {4, 1}, 0));
  empty(strided_view(base, {0, 4}, {1, 9}, 0));
  EXPECT_EQ(empty.stats().compiles, 1) << "an empty tensor has no meaningful strides";
}

TEST(Caching, AnotherOffsetInTheStorageDoesNotCompile) {
  Tensor base = tensor_of({0, 1, 2, 3, 4, 5, 6, 7}, {8});
  auto fast = compile([](const Tensor& x) { return x * 10; });
  for (int64_t offset : {5, 0, 3})
    EXPECT_EQ(elements_of(fast(strided_view(base, {2}, {1}, offset))),
              (std::vector<double>{offset * 10.0, offset * 10.0 + 10}));
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(Caching, AnOffsetThatTheFunctionAsksForIsGuarded) {
  Tensor base = tensor_of({0, 1, 2, 3, 4, 5, 6, 7}, {8});
  auto fast = compile([](const Tensor& x) { return x + Scalar(x.storage_offset().hint()); });
  EXPECT_EQ(elements_of(fast(strided_view(base, {1}, {1}, 3))), (std::vector<double>{6}));
  EXPECT_EQ(elements_of(fast(strided_view(base, {1}, {1}, 4))), (std::vector<double>{8}));
  auto strided = compile([](const Tensor& x) { return as_strided(x, {2}, {1}, 1) + 0.0; });
  EXPECT_EQ(elements_of(strided(strided_view(base, {3}, {1}, 0))), (std::vector<double>{1, 2}));
  EXPECT_EQ(elements_of(strided(strided_view(base, {3}, {1}, 1))), (std::vector<double>{1, 2}));
}

// CASES B040.
TEST(Caching, AViewOfAnArgumentCountsFromTheCallersStorage) {
  std::vector<double> values(360);
  for (int i = 0; i < 360; ++i) values[i] = i;
  Tensor y = tensor_of(values, {3, 4, 5, 6});
  auto fast = compile([](const Tensor& z) { return z.select(1, 2); });
  for (int64_t i : {2, 0, 1}) {
    Tensor z = strided_view(y, {4, 5, 6}, {30, 6, 1}, 120 * i);
    Tensor result = fast(z);
    EXPECT_EQ(result.storage_offset().hint(), 120 * i + 12);
    EXPECT_EQ(result.stride(0).hint(), 30);
    EXPECT_TRUE(result.storage() == y.storage());
    EXPECT_EQ(elements_of(result)[6], 120.0 * i + 42);
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(Caching, NumbersAreGuardedByTheirBits) {
  auto fast = compile([](const Tensor& x, double by) { return x / by; });
  Tensor one = filled({1});
  EXPECT_EQ(elements_of(fast(one, 0.0)), (std::vector<double>{INFINITY}));
  EXPECT_EQ(elements_of(fast(one, -0.0)), (std::vector<double>{-INFINITY}));
  EXPECT_EQ(fast.stats().compiles, 2) << "-0.0 is not 0.0";
  double nan = std::numeric_limits<double>::quiet_NaN();
  fast(one, nan);
  fast(one, nan);
  EXPECT_EQ(fast.stats().compiles, 3) << "a NaN is itself";
  auto branch = compile([](const Tensor& x, bool doubled, int64_t times) {
    Tensor y = x;
    for (int64_t i = 0; i < times; ++i) y = doubled ? y * 2 : y + 1;
    return y;
  });
  EXPECT_EQ(elements_of(branch(one, true, 3)), (std::vector<double>{8}));
  EXPECT_EQ(elements_of(branch(one, false, 3)), (std::vector<double>{4}));
  EXPECT_EQ(elements_of(branch(one, false, 4)), (std::vector<double>{5}));
}

// CASES B104.
TEST(Caching, FunctionsThatDifferInWhatTheyCapturedDoNotMix) {
  auto make = [](double k) { return [k](const Tensor& x) { return x * k; }; };
  auto g2 = compile(make(2)), g3 = compile(make(3));
  Tensor five = filled({1}, 5);
  EXPECT_EQ(elements_of(g2(five)), (std::vector<double>{10}));
  EXPECT_EQ(elements_of(g3(five)), (std::vector<double>{15}));
  EXPECT_EQ(elements_of(g2(five)), (std::vector<double>{10}));
  auto with = [&](DType dtype) { return compile([w = filled({1}, 3, dtype)](const Tensor& x) { return x * w; }); };
  EXPECT_EQ(with(f32)(five).dtype(), f32);
  EXPECT_EQ(with(f64)(five).dtype(), f64);
}

TEST(Caching, TheDataOfACapturedTensorIsReadAtEachCall) {
  Tensor weight = filled({2}, 3);
  auto fast = compile([weight](const Tensor& x) { return x * weight; });
  EXPECT_EQ(elements_of(fast(filled({2}, 2))), (std::vector<double>{6, 6}));
  weight[1].fill_(10);
  EXPECT_EQ(elements_of(fast(filled({2}, 2))), (std::vector<double>{6, 20}));
  EXPECT_EQ(fast.stats().compiles, 1);
  EXPECT_EQ(fast.explain(filled({2}, 2)).captured.size(), 1U);
}

TEST(Caching, TheLeastRecentlyUsedEntryGoesBeyondTheLimit) {
  auto fast = compile([](const Tensor& x) { return x + 1; }, {.entry_limit = 2, .dynamic = Dynamic::never});
  fast(filled({1}));
  fast(filled({2}));
  fast(filled({1}));
  fast(filled({3}));  // {2} goes
  EXPECT_EQ(fast.stats().entries, 2);
  EXPECT_EQ(fast.stats().evictions, 1);
  fast(filled({1}));
  EXPECT_EQ(fast.stats().compiles, 3);
  fast(filled({2}));
  EXPECT_EQ(fast.stats().compiles, 4);
}

TEST(Caching, EqualKernelsAreCompiledOnceInAProcess) {
  auto make = [] { return compile([](const Tensor& x) { return x * 3.25 + 17; }); };
  make()(filled({19}));
  int64_t before = runtime::kernel_cache_stats().compiles;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(elements_of(make()(filled({19})))[0], 20.25);
  EXPECT_EQ(runtime::kernel_cache_stats().compiles, before);
}

// CASES B129 and B130: random numbers are drawn at each call.
TEST(Caching, RandomNumbersAreThoseOfEagerAndNewAtEachCall) {
  auto function = [](const Tensor& x) { return x + rand({4}); };
  auto fast = compile(function);
  Tensor zero = filled({4}, 0);
  manual_seed(7);
  std::vector<Tensor> eager = {function(zero), function(zero), function(zero)};
  manual_seed(7);
  std::vector<Tensor> compiled = {fast(zero), fast(zero), fast(zero)};
  for (int i = 0; i < 3; ++i) expect_same_bits(compiled[i], eager[i]);
  EXPECT_NE(elements_of(compiled[0]), elements_of(compiled[1]));
}

TEST(Caching, ASeedInsideTheFunctionCountsAtEachCall) {
  auto function = [](const Tensor& x) {
    Tensor before = rand({2});
    manual_seed(3);
    return std::tuple(x + rand({3}), before);
  };
  auto fast = compile(function);
  Tensor zero = filled({3}, 0);
  Tensor expected = std::get<0>(function(zero));
  for (int i = 0; i < 3; ++i) {
    rand({5});
    expect_same_bits(std::get<0>(fast(zero)), expected);
  }
}

}  // namespace

}  // namespace sinter::test
