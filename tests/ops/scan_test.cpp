// Running sums, products and extrema; differences, derivatives and integrals of samples.

#include <sinter/graph/ops/functions/statistics.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Scan, SumsAndProductsAlongAnyDim) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5, 6}, {2, 3})};
  expect_elements([](const Tensors& x) { return cumsum(x[0], 1); }, x, f32, {1, 3, 6, 4, 9, 15});
  expect_elements([](const Tensors& x) { return cumsum(x[0], 0); }, x, f32, {1, 2, 3, 5, 7, 9});
  expect_elements([](const Tensors& x) { return cumprod(x[0].t(), 0); }, x, f32, {1, 4, 2, 20, 6, 120});
  EXPECT_EQ(layout_of(result_of([](const Tensors& x) { return cumsum(x[0].t(), 0); }, x)), "[3, 2] [2, 1]");
  expect_elements([](const Tensors& x) { return cumsum(x[0], 0); }, {tensor_of({1}, {}, boolean)}, i64, {1});
  expect_elements([](const Tensors& x) { return cumsum(x[0], 0); }, {tensor_of({}, {0, 3}, i8)}, i64, {});
}

TEST(Scan, IntegersWrapAndTakeTheAskedType) {
  Tensors x = {tensor_of({100, 100}, {2}, i8)};
  expect_elements([](const Tensors& x) { return cumsum(x[0], 0); }, x, i64, {100, 200});
  expect_elements([](const Tensors& x) { return cumsum(x[0], 0, i8); }, x, i8, {100, -56});
  EXPECT_EQ(message_of([](const Tensors& x) { return cumsum(x[0], 0, boolean); }, x),
            "cumsum: is not implemented for bool");
}

// In blocks that are combined by differences this would be NaN.
TEST(Scan, SumsOfInfinitiesAreInfinite) {
  for (int64_t length : {1, 2, 3, 31, 32, 33, 1000, 4097})
    for (DType dtype : {f32, f64}) {
      std::vector<double> infinities(length, infinity);
      expect_elements([](const Tensors& x) { return cumsum(x[0], 0); }, {tensor_of(infinities, {length}, dtype)}, dtype,
                      infinities);
    }
}

TEST(Scan, LongSumsOfABroadcastAddition) {
  for (int64_t length : {128, 129, 1025}) {
    auto sums = [](const Tensors& x) { return cumsum(x[0] + x[1], 1); };
    Tensor result = result_of(sums, {zeros({1, length, 64}), arange(64, f32)});
    Tensor expected = arange(1, length + 1, f32).view({1, length, 1}) * arange(64, f32);
    EXPECT_TRUE(equal(result, expected)) << length;
  }
}

// Rows go in groups, columns in squares: what is left of either is summed alike.
TEST(Scan, SumsOfManyRowsAreTheSumsOfEach) {
  for (int64_t rows : {15, 16, 37})
    for (int64_t length : {1, 16, 67, 256}) {
      Tensor x = randn({rows, length});
      Tensor sums = cumsum(x, 1);
      for (int64_t row = 0; row < rows; ++row) {
        const float* values = x.data_ptr<float>() + row * length;
        double sum = 0;
        for (int64_t k = 0; k < length; ++k) {
          sum += values[k];
          ASSERT_EQ(sums.data_ptr<float>()[row * length + k], static_cast<float>(sum)) << row << " " << k;
        }
      }
    }
}

// Large results go past the caches.
TEST(Scan, SumsOfALargeTensor) {
  Tensor x = randn({64, 40000});
  EXPECT_TRUE(equal(cumsum(x, 1)[63], cumsum(x[63], 0)));
  EXPECT_TRUE(equal(cumsum(x, 1)[10], cumsum(x[10], 0)));
}

TEST(Scan, HalvesAreSummedInF32AndRoundedAtEachStep) {
  std::vector<double> ones(2100, 1.0);
  Tensor sums = result_of([](const Tensors& x) { return cumsum(x[0], 0); }, {tensor_of(ones, {2100}, f16)});
  EXPECT_EQ(elements_of(sums).back(), 2100);
}

TEST(Scan, ExtremaKeepTheLastOfEqualOnesAndNan) {
  Tensors x = {tensor_of({1, 3, 3, 2, nan, 5}, {6})};
  expect_elements([](const Tensors& x) { return cummax(x[0], 0).first; }, x, f32, {1, 3, 3, 3, nan, nan});
  expect_elements([](const Tensors& x) { return cummax(x[0], 0).second; }, x, i64, {0, 1, 2, 2, 4, 4});
  expect_elements([](const Tensors& x) { return cummin(x[0], 0).second; }, x, i64, {0, 0, 0, 0, 4, 4});
}

