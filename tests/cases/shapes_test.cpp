// Broadcasting, joins, slices, views and strides: the place of every element.

#include <gtest/gtest.h>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

Tensor slice(const Tensor& x, int64_t start, int64_t end, int64_t step = 1, int64_t dim = 0) {
  return op("aten::slice.Tensor", x, dim, start, end, step);
}
Tensor cat(const Tensors& parts, int64_t dim = 0) { return op("aten::cat", parts, dim); }
Tensor add(const Tensor& a, const Value& b) { return op("aten::add.Tensor", a, b); }

// Rule out: the predicates of a joined edge dropped when a reduction is split.
TEST(ShapeBroadcast, B032_AnEdgeJoinedToALongSumKeepsItsFill) {
  for (int64_t n : {64, 4096, 16384, 100000}) {
    expect_results({make(boolean, {1, n}, std::vector<double>(n, 1.0))},
                   [](Tensors x) -> Tensors {
                     Tensor total = op("aten::to.dtype", op("aten::sum.dim_IntList", x[0], Dims{1}), i32);
                     Tensor edge = ops("aten::zeros").call({Dims{1}}, {{"dtype", i32}})[0].tensor();
                     return {cat({edge, total}), cat({edge, add(total, 1), edge})};
                   },
                   {{0, static_cast<double>(n)}, {0, static_cast<double>(n + 1), 0}});
  }
}

TEST(ShapeBroadcast, B033_ConcatenationKeepsOrderAndCount) {
  Tensor x = count_up(f32, {7});
  auto parts = [](const Tensor& t) { return Tensors{slice(t, 0, 2), slice(t, 2, 4), slice(t, 4, 7)}; };
  auto check = [&](std::vector<int> order, std::vector<double> want) {
    expect_results({x},
                   [&](Tensors in) -> Tensors {
                     Tensors all = parts(in[0]), chosen;
                     for (int i : order) chosen.push_back(all[i]);
                     return {cat(chosen)};
                   },
                   {want});
  };
  check({1, 0, 2}, {2, 3, 0, 1, 4, 5, 6});
  check({0, 2}, {0, 1, 4, 5, 6});
  check({0, 0, 1, 2}, {0, 1, 0, 1, 2, 3, 4, 5, 6});
  check({0, 1, 2}, {0, 1, 2, 3, 4, 5, 6});
}

TEST(ShapeBroadcast, B033_ConcatenationAlongInnerDims) {
  Tensor x = count_up(f32, {2, 4});
  expect_results({x},
                 [](Tensors in) -> Tensors { return {cat({slice(in[0], 2, 4, 1, 1), slice(in[0], 0, 2, 1, 1)}, 1)}; },
                 {{2, 3, 0, 1, 6, 7, 4, 5}});
}

TEST(ShapeBroadcast, B034_TwoSlicesOfARange) {
  in_both_modes([] { return Tensors{}; },
                [](Tensors) -> Tensors {
                  Tensor t = op("aten::arange", 10);
                  return {add(slice(t, 0, 5), slice(t, 5, 10))};
                },
                [](const Tensors& results, const Tensors&) { expect_values(results[0], {5, 7, 9, 11, 13}); });
}

TEST(ShapeBroadcast, B034_GeneratedValuesWithOtherExtents) {
  in_both_modes([] { return Tensors{count_up(f32, {3, 4})}; },
                [](Tensors x) -> Tensors {
                  Tensor ones = ops("aten::full").call({Dims{6, 4}, 2.0})[0].tensor();
                  Tensor range = ops("aten::arange").call({8}, {{"dtype", f32}})[0].tensor();
                  return {add(add(x[0], slice(ones, 3, 6)), slice(range, 1, 8, 2))};
                },
                [](const Tensors& results, const Tensors&) {
                  expect_values(results[0], {3, 6, 9, 12, 7, 10, 13, 16, 11, 14, 17, 20});
                });
}

TEST(ShapeBroadcast, B035_ATensorAgainstItsOwnKeptMaximum) {
  Tensor x = count_up(f32, {1, 2, 2, 2, 2, 64});
  in_both_modes([&] { return Tensors{x}; },
                [](Tensors in) -> Tensors {
                  Tensor m = op("aten::amax", in[0], Dims{2, 4}, true);
                  Tensor e = op("aten::eq.Tensor", in[0], m);
                  return {op("aten::sum", e), op("aten::sum.dim_IntList", e, Dims{2, 4}),
                          op("aten::all", op("aten::eq.Tensor", op("aten::where.self", e, in[0], m), m))};
                },
                [](const Tensors& results, const Tensors&) {
                  expect_values(results[0], {256});
                  expect_values(results[1], std::vector<double>(256, 1.0));
                  expect_values(results[2], {1});
                });
}

