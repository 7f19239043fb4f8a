// Ops on real tensors: memory, aliasing, plans.

#include <gtest/gtest.h>
#include <sinter/graph/ops/creation.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/stream.h>
#include <sinter/runtime/eager.h>

#include <numeric>
#include <thread>

namespace sinter {
namespace {

std::vector<double> values(const Tensor& x) {
  Tensor flat = x.to(f64).reshape({x.numel()});
  const double* data = flat.data_ptr<double>();
  return {data, data + x.numel().constant()};
}

Tensor count(int64_t n) { return arange(n, f32); }

TEST(Eager, FreshResultsKeepTheMemoryOrderOfTheirInputs) {
  Tensor x = count(6).view({2, 3}).t();
  Tensor y = x + x;
  EXPECT_EQ(to_string(y.strides()), "[1, 3]");
  EXPECT_EQ(values(y), (std::vector<double>{0, 6, 2, 8, 4, 10}));
}

TEST(Eager, ViewsShareMemory) {
  Tensor x = count(6), y = x.view({2, 3}).t();
  EXPECT_EQ(x.data_ptr(), y.data_ptr());
  y.add_(Scalar(1));
  EXPECT_EQ(values(x), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Eager, WritesThroughASliceChangeOnlyIt) {
  Tensor x = count(12).view({3, 4});
  x.slice(1, 1, 4, 2).mul_(Scalar(10));
  EXPECT_EQ(values(x), (std::vector<double>{0, 10, 2, 30, 4, 50, 6, 70, 8, 90, 10, 110}));
}

TEST(Eager, ATensorMayBeAddedToItself) {
  Tensor x = count(5);
  x.add_(x);
  EXPECT_EQ(values(x), (std::vector<double>{0, 2, 4, 6, 8}));
}

TEST(Eager, ATransposedCopyOfItselfNeedsAClone) {
  Tensor x = count(9).view({3, 3});
  EXPECT_THROW(x.add_(x.t()), Error);
  x.copy_(x.t().clone());
  EXPECT_EQ(values(x), (std::vector<double>{0, 3, 6, 1, 4, 7, 2, 5, 8}));
}

TEST(Eager, RowsOfOneMemoryAreIndependentArguments) {
  Tensor x = count(6).view({3, 2});
  x.select(0, 2).add_(x.select(0, 0));
  x.select(0, 1).add_(x.select(0, 2));
  EXPECT_EQ(values(x), (std::vector<double>{0, 1, 6, 9, 4, 6}));
}

TEST(Eager, PartialOverlapIsAnError) {
  Tensor x = count(9);
  EXPECT_THROW(x.slice(0, 1).add_(x.slice(0, 0, 8)), Error);
  EXPECT_EQ(values(x)[8], 8);
}

TEST(Eager, NumbersInTensorSlotsAreWrapped) {
  Tensor x = arange(3, i32);
  EXPECT_EQ((x + 2).dtype(), i32);
  EXPECT_EQ((x + 0.5).dtype(), f32);
  EXPECT_EQ(values(x + 0.5), (std::vector<double>{0.5, 1.5, 2.5}));
}

TEST(Eager, PlansAreKeptByTypesLayoutsAndNumbers) {
  Tensor x = count(1000), y = count(1000);
  x + y;
  int64_t before = runtime::eager_plan_count();
  for (int i = 0; i < 10; ++i) x + count(1000);
  x.slice(0, 0, 500) + y.slice(0, 500);
  int64_t after_slices = runtime::eager_plan_count();
  x.slice(0, 100, 600) + y.slice(0, 7, 507);  // offsets do not matter
  EXPECT_EQ(runtime::eager_plan_count(), after_slices);
  EXPECT_LE(after_slices, before + 2);  // arange and one add
}

TEST(Eager, PlansAreBounded) {
  for (int i = 0; i < 3000; ++i) count(8) * (i * 0.25);
  EXPECT_LE(runtime::eager_plan_count(), runtime::eager_plan_limit);
}

TEST(Eager, ThreadsHavePlansOfTheirOwn) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i)
        wrong += (count(t * 10 + 5) + double(i)).sum().item<double>() !=
                 (t * 10 + 5) * double(i) + (t * 10 + 5) * (t * 10 + 4) / 2;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Eager, ErrorsCarryTheCallersLine) {
  try {
    mm(count(3), count(3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::shape);
    EXPECT_NE(std::string(error.what()).find("eager_test.cpp:"), std::string::npos) << error.what();
  }
}

TEST(Eager, CudaIsNotThere) {
  if (cuda::is_available()) GTEST_SKIP() << "there is a CUDA device";
  try {
    apply_one(op_defs::zeros_default, {SymDims{3}, Value(), Value(), Device{DeviceType::cuda, 0}}, Here::current());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment) << error.what();
  }
}

}  // namespace
}  // namespace sinter
