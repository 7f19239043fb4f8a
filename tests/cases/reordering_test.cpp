// Pads, splits and rolls: each stage's own wrap or fill holds, whatever they are merged with.

#include <gtest/gtest.h>

#include "cases/known_answers.h"

namespace sinter::test {
namespace {

Tensor pad_front(const Tensor& x) { return op("aten::constant_pad_nd", x, Dims{1, 0}, 0); }

// Rule out: the predicates of a pad dropped when a reduction or a scan is split.
TEST(ShapeBroadcast, B032_APadOfALongSumKeepsItsFill) {
  for (int64_t n : {64, 4096, 16384, 100000}) {
    expect_results({make(boolean, {1, n}, std::vector<double>(n, 1.0))},
                   [](Tensors x) -> Tensors {
                     Tensor total = op("aten::to.dtype", op("aten::sum.dim_IntList", x[0], Dims{1}), i32);
                     return {pad_front(total), pad_front(op("aten::mul.Scalar", total, 2))};
                   },
                   {{0, static_cast<double>(n)}, {0, 2 * static_cast<double>(n)}});
  }
}

TEST(ShapeBroadcast, B032_APadOfALongScanKeepsItsFill) {
  for (int64_t n : {64, 4096, 16384}) {
    std::vector<double> want = {0};
    for (int64_t i = 1; i <= n; ++i) want.push_back(static_cast<double>(i));
    expect_results({make(boolean, {n}, std::vector<double>(n, 1.0))},
                   [](Tensors x) -> Tensors {
                     Tensor counted = op("aten::cumsum", x[0], 0);
                     return {pad_front(counted), op("aten::amax", pad_front(op("aten::neg", counted)))};
                   },
                   {want, {0}});
  }
}

// Rule out: parts recognised by their set and not by order and count.
TEST(ShapeBroadcast, B033_PartsOfASplitJoinInAnyOrder) {
  auto joined = [](std::vector<int> order) {
    return [order](Tensors x) -> Tensors {
      Values parts = ops("aten::split_with_sizes")(x[0], Dims{2, 2, 3}, 0);
      Tensors chosen;
      for (int i : order) chosen.push_back(parts[i].tensor());
      return {op("aten::cat", chosen, 0)};
    };
  };
  Tensor x = count_up(f32, {7});
  expect_results({x}, joined({1, 0, 2}), {{2, 3, 0, 1, 4, 5, 6}});
  expect_results({x}, joined({0, 2}), {{0, 1, 4, 5, 6}});
  expect_results({x}, joined({0, 0, 1, 2}), {{0, 1, 0, 1, 2, 3, 4, 5, 6}});
}

// Rule out: a slice of a roll merged without the roll's wrap.
TEST(Indexing, B080_ASliceOfARollGoesRound) {
  std::vector<double> tens;
  for (int i = 0; i < 9; ++i) tens.push_back(10.0 * i);
  for (int64_t shift : {4, -5, 13}) {
    expect_results({make(i32, {9}, tens)},
                   [shift](Tensors x) -> Tensors {
                     Tensor rolled = op("aten::roll", x[0], Dims{shift}, Dims{0});
                     return {rolled, op("aten::slice.Tensor", rolled, 0, 5, 9, 1)};
                   },
                   {{50, 60, 70, 80, 0, 10, 20, 30, 40}, {10, 20, 30, 40}});
  }
}

}  // namespace
}  // namespace sinter::test