TEST(Scan, LogSumExpOfExtremes) {
  auto sums = [](const Tensors& x) { return logcumsumexp(x[0], 0); };
  expect_elements(sums, {tensor_of({-infinity, -infinity, 1000, infinity, infinity}, {5})}, f32,
                  {-infinity, -infinity, 1000, infinity, infinity});
  expect_elements(sums, {tensor_of({0, nan, 1}, {3})}, f32, {0, nan, nan});
  expect_elements(sums, {tensor_of({infinity, -infinity, 0}, {3})}, f32, {infinity, infinity, infinity});
  std::vector<double> zeros(1000, 0.0), logarithms;
  for (int k = 1; k <= 1000; ++k) logarithms.push_back(static_cast<float>(std::log(k)));
  Tensor found = result_of(sums, {tensor_of(zeros, {1000})});
  EXPECT_LT(max(abs(found - tensor_of(logarithms, {1000}))).item<float>(), 1e-6);
}

// What stands before and behind a scan, of the same sizes, is in its kernel.
TEST(Scan, FusesWithWhatStandsAroundIt) {
  for (int64_t dim : {0, 1, 2}) {
    auto sums = [dim](const Tensor& x) { return cumsum(x * 3.0, dim) * 2.0 + x; };
    Tensor x = randn({5, 37, 70});
    EXPECT_EQ(kernel_count(sums, x), 1) << dim;
    EXPECT_EQ(library_call_count(sums, x), 0) << dim;
    eager_and_compiled(sums, x);
    eager_and_compiled(sums, x.permute({2, 0, 1}));
    auto places = [dim](const Tensor& x) {
      TensorPair highest = cummax(abs(x), dim), lowest = cummin(x, dim);
      return std::vector<Tensor>{highest.first + 1.0, highest.second, lowest.second * 2, lowest.first};
    };
    EXPECT_EQ(kernel_count(places, x), 1) << dim;
    eager_and_compiled(places, x);
  }
  for (int64_t dim : {0, 1, 2})
    for (DType dtype : {f16, bf16, f32, f64}) {
      auto sums = [dim](const Tensor& x) { return logcumsumexp(x * 3.0, dim) - x; };
      Tensor x = (randn({5, 37, 21}) * 20.0).to(dtype);
      EXPECT_EQ(kernel_count(sums, x), 1) << dim;
      EXPECT_EQ(library_call_count(sums, x), 0) << dim;
      eager_and_compiled(sums, x);
      eager_and_compiled(sums, x.permute({2, 0, 1}));
    }
  auto any = [](const Tensor& x) {
    TensorPair highest = cummax(x > 1.0, 1), lowest = cummin(x > 0.0, 0);
    return std::vector<Tensor>{logical_not(highest.first), highest.second, lowest.first, lowest.second};
  };
  EXPECT_EQ(library_call_count(any, randn({37, 70})), 0);
  eager_and_compiled(any, randn({37, 70}));
  auto line = [](const Tensor& x) { return cumsum(sin(x), 0) * 2.0; };
  EXPECT_EQ(kernel_count(line, randn({1000})), 1);
  eager_and_compiled(line, randn({1000}));
  auto twice = [](const Tensor& x) { return cumprod(cos(cumsum(x, 1)) + 1.0, 1); };
  EXPECT_EQ(kernel_count(twice, randn({40, 50})), 1);
  eager_and_compiled(twice, randn({40, 50}));
}

// A reduction of what a scan gives, or the other way round, has loops of its own.
TEST(Scan, LeavesReductionsToThemselves) {
  auto around = [](const Tensor& x) { return softmax(cumsum(softmax(x, 1), 1), 1); };
  EXPECT_EQ(kernel_count(around, randn({37, 50})), 3);
  eager_and_compiled(around, randn({37, 50}));
  auto across = [](const Tensor& x) { return cumsum(x, 0) + cumsum(x, 1); };
  eager_and_compiled(across, randn({48, 48}));
  auto turned = [](const Tensor& x) { return cumsum(x, 1).t() + x; };
  eager_and_compiled(turned, randn({48, 48}));
}

TEST(Scan, OfEveryTypeIsTheSameCompiled) {
  for (DType dtype : {u8, i8, i16, i32, i64, f16, bf16, f32, f64}) {
    Tensor x = (randn({21, 67}) * 50.0).to(dtype);
    for (int64_t dim : {0, 1}) {
      auto scans = [dim](const Tensor& x) {
        TensorPair highest = cummax(x, dim), lowest = cummin(x, dim);
        return std::vector<Tensor>{cumsum(x, dim), cumprod(x, dim), cumsum(x, dim, i16), highest.first,
                                   highest.second, lowest.first,    lowest.second};
      };
      eager_and_compiled(scans, x);
      eager_and_compiled(scans, x.t());
    }
  }
}