// The recorded roll is slices in another order, then a slice that crosses the seam.
TEST(ShapeBroadcast, B080_SliceOfRotatedValues) {
  std::vector<double> tens;
  for (int i = 0; i < 9; ++i) tens.push_back(10 * i);
  for (int64_t shift = 1; shift < 9; ++shift)
    for (int64_t start : {0, 3, 5, 7}) {
      std::vector<double> want;
      for (int64_t i = start; i < std::min<int64_t>(start + 4, 9); ++i) want.push_back(tens[(i - shift + 9) % 9]);
      expect_results({make(i32, tens)},
                     [&](Tensors x) -> Tensors {
                       Tensor rolled = cat({slice(x[0], 9 - shift, 9), slice(x[0], 0, 9 - shift)});
                       return {slice(rolled, start, start + 4)};
                     },
                     {want});
    }
}

TEST(StrideViewAlias, B040_AViewOfAnInputThatStartsAtAnOffset) {
  in_both_modes([] { return Tensors{op("aten::select.int", count_up(f32, {3, 4, 5, 6}), 0, 2)}; },
                [](Tensors x) -> Tensors { return {op("aten::select.int", x[0], 1, 2)}; },
                [](const Tensors& results, const Tensors& inputs) {
                  EXPECT_EQ(sizes_of(results[0]), (std::vector<int64_t>{4, 6}));
                  EXPECT_EQ(strides_of(results[0]), (std::vector<int64_t>{30, 1}));
                  EXPECT_EQ(results[0].storage_offset().constant(), 252);
                  EXPECT_TRUE(results[0].storage() == inputs[0].storage());
                  std::vector<double> values = values_of(results[0]);
                  EXPECT_EQ(values[0], 252);
                  EXPECT_EQ(values[6], 282);
                  EXPECT_EQ(values[12], 312);
                  EXPECT_EQ(values[18], 342);
                });
}

TEST(StrideViewAlias, B041_StridesOfAnAllocatedResultAreKept) {
  Tensor base = count_up(f32, {16, 16});
  in_both_modes([&] { return Tensors{base}; },
                [](Tensors x) -> Tensors {
                  Tensor v = slice(x[0], 0, 8, 1, 1);
                  Tensor target = slice(op("aten::empty.memory_format", Dims{16, 16}), 0, 8, 1, 1);
                  op("aten::copy_", target, add(v, v));
                  return {target};
                },
                [](const Tensors& results, const Tensors&) {
                  EXPECT_EQ(strides_of(results[0]), (std::vector<int64_t>{16, 1}));
                  std::vector<double> want;
                  for (int i = 0; i < 16; ++i)
                    for (int j = 0; j < 8; ++j) want.push_back(2 * (16 * i + j));
                  expect_values(results[0], want);
                });
}

TEST(StrideViewAlias, B041_ReadingAResultByItsStrides) {
  in_both_modes([] { return Tensors{count_up(f32, {3, 4})}; },
                [](Tensors x) -> Tensors {
                  Tensor t =
                      op("aten::add.Tensor", op("aten::t", x[0]), 1);  // pointwise keeps the memory order of its input
                  return {t, op("aten::as_strided", t, Dims{3, 4}, Dims{4, 1}, 0)};
                },
                [](const Tensors& results, const Tensors&) {
                  EXPECT_EQ(strides_of(results[0]), (std::vector<int64_t>{1, 4}));
                  std::vector<double> want;
                  for (int i = 0; i < 12; ++i) want.push_back(i + 1);
                  expect_values(results[1], want);
                });
}

TEST(StrideViewAlias, B042_AStridedInputThatIsWrittenKeepsItsLayout) {
  in_both_modes([] { return Tensors{slice(count_up(f32, {10}), 0, 10, 2)}; },
                [](Tensors x) -> Tensors {
                  op("aten::add_.Tensor", x[0], 1);
                  return {op("aten::clone", op("aten::as_strided", x[0], Dims{3}, Dims{2}, 0))};
                },
                [](const Tensors& results, const Tensors& inputs) {
                  expect_values(results[0], {1, 3, 5});
                  expect_values(inputs[0], {1, 3, 5, 7, 9});
                  Tensor whole = op("aten::as_strided", inputs[0], Dims{10}, Dims{1}, 0);
                  expect_values(whole, {1, 1, 3, 3, 5, 5, 7, 7, 9, 9});
                });
}

