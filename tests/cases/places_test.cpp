// Indices that data hold: bounds of each family of ops, and writes that later reads see.

#include <gtest/gtest.h>

#include <cstdlib>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

Tensor index(const Tensor& x, const Tensor& at) { return op("aten::index.Tensor", x, Tensors{at}); }

// Rule out: no check where there is no element.
TEST(ZeroSizeScalar, B059_AnIndexIntoNothingIsAnError) {
  for (DType dtype : {f32, i8}) {
    auto inputs = [dtype] { return Tensors{make(dtype, {0}, {}), make(i64, {0})}; };
    expect_error(inputs, [](Tensors x) -> Tensors { return {index(x[0], x[1])}; }, ErrorKind::argument, "out of range");
    expect_error(
        inputs, [](Tensors x) -> Tensors { return {op("aten::gather", x[0], 0, x[1])}; }, ErrorKind::argument,
        "out of range");
    expect_error(
        inputs, [](Tensors x) -> Tensors { return {op("aten::index_select", x[0], 0, x[1])}; }, ErrorKind::argument,
        "out of range");
    expect_error(inputs, [](Tensors x) -> Tensors { return {op("aten::take", x[0], x[1])}; }, ErrorKind::argument);
  }
}

TEST(ZeroSizeScalar, B059_NothingOfNothingIsNothing) {
  in_both_modes([] { return Tensors{make(f32, {0}, {}), make(i64, {0}, {}), count_up(f32, {3})}; },
                [](Tensors x) -> Tensors {
                  return {index(x[0], x[1]), op("aten::gather", x[0], 0, x[1]), op("aten::index_select", x[0], 0, x[1]),
                          index(x[2], x[1])};
                },
                [](const Tensors& results, const Tensors&) {
                  for (const Tensor& result : results) EXPECT_EQ(sizes_of(result), std::vector<int64_t>{0});
                });
}

// Rule out: one helper that wraps negative indices for all.
TEST(IndexingScatter, B077_AScatterRejectsNegativeIndices) {
  auto inputs = [] {
    return Tensors{make(f32, {1, 2, 3, 4}), make(i64, {0, 1, 0, 1, 2, -1}), make(f32, {1, 2, 3, 4, 5, 6})};
  };
  expect_error(
      inputs, [](Tensors x) -> Tensors { return {op("aten::scatter_reduce.two", x[0], 0, x[1], x[2], "sum")}; },
      ErrorKind::argument, "-1");
  expect_error(
      inputs, [](Tensors x) -> Tensors { return {op("aten::scatter_add", x[0], 0, x[1], x[2])}; }, ErrorKind::argument,
      "-1");
  expect_error(
      inputs, [](Tensors x) -> Tensors { return {op("aten::scatter.src", x[0], 0, x[1], x[2])}; }, ErrorKind::argument,
      "-1");
  expect_error(
      inputs, [](Tensors x) -> Tensors { return {op("aten::scatter.value", x[0], 0, x[1], 7)}; }, ErrorKind::argument,
      "-1");
  expect_error(
      inputs, [](Tensors x) -> Tensors { return {op("aten::index_add", x[0], 0, x[1], x[2])}; }, ErrorKind::argument);
}

TEST(IndexingScatter, B077_IndexingAloneWraps) {
  expect_results({make(f32, {1, 2, 3, 4}), make(i64, {0, 1, -1, -4})},
                 [](Tensors x) -> Tensors { return {index(x[0], x[1]), op("aten::take", x[0], x[1])}; },
                 {{1, 2, 4, 1}, {1, 2, 4, 1}});
}

// Rule out: a reader that is fused before the write.
TEST(IndexingScatter, B078_AReaderSeesWhatWasAdded) {
  for (DType dtype : {f64, f32})
    expect_results({make(dtype, {0}), make(i64, {0}), make(dtype, {0.625})},
                   [](Tensors x) -> Tensors {
                     Tensor added = ops("aten::index_add").call({x[0], 0, x[1], x[2]}, {{"alpha", 2}})[0].tensor();
                     return {op("aten::div.Tensor", added, 2), op("aten::clone", x[2])};
                   },
                   {{0.625}, {0.625}});
}

TEST(IndexingScatter, B078_EveryScatterIsReadAfterIt) {
  for (int64_t length : {1, 7, 16, 33, 1000}) {
    std::vector<double> at(length), source(length), twice(length);
    for (int64_t i = 0; i < length; ++i) {
      at[i] = static_cast<double>(length - 1 - i);
      source[i] = static_cast<double>(i);
      twice[i] = 2 * static_cast<double>(length - 1 - i);
    }
    expect_results({make(f32, std::vector<double>(length, 0.0)), make(i64, at), make(f32, source)},
                   [](Tensors x) -> Tensors {
                     auto doubled = [](const Tensor& t) { return op("aten::mul.Tensor", t, 2); };
                     return {doubled(op("aten::scatter.src", x[0], 0, x[1], x[2])),
                             doubled(op("aten::scatter_add", x[0], 0, x[1], x[2])),
                             doubled(op("aten::index_copy", x[0], 0, x[1], x[2])),
                             doubled(op("aten::index_put", x[0], Tensors{x[1]}, x[2]))};
                   },
                   {twice, twice, twice, twice});
  }
}

// Rule out: bounds that differ between families.
TEST(IndexingScatter, B079_AGatherRejectsNegativeClasses) {
  expect_error([] { return Tensors{count_up(f32, {2, 3}), make(i64, {2, 1}, {0, -1})}; },
               [](Tensors x) -> Tensors { return {op("aten::gather", x[0], 1, x[1])}; }, ErrorKind::argument, "-1");
}

TEST(IndexingScatter, B079_ALossRejectsWhatItDoesNotIgnore) {
  auto inputs = [] { return Tensors{make(f32, {2, 3}, {-1, -2, -3, -4, -5, -6}), make(i64, {1, -1})}; };
  auto loss = [](int64_t ignored) {
    return [ignored](Tensors x) -> Tensors {
      return {op("aten::nll_loss_nd", x[0], x[1], Value(), 1, ignored),
              op("aten::nll_loss_nd", op("aten::mul.Tensor", x[0], 2), x[1], Value(), 2, ignored)};
    };
  };
  expect_error(inputs, loss(-100), ErrorKind::argument, "-1");
  expect_results(inputs(), loss(-1), {{2}, {4}});
}

// Rule out: an address in the index's own type.
TEST(LargeIndex, B087_RowsBeyondTwoToThe31) {
  if (!std::getenv("SINTER_LARGE_TESTS")) GTEST_SKIP() << "set SINTER_LARGE_TESTS for a matrix of 3 GiB";
  constexpr int64_t columns = int64_t{1} << 30;
  Tensor row = make(i32, {2});
  auto ones = [] { return op("aten::expand", make(i8, {1, 1}, {1}), Dims{1, columns}); };
  in_both_modes(
      [&] { return Tensors{ops("aten::zeros").call({Dims{3, columns}}, {{"dtype", i8}})[0].tensor(), row, ones()}; },
      [](Tensors x) -> Tensors {
        op("aten::index_put_", x[0], Tensors{x[1]}, x[2]);
        return {op("aten::sum.dim_IntList", x[0], Dims{1}), op("aten::sum", op("aten::index_select", x[0], 0, x[1]))};
      },
      [](const Tensors& results, const Tensors&) {
        expect_values(results[0], {0, 0, static_cast<double>(columns)});
        expect_values(results[1], {static_cast<double>(columns)});
      });
}

}  // namespace
}  // namespace sinter::test
