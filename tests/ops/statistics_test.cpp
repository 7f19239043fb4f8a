// Variance, extrema and their places, sums of a kind, vector norms, order statistics.

#include <sinter/graph/ops/functions/statistics.h>

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

Tensors both(const TensorPair& pair) { return {pair.first, pair.second}; }

// --- Variance ---------------------------------------------------------------------------------------------------

TEST(Variance, OfKnownRows) {
  Tensors x = {tensor_of({1, 2, 3, 4, -2, 0, 2, 4}, {2, 4})};
  expect_elements([](const Tensors& x) { return var(x[0], Dims{1}, false); }, x, f32, {1.25, 5});
  expect_elements([](const Tensors& x) { return var(x[0], Dims{0}); }, x, f32, {4.5, 2, 0.5, 0});
  expect_elements([](const Tensors& x) { return sinter::std(x[0], Dims{0, 1}, false); },
                  {tensor_of({1, 1, 5, 5}, {2, 2})}, f32, {2});
  expect_elements([](const Tensors& x) { return var_mean(x[0], Dims{1}, false).second; }, x, f32, {2.5, 1});
}

TEST(Variance, TakesTwoPassesAndSoKeepsSmallSpreadsFarFromZero) {
  expect_elements([](const Tensors& x) { return var(x[0], false); }, {tensor_of({4194304, 4194305}, {2})}, f32, {0.25});
}

TEST(Variance, OfTooFewElementsIsNotANumber) {
  auto spread = [](const Tensors& x) { return var(x[0], Dims{0}); };
  expect_elements(spread, {tensor_of({5}, {1})}, f32, {nan});
  expect_elements(spread, {tensor_of({}, {0, 2})}, f32, {nan, nan});
  expect_elements([](const Tensors& x) { return var_mean(x[0], Dims{0}).second; }, {tensor_of({}, {0, 2})}, f32,
                  {nan, nan});
  expect_elements(
      [](const Tensors& x) {
        return ops("aten::var.correction").call({x[0], Dims{0}}, {{"correction", 5}})[0].tensor();
      },
      {tensor_of({1, 2}, {2})}, f32, {infinity});
}

TEST(Variance, IsOneKernelWithTheMean) {
  auto rows = [](const Tensor& x) { return both(var_mean(x * 2.0, Dims{-1})); };
  EXPECT_EQ(kernel_count(rows, randn({8, 300})), 1);
  EXPECT_EQ(kernel_count([](const Tensor& x) { return both(std_mean(x, Dims{0})); }, randn({300, 40})), 1);
}

TEST(Variance, IsForFloatingTypes) {
  EXPECT_EQ(message_of([](const Tensors& x) { return var(x[0]); }, {tensor_of({1, 2}, {2}, i32)}),
            "var: is not implemented for i32");
}

// --- Extrema ----------------------------------------------------------------------------------------------------

TEST(Extremum, PlaceIsTheFirstOfEqualOnesOrOfNan) {
  auto place = [](const Tensors& x) { return argmax(x[0], 1); };
  expect_elements(place, {tensor_of({1, 3, 3, 2, nan, 9, nan, 1}, {2, 4})}, i64, {1, 0});
  expect_elements([](const Tensors& x) { return min(x[0], 0).second; }, {tensor_of({2, nan, 1, nan}, {4}, f16)}, i64,
                  {1});
  expect_elements([](const Tensors& x) { return max(x[0], 0).second; }, {tensor_of({0, 1, 1}, {3}, boolean)}, i64, {1});
  expect_elements([](const Tensors& x) { return argmin(x[0]); }, {tensor_of({-infinity, -infinity}, {2})}, i64, {0});
  // No element is above the identity of the reduction.
  expect_elements([](const Tensors& x) { return argmax(x[0]); }, {tensor_of({-infinity, -infinity}, {2})}, i64, {0});
}

TEST(Extremum, FlatPlaceFollowsTheLogicalOrder) {
  auto place = [](const Tensors& x) { return argmax((x[0] + 0.0).t()); };
  expect_elements(place, {tensor_of({0.1, 0.2, 1.5, 0.3, 1.0, 0.4}, {2, 3})}, i64, {4});
  expect_elements([](const Tensors& x) { return argmax(x[0], {}, true); }, {tensor_of({1, 2, 4, 3}, {2, 2})}, i64, {2});
  Tensor kept = result_of([](const Tensors& x) { return argmax(x[0], {}, true); }, {tensor_of({1, 2, 4, 3}, {2, 2})});
  EXPECT_EQ(to_string(kept.sizes()), "[1, 1]");
}