// A window sum by shifted slices: out = 2x + 5y, as all offsets cancel in pairs.
TEST(Reduction, B066_AWindowSumEqualsThePlainLoop) {
  constexpr int64_t n = 128, padded = n + 4;
  std::vector<double> grid, want;
  for (int64_t y = -2; y < n + 2; ++y)
    for (int64_t x = -2; x < n + 2; ++x) grid.push_back(2 * x + 5 * y);
  for (int64_t y = 0; y < n; ++y)
    for (int64_t x = 0; x < n; ++x) want.push_back(25 * (2 * x + 5 * y));
  auto window = [](const Tensor& t, int64_t dim, auto combine) {
    Tensors parts;
    for (int64_t i = 0; i < 5; ++i) parts.push_back(slice(t, i, i + n, 1, dim));
    return combine(parts);
  };
  auto chain = [](const Tensors& parts) {
    Tensor sum = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) sum = add(sum, parts[i]);
    return sum;
  };
  auto stacked = [](const Tensors& parts) {
    return op("aten::to.dtype", op("aten::sum.dim_IntList", op("aten::stack", parts, 0), Dims{0}), i32);
  };
  Tensor input = make(i32, {padded, padded}, grid);
  expect_results({input}, [&](Tensors x) -> Tensors { return {window(window(x[0], 0, chain), 1, chain)}; }, {want});
  expect_results({input}, [&](Tensors x) -> Tensors { return {window(window(x[0], 0, stacked), 1, chain)}; }, {want});
  expect_results({input}, [&](Tensors x) -> Tensors { return {window(window(x[0], 0, chain), 1, stacked)}; }, {want});
}

// The same as windows of a view, summed at once, over 25 in integers.
TEST(Reduction, B066_AWindowSumOfUnfoldedDims) {
  constexpr int64_t n = 128;
  std::vector<double> grid, want;
  for (int64_t y = -2; y < n + 2; ++y)
    for (int64_t x = -2; x < n + 2; ++x) grid.push_back(2 * x + 5 * y);
  for (int64_t y = 0; y < n; ++y)
    for (int64_t x = 0; x < n; ++x) want.push_back(2 * x + 5 * y);
  auto unfold = [](const Tensor& t, int64_t dim) { return op("aten::unfold", t, dim, 5, 1); };
  Tensor input = make(i32, {n + 4, n + 4}, grid);
  expect_results({input},
                 [&](Tensors x) -> Tensors {
                   Tensor windows = unfold(unfold(x[0], 0), 1);
                   Tensor rows = op("aten::sum.dim_IntList", windows, Dims{-1});
                   Tensor at_once = op("aten::sum.dim_IntList", windows, Dims{-1, -2});
                   auto over = [](const Tensor& sum) { return op("aten::floor_divide", sum, 25); };
                   return {over(at_once), over(op("aten::sum.dim_IntList", rows, Dims{-1}))};
                 },
                 {want, want});
}

// The values; their places are tested with the orders.
TEST(Reduction, B065_ExtremesOfBooleans) {
  for (int64_t rows = 1; rows <= 8; ++rows)
    for (int64_t width : {1, 7, 8, 32, 33}) {
      std::vector<double> values, least(width), greatest(width);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < width; ++j) values.push_back(j % 3 == 0 ? i % 2 == 0 : j % 3 == 1);
      for (int64_t j = 0; j < width; ++j) {
        least[j] = j % 3 == 1 || (j % 3 == 0 && rows == 1);
        greatest[j] = j % 3 != 2;
      }
      expect_results({make(boolean, {rows, width}, values)},
                     [](Tensors x) -> Tensors {
                       return {op("aten::amin", x[0], Dims{0}), op("aten::amax", x[0], Dims{0}),
                               op("aten::any.dim", x[0], 0), op("aten::all.dim", x[0], 0)};
                     },
                     {least, greatest, greatest, least});
    }
}

TEST(Reduction, B064_FullReductionsFollowLogicalOrder) {
  // cat of a transposed view, flattened: row-major over the transpose.
  expect_results({make(f32, {2, 3}, {1, 2, 3, 4, 5, 6})},
                 [](Tensors x) -> Tensors { return {op("aten::reshape", op("aten::t", x[0]), Dims{-1})}; },
                 {{1, 4, 2, 5, 3, 6}});
}

}  // namespace
}  // namespace sinter::test