TEST(Scan, InPlaceKeepsTheType) {
  auto in_place = [](const Tensors& x) { return ops("aten::cumsum_")(x[0], 0)[0].tensor(); };
  expect_elements(in_place, {tensor_of({100, 100}, {2}, i8)}, i8, {100, -56});
  EXPECT_EQ(
      message_of([](const Tensors& x) { return ops("aten::cumsum_").call({x[0], 0}, {{"dtype", f64}})[0].tensor(); },
                 {tensor_of({1}, {1})}),
      "cumsum_: dtype f64 is asked for, self is f32");
}

// --- Differences ------------------------------------------------------------------------------------------------

TEST(Difference, OfAnyOrder) {
  Tensors x = {tensor_of({1, 4, 9, 16}, {4}), tensor_of({0}, {1})};
  expect_elements([](const Tensors& x) { return diff(x[0]); }, x, f32, {3, 5, 7});
  expect_elements([](const Tensors& x) { return diff(x[0], 2); }, x, f32, {2, 2});
  expect_elements([](const Tensors& x) { return diff(x[0], 1, 0, x[1]); }, x, f32, {1, 3, 5, 7});
  expect_elements([](const Tensors& x) { return diff(x[0], 9); }, x, f32, {});
  expect_elements([](const Tensors& x) { return diff(x[0], 0); }, x, f32, {1, 4, 9, 16});
  expect_elements([](const Tensors& x) { return diff(x[0]); }, {tensor_of({1, 0, 0}, {3}, boolean)}, boolean, {1, 0});
  EXPECT_EQ(message_of([](const Tensors& x) { return diff(x[0], -1); }, x), "diff: n is -1");
  EXPECT_EQ(kernel_count([](const Tensor& x) { return diff(x * 2.0); }, randn({8, 300})), 1);
}

TEST(Difference, IntegralsOfSamples) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}), tensor_of({0, 1, 3}, {3})};
  expect_elements([](const Tensors& x) { return trapezoid(x[0]); }, x, f32, {4, 10});
  expect_elements([](const Tensors& x) { return trapezoid(x[0], x[1]); }, x, f32, {6.5, 15.5});
  expect_elements([](const Tensors& x) { return cumulative_trapezoid(x[0], x[1]); }, x, f32, {1.5, 6.5, 4.5, 15.5});
  expect_elements([](const Tensors& x) { return cumulative_trapezoid(x[0], 2.0, 0); }, x, f32, {5, 7, 9});
  expect_elements([](const Tensors& x) { return trapezoid(x[0]); }, {tensor_of({1, 2}, {2}, i32)}, f32, {1.5});
  expect_elements([](const Tensors& x) { return trapezoid(x[0]); }, {tensor_of({}, {2, 0})}, f32, {0, 0});
  EXPECT_EQ(
      message_of([](const Tensors& x) { return trapezoid(x[0], x[0][0]); }, {tensor_of({1, 2, 3, 4}, {2, 2}, boolean)}),
      "trapezoid: samples of bool have no integral");
}

TEST(Difference, DerivativesOfAParabolaAreExact) {
  Tensors x = {tensor_of({0, 1, 4, 9}, {4}), tensor_of({0, 1, 3, 4}, {4})};
  expect_elements([](const Tensors& x) { return gradient(x[0])[0]; }, x, f32, {1, 2, 4, 5});
  expect_elements([](const Tensors& x) { return gradient(x[0], 1, {}, 2)[0]; }, x, f32, {0, 2, 4, 6});
  expect_elements([](const Tensors& x) { return gradient(x[0], 0.5)[0]; }, x, f32, {2, 4, 8, 10});
  auto at_points = [](const Tensors& x) {
    NamedValues keywords = {{"spacing", Tensors{x[1]}}, {"edge_order", 2}};
    return ops("aten::gradient.tensorarrayint").call({x[1] * x[1]}, keywords)[0].tensor();
  };
  Tensor slopes = result_of(at_points, x);
  std::vector<double> elements = elements_of(slopes), expected = {0, 2, 6, 8};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(elements[i], expected[i], 1e-5) << i;
  EXPECT_EQ(message_of([](const Tensors& x) { return gradient(x[0], 1, {}, 3)[0]; }, x), "gradient: edge_order is 3");
}

}  // namespace
}  // namespace sinter::test