TEST(Extremum, OfRowsWithTheirPlacesIsOneKernel) {
  EXPECT_EQ(kernel_count([](const Tensor& x) { return argmax(x + 1.0, -1); }, randn({8, 300})), 1);
  EXPECT_EQ(kernel_count([](const Tensor& x) { return both(max(x, 0)); }, randn({300, 40})), 1);
  EXPECT_EQ(kernel_count([](const Tensor& x) { return both(aminmax(x, 1)); }, randn({8, 300})), 1);
}

TEST(Extremum, OfNothingDoesNotExist) {
  std::string message = "the reduction is over no elements and has no identity";
  Tensors x = {tensor_of({}, {0, 3})};
  EXPECT_EQ(message_of([](const Tensors& x) { return max(x[0]); }, x), "max: " + message);
  EXPECT_EQ(message_of([](const Tensors& x) { return argmax(x[0], 0); }, x), "argmax: " + message);
  expect_elements([](const Tensors& x) { return argmax(x[0], 1); }, x, i64, {});
  EXPECT_EQ(message_of([](const Tensors& x) { return argmin(x[0]); }, {tensor_of({1}, {1}, boolean)}),
            "argmin: is not implemented for bool");
}

// --- Sums of a kind ---------------------------------------------------------------------------------------------

TEST(Tally, LeavesOutNanAndZeros) {
  Tensors x = {tensor_of({1, nan, 3, nan, nan, nan}, {2, 3})};
  expect_elements([](const Tensors& x) { return nansum(x[0], {1}); }, x, f32, {4, 0});
  expect_elements([](const Tensors& x) { return nanmean(x[0], {1}); }, x, f32, {2, nan});
  expect_elements([](const Tensors& x) { return count_nonzero(x[0], {1}); }, {tensor_of({0, -0.0, nan, 2}, {2, 2})},
                  i64, {0, 2});
  expect_elements([](const Tensors& x) { return nansum(x[0]); }, {tensor_of({100, 100}, {2}, i8)}, i64, {200});
}

TEST(Tally, LogSumExpNeitherOverflowsNorTakesInfFromInf) {
  auto total = [](const Tensors& x) { return logsumexp(x[0], {-1}); };
  expect_elements(total, {tensor_of({1000, -infinity, infinity, 1, -infinity, -infinity}, {3, 2})}, f32,
                  {1000, infinity, -infinity});
  expect_elements(total, {tensor_of({nan, 1}, {2})}, f32, {nan});
  expect_elements(total, {tensor_of({}, {2, 0})}, f32, {-infinity, -infinity});
  expect_elements(total, {tensor_of({0}, {1}, i32)}, f32, {0});
  EXPECT_EQ(kernel_count([](const Tensor& x) { return logsumexp(x + 1.0, {-1}); }, randn({8, 300})), 1);
}

TEST(Tally, TraceOfAnyMatrix) {
  Tensors x = {tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}, u8)};
  expect_elements([](const Tensors& x) { return trace(x[0]); }, x, i64, {6});
  expect_elements([](const Tensors& x) { return trace(x[0].t() + 1); }, x, i64, {8});
  EXPECT_EQ(message_of([](const Tensors& x) { return trace(x[0][0]); }, x), "trace: a tensor of rank 1 has no trace");
}

// --- Norms ------------------------------------------------------------------------------------------------------

TEST(VectorNorm, OfEachOrder) {
  auto of_order = [](Scalar p) { return [p](const Tensors& x) { return norm(x[0], p, {0}); }; };
  Tensors x = {tensor_of({3, -4, 0}, {3})};
  expect_elements(of_order(2), x, f32, {5});
  expect_elements(of_order(1), x, f32, {7});
  expect_elements(of_order(0), x, f32, {2});
  expect_elements(of_order(infinity), x, f32, {4});
  expect_elements(of_order(-infinity), x, f32, {0});
  expect_elements(of_order(-1), {tensor_of({0.5, 0.5}, {2})}, f32, {0.25});
  expect_elements([](const Tensors& x) { return linalg_vector_norm(x[0], 2); }, {tensor_of({300, 400}, {2}, f16)}, f16,
                  {500});
  EXPECT_EQ(kernel_count([](const Tensor& x) { return norm(x * x, 2, {1}); }, randn({8, 300})), 1);
}

TEST(VectorNorm, OfNothing) {
  Tensors x = {tensor_of({}, {0})};
  expect_elements([](const Tensors& x) { return norm(x[0], 3); }, x, f32, {0});
  EXPECT_EQ(message_of([](const Tensors& x) { return linalg_vector_norm(x[0], infinity); }, x),
            "linalg_vector_norm: the reduction is over no elements and has no identity");
}

