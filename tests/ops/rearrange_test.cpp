// Views by other names, the copies and the scatters of views: layouts, memory, values.

#include <sinter/graph/ops/functions/view.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor named(const char* name, std::initializer_list<Value> arguments) {
  return ops(name).call(Values(arguments))[0].tensor();
}

TEST(Rearrange, DimsMove) {
  Tensor x = zeros({2, 3, 4});
  EXPECT_EQ(layout_of(movedim(x, 0, -1)), "[3, 4, 2] [4, 1, 12]");
  EXPECT_EQ(layout_of(movedim(x, Dims{0, 1}, Dims{1, 2})), "[4, 2, 3] [1, 12, 4]");
  EXPECT_EQ(layout_of(swapaxes(x, 0, 2)), "[4, 3, 2] [1, 4, 12]");
  EXPECT_EQ(layout_of(adjoint(x)), "[2, 4, 3] [12, 1, 4]");
  EXPECT_EQ(layout_of(named("aten::numpy_T", {x})), "[4, 3, 2] [1, 4, 12]");
  EXPECT_EQ(layout_of(unflatten(x, 2, {2, -1})), "[2, 3, 2, 2] [12, 4, 2, 1]");
  EXPECT_EQ(layout_of(unfold(x, 2, 3, 1)), "[2, 3, 2, 3] [12, 4, 1, 1]");
  EXPECT_EQ(layout_of(atleast_3d(zeros({2}))), "[1, 2, 1] [2, 1, 1]");
  EXPECT_EQ(layout_of(broadcast_tensors({zeros({2, 1}), zeros({3})})[1]), "[2, 3] [0, 1]");
}

TEST(Rearrange, CopiesOfViewsAreRowMajorAndFresh) {
  Tensor x = zeros({2, 3}).t();
  for (const char* name : {"aten::t_copy", "aten::alias_copy", "aten::squeeze_copy", "aten::detach_copy"}) {
    Tensor copy = named(name, {x});
    EXPECT_FALSE(copy.storage() == x.storage()) << name;
    EXPECT_TRUE(copy.is_contiguous()) << name;
  }
  EXPECT_EQ(layout_of(named("aten::view_copy", {x, SymDims{6}})), "[6] [1]");  // where no view has these sizes
}

TEST(Rearrange, ScattersReplaceWhatAViewShows) {
  Tensor x = tensor_of({1, 2, 3, 4, 5, 6}, {2, 3}), y = tensor_of({7, 8}, {2});
  expect_elements([](const Tensors& x) { return select_scatter(x[0], x[1], 1, -1); }, {x, y}, f32, {1, 2, 7, 4, 5, 8});
  expect_elements([](const Tensors& x) { return diagonal_scatter(x[0], x[1]); }, {x, y}, f32, {7, 2, 3, 4, 8, 6});
  expect_elements([](const Tensors& x) { return slice_scatter(x[0], x[1].unsqueeze(0), 1, 0, 3, 2); },
                  {tensor_of({1, 2, 3}, {1, 3}), y}, f32, {7, 2, 8});
  // Over an expanded tensor: each element has a place of its own in the result.
  expect_elements([](const Tensors& x) { return select_scatter(x[1].unsqueeze(0).expand({2, 2}), x[1] + 1.0, 0, 1); },
                  {x, y}, f32, {7, 8, 8, 9});
  auto first_place = [](const Tensors& x) {
    return named("aten::as_strided_scatter",
                 {x[0].unsqueeze(0).expand({3, 2}), x[1].select(0, 0), SymDims{}, SymDims{}});
  };
  expect_elements(first_place, {y, x[1]}, f32, {4, 8, 7, 8, 7, 8});
  EXPECT_EQ(layout_of(first_place({y, x[1]})), "[3, 2] [2, 1]");
  EXPECT_EQ(message_of([](const Tensors& x) { return select_scatter(x[0], x[1], 0, 0); }, {x, y}),
            "select_scatter: the view has sizes [3], what replaces it [2]");
}

TEST(Rearrange, AWriteThroughASliceIsPartOfTheKernel) {
  auto f = [](const Tensor& x) {
    Tensor y = exp(x);
    y.slice(1, 2, 9, 3).mul_(2.0);
    return y + 1.0;
  };
  Tensor x = randn({5, 12});
  EXPECT_EQ(kernel_count(f, x), 1);
  eager_and_compiled(f, x);
}

}  // namespace
}  // namespace sinter::test
