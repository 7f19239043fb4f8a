// Searches, places of extremes, and scans: what depends on the order of elements and on where they lie.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Tensor slice(const Tensor& x, int64_t start, int64_t end, int64_t step = 1, int64_t dim = 0) {
  return op("aten::slice.Tensor", x, dim, start, end, step);
}
Tensor search(const Tensor& boundaries, const Tensor& values, bool right) {
  return ops("aten::searchsorted.Tensor").call({boundaries, values}, {{"right", right}})[0].tensor();
}

// Rule out: a buffer's pointer taken for a view.
TEST(StrideViewAlias, B043_ASearchInASliceBeginsAtTheSlice) {
  std::vector<double> values, places, doubled;
  for (int i = 0; i < 12; ++i) {
    values.push_back(i);
    places.push_back(i < 3 ? 0 : i < 7 ? 1 : 2);
    doubled.push_back(2 * places.back());
  }
  for (DType dtype : {i32, i64, f32, f64})
    expect_results({make(dtype, {0, 3, 7, 12}), make(dtype, values)},
                   [](Tensors x) -> Tensors {
                     Tensor found = search(slice(x[0], 1, 4), x[1], true);
                     return {found, op("aten::mul.Tensor", found, 2)};
                   },
                   {places, doubled});
}

TEST(StrideViewAlias, B043_SearchesInSteppedAndComputedBoundaries) {
  // Every second boundary: 3, 12; those of a value made in the function; bucketize, whose arguments are swapped.
  expect_results({make(f32, {0, 3, 7, 12, 13}), make(f32, {2, 3, 11, 12, 20})},
                 [](Tensors x) -> Tensors {
                   Tensor stepped = slice(x[0], 1, 5, 2), moved = op("aten::add.Tensor", slice(x[0], 1, 4), 1);
                   return {search(stepped, x[1], true), search(moved, x[1], false),
                           op("aten::bucketize.Tensor", x[1], stepped)};
                 },
                 {{0, 1, 1, 2, 2}, {0, 0, 2, 2, 3}, {0, 0, 1, 1, 2}});
}

// Rule out: places in memory order.
TEST(Reduction, B064_APlaceIsCountedInLogicalOrder) {
  expect_results({make(f32, {2, 3}, {0.1, 0.2, 1.5, 0.3, 1.0, 0.4})},
                 [](Tensors x) -> Tensors {
                   Tensor copy = op("aten::clone", x[0]);
                   op("aten::sin_", copy);
                   Tensor turned = op("aten::t", copy);
                   return {op("aten::argmax", turned), op("aten::argmin", turned),
                           op("aten::argmax", turned, 1, false)};
                 },
                 {{4}, {0}, {1, 1, 0}});
}

TEST(Reduction, B064_OfEqualValuesTheFirstInLogicalOrder) {
  for (int64_t rows : {1, 3, 8, 17, 33})
    for (int64_t columns : {1, 7, 16, 33}) {
      std::vector<double> values(rows * columns, 1.0);
      values[(rows - 1) * columns] = 2;  // in the transpose: element rows - 1
      if (columns > 1) values[columns - 1] = 2;
      double want = columns > 1 && rows == 1 ? 0 : static_cast<double>(rows - 1);
      expect_results({make(f32, {rows, columns}, values)},
                     [](Tensors x) -> Tensors { return {op("aten::argmax", op("aten::t", x[0]))}; }, {{want}});
    }
}

// Rule out: masks compared as numbers.
TEST(Reduction, B065_PlacesOfExtremesOfBooleans) {
  for (int64_t rows = 1; rows <= 8; ++rows)
    for (int64_t width : {1, 7, 8, 32, 33}) {
      std::vector<double> values, least(width), least_at(width), greatest(width), greatest_at(width, 0);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < width; ++j) values.push_back(j % 3 == 0 ? i % 2 == 0 : j % 3 == 1);
      for (int64_t j = 0; j < width; ++j) {
        bool alternates = j % 3 == 0;
        least[j] = j % 3 == 1 || (alternates && rows == 1);
        least_at[j] = alternates && rows > 1 ? 1 : 0;
        greatest[j] = j % 3 != 2;
      }
      expect_results({make(boolean, {rows, width}, values)},
                     [](Tensors x) -> Tensors {
                       Values low = ops("aten::min.dim")(x[0], 0), high = ops("aten::max.dim")(x[0], 0);
                       return {low[0].tensor(), low[1].tensor(), high[0].tensor(), high[1].tensor()};
                     },
                     {least, least_at, greatest, greatest_at});
    }
}

// Rule out: blocks joined by a subtraction.
TEST(ScanSort, B071_SumsOfInfinitiesAreInfinite) {
  for (DType dtype : {f32, f64, f16, bf16})
    for (int64_t length : {1, 2, 3, 31, 32, 33, 1000, 4097}) {
      std::vector<double> all(length, infinity), below(length, -infinity);
      expect_results({make(dtype, all)},
                     [](Tensors x) -> Tensors {
                       return {op("aten::cumsum", x[0], 0), op("aten::cumsum", op("aten::neg", x[0]), 0),
                               op("aten::cumprod", x[0], 0)};
                     },
                     {all, below, all});
    }
}

TEST(ScanSort, B071_InfinitiesOfBothSignsAreNanFromThereOn) {
  std::vector<double> values(100, 1.0), want;
  values[40] = infinity;
  values[70] = -infinity;
  for (int i = 0; i < 100; ++i)
    want.push_back(i < 40 ? i + 1 : i < 70 ? infinity : std::numeric_limits<double>::quiet_NaN());
  expect_results({make(f64, values)}, [](Tensors x) -> Tensors { return {op("aten::cumsum", x[0], 0)}; }, {want});
}

// Rule out: a second way for long scans that misses what is fused into it.
TEST(ScanSort, B072_ALongScanOfABroadcastSum) {
  for (int64_t n : {128, 129, 130, 1025}) {
    std::vector<double> columns(64), sums, products(64, 1.0);
    products[0] = 0;
    for (int j = 0; j < 64; ++j) columns[j] = j;
    for (int64_t i = 0; i < n; ++i)
      for (int j = 0; j < 64; ++j) sums.push_back(static_cast<double>(i + 1) * j);
    expect_results({make(f32, {1, n, 64}, std::vector<double>(n * 64, 0.0)), make(f32, columns)},
                   [](Tensors x) -> Tensors {
                     Tensor sum = op("aten::add.Tensor", x[0], x[1]);
                     Tensor product = op("aten::cumprod", op("aten::clamp", sum, 0, 1), 1);
                     return {op("aten::cumsum", sum, 1), op("aten::amin", product, Dims{0, 1})};
                   },
                   {sums, products});
  }
}

}  // namespace
}  // namespace sinter::test