TEST(VectorNorm, DistanceAndRenorm) {
  Tensors x = {tensor_of({3, 0, 0, 0.5}, {2, 2}), tensor_of({4}, {1})};
  expect_elements([](const Tensors& x) { return dist(x[0], x[1], infinity); }, x, f32, {4});
  Tensor scaled = result_of([](const Tensors& x) { return renorm(x[0], 2, 0, 1.5); }, x);
  std::vector<double> elements = elements_of(scaled);
  EXPECT_NEAR(elements[0], 1.5, 1e-6);
  EXPECT_EQ(elements[3], 0.5);
  EXPECT_EQ(message_of([](const Tensors& x) { return renorm(x[0], 0, 0, 1); }, x), "renorm: p is 0");
}

// --- Order statistics -------------------------------------------------------------------------------------------

TEST(OrderStatistic, MedianIsTheLowerMiddleValueOrNan) {
  Tensors x = {tensor_of({4, 1, 3, 2, 1, nan, 2, nan}, {2, 4})};
  expect_elements([](const Tensors& x) { return median(x[0], 1).first; }, x, f32, {2, nan});
  expect_elements([](const Tensors& x) { return median(x[0], 1).second; }, x, i64, {3, 1});
  expect_elements([](const Tensors& x) { return nanmedian(x[0], 1).first; }, x, f32, {2, 1});
  expect_elements([](const Tensors& x) { return median(x[0].t(), 0).first; }, x, f32, {2, nan});
  expect_elements([](const Tensors& x) { return median(x[0]); }, {tensor_of({}, {0})}, f32, {nan});
  expect_elements([](const Tensors& x) { return nanmedian(x[0]); }, {tensor_of({5, 1, 1}, {3}, u8)}, u8, {1});
}

TEST(OrderStatistic, ModeIsTheSmallestOfTheMostFrequentValues) {
  Tensors x = {tensor_of({3, 1, 3, 1, 2}, {5}, i64)};
  expect_elements([](const Tensors& x) { return mode(x[0]).first; }, x, i64, {1});
  expect_elements([](const Tensors& x) { return mode(x[0]).second; }, x, i64, {3});
}

TEST(OrderStatistic, QuantilesOfEachInterpolation) {
  Tensors x = {tensor_of({8, 1, 4, 2}, {4})};
  auto middle = [](const char* how) { return [how](const Tensors& x) { return quantile(x[0], 0.5, {}, false, how); }; };
  expect_elements(middle("linear"), x, f32, {3});
  expect_elements(middle("lower"), x, f32, {2});
  expect_elements(middle("higher"), x, f32, {4});
  expect_elements(middle("midpoint"), x, f32, {3});
  expect_elements(middle("nearest"), x, f32, {4});
  EXPECT_EQ(message_of(middle("middle"), x), "quantile: interpolation is 'middle'");
}

TEST(OrderStatistic, QuantilesOfRowsComeFirst) {
  Tensors x = {tensor_of({0, 1, 2, 10, 11, 12}, {2, 3}), tensor_of({0, 0.25, 1}, {3})};
  auto quartiles = [](const Tensors& x) { return quantile(x[0], x[1], 1); };
  expect_elements(quartiles, x, f32, {0, 10, 0.5, 10.5, 2, 12});
  EXPECT_EQ(layout_of(result_of(quartiles, x)), "[3, 2] [1, 3]");
  Tensors with_nan = {tensor_of({nan, 1, 3}, {3})};
  expect_elements([](const Tensors& x) { return quantile(x[0], 0.5); }, with_nan, f32, {nan});
  expect_elements([](const Tensors& x) { return nanquantile(x[0], 0.5); }, with_nan, f32, {2});
  EXPECT_EQ(message_of([](const Tensors& x) { return quantile(x[0], 1.5); }, x), "quantile: q is 1.5");
  EXPECT_EQ(message_of(quartiles, {x[0], tensor_of({2}, {1})}), "quantile: q holds 2");
}

TEST(Integral, RunningAreasOverflowNoSoonerThanTheirSums) {
  auto areas = [](const Tensors& x) { return cumulative_trapezoid(x[0], 0.5); };
  expect_elements(areas, {tensor_of({1, 3, 5}, {3})}, f32, {1, 3});
  Tensor half = result_of([](const Tensors& x) { return cumulative_trapezoid(x[0].to(bf16), -0.5); },
                          {tensor_of({1e30, 1e30, 3e38, -1e30, -1e30}, {5})});
  EXPECT_TRUE(all(isfinite(half)).item<bool>());
}

}  // namespace
}  // namespace sinter::test
