// Pads of every mode: the elements at the edges, cutting, memory order, gradients, fusion, errors.

#include <sinter/graph/ops/functions/view.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

Tensor row() { return tensor_of({1, 2, 3, 4}, {1, 4}); }
auto padded(SymDims by, std::string mode) {
  return [by, mode](const Tensors& x) { return pad(x[0], by, mode); };
}

TEST(Pad, EachModeHasItsEdges) {
  expect_elements(padded({2, 1}, "constant"), {row()}, f32, {0, 0, 1, 2, 3, 4, 0});
  expect_elements(padded({2, 1}, "reflect"), {row()}, f32, {3, 2, 1, 2, 3, 4, 3});
  expect_elements(padded({2, 1}, "replicate"), {row()}, f32, {1, 1, 1, 2, 3, 4, 4});
  expect_elements(padded({2, 1}, "circular"), {row()}, f32, {3, 4, 1, 2, 3, 4, 1});
  expect_elements([](const Tensors& x) { return constant_pad_nd(x[0], {0, 0, 1, 0}, -1.5); }, {row()}, f32,
                  {-1.5, -1.5, -1.5, -1.5, 1, 2, 3, 4});
  expect_elements([](const Tensors& x) { return constant_pad_nd(x[0], {1, 0}, 2.7); }, {tensor_of({5}, {1}, i32)}, i32,
                  {2, 5});
}

TEST(Pad, NegativeAmountsCut) {
  expect_elements(padded({-1, 2}, "constant"), {row()}, f32, {2, 3, 4, 0, 0});
  expect_elements(padded({-1, 2}, "reflect"), {row()}, f32, {2, 3, 4, 3, 2});
  expect_elements(padded({-1, 2}, "circular"), {row()}, f32, {2, 3, 4, 2, 3});  // what is cut does not come round
  expect_elements(padded({-2, -2}, "constant"), {row()}, f32, {});
}

TEST(Pad, EmptyTensorsPadToTheFill) {
  expect_elements([](const Tensors& x) { return pad(x[0], {1, 1}, "constant", 7); }, {tensor_of({}, {2, 0})}, f32,
                  {7, 7, 7, 7});
  expect_elements(padded({1, 1}, "replicate"), {tensor_of({}, {0, 2, 3})}, f32, {});
}

TEST(Pad, MemoryOrderIsAtens) {
  Tensor channels = zeros({2, 4, 5, 3}).permute({0, 3, 1, 2});
  EXPECT_EQ(layout_of(pad(channels, {1, 2, 0, 1})), "[2, 3, 5, 8] [120, 1, 24, 3]");
  EXPECT_EQ(layout_of(pad(channels, {1, 2, 0, 1}, "reflect")), "[2, 3, 5, 8] [120, 1, 24, 3]");
  EXPECT_EQ(layout_of(pad(channels, {1, 2, 0, 1}, "circular")), "[2, 3, 5, 8] [120, 40, 8, 1]");
  EXPECT_EQ(layout_of(pad(zeros({4, 3}).t(), {-1, 0})), "[3, 3] [1, 3]");  // a copy of a view
}

TEST(Pad, GradientsAddUpWhereElementsWereRepeated) {
  auto gradient = [](const char* name, Tensors x) { return ops(name)(x[0], x[1], Dims{2, 1})[0].tensor(); };
  Tensors x = {tensor_of({1, 2, 4, 8, 16, 32, 64}, {1, 7}), row()};
  expect_elements([&](const Tensors& x) { return gradient("aten::replication_pad1d_backward", x); }, x, f32,
                  {7, 8, 16, 96});
  expect_elements([&](const Tensors& x) { return gradient("aten::reflection_pad1d_backward", x); }, x, f32,
                  {4, 10, 81, 32});
}

TEST(Pad, FusesWithWhatComesBeforeAndAfter) {
  Tensor x = randn({2, 3, 19, 23});
  for (const char* mode : {"constant", "reflect", "replicate", "circular"}) {
    auto all = [mode](const Tensor& x) { return pad(exp(x), {1, 2, 3, 0}, mode) * 2.0; };
    EXPECT_EQ(kernel_count(all, x), 1) << mode;
    eager_and_compiled(all, x);
  }
  auto reduced = [](const Tensor& x) { return sum(pad(x, {3, 3, 1, 0}, "reflect"), {-1}); };
  EXPECT_EQ(kernel_count(reduced, x), 1);
  eager_and_compiled(reduced, x);
}

TEST(Pad, ComputedValuesEndWhereTheTensorEnds) {
  Tensor x = tensor_of({1, 2}, {1, 2}), all = tensor_of({1, 1}, {1, 2}, boolean);
  expect_elements([](const Tensors& x) { return pad(x[0] - 2, {1, 2}); }, {x}, f32, {0, -1, 0, 0, 0});
  expect_elements([](const Tensors& x) { return pad(exp(x[0] * 0), {1, 0, 0, 1}); }, {x}, f32, {0, 1, 1, 0, 0, 0});
  expect_elements([](const Tensors& x) { return pad(full({1, 1}, 3) + 0 * x[0], {1, 0}); }, {x}, f32, {0, 3, 3});
  expect_elements([](const Tensors& x) { return pad(eq(x[0], x[0]), {1, 1}); }, {x}, boolean, {0, 1, 1, 0});
  expect_elements([](const Tensors& x) { return pad(where(x[0], 0.0, full({}, -2.5)), {1, 1}); }, {all}, f32,
                  {0, 0, 0, 0});
  expect_elements([](const Tensors& x) { return pad(where(x[0], 3.0, full({}, -2.5)), {1, 1}); }, {all}, f32,
                  {0, 3, 3, 0});
  expect_elements([](const Tensors& x) { return block_diag({x[0] | -1, x[0]}); }, {tensor_of({5}, {1, 1}, i64)}, i64,
                  {-1, 0, 0, 5});
  Tensor large = randn({40, 100});  // in stretches between joints
  eager_and_compiled([](const Tensor& x) { return pad(x - 2, {3, 5, 1, 2}); }, large);
  eager_and_compiled([](const Tensor& x) { return pad(pad(x - 2, {3, 5}) + 1, {1, 1}, "constant", 7) * 2; }, large);
}

TEST(Pad, ErrorsNameTheAmounts) {
  EXPECT_EQ(message_of(padded({1}, "constant"), {row()}), "pad: 1 numbers to pad by");
  EXPECT_EQ(message_of(padded({-3, -2}, "constant"), {row()}), "pad: dim 1 of the result would have size -1");
  EXPECT_EQ(message_of(padded({4, 0}, "reflect"), {row()}), "pad: pads dim 1 of size 4 by 4 and 0");
  EXPECT_EQ(message_of(padded({5, 0}, "circular"), {row()}), "pad: pads dim 1 of size 4 by 5 and 0");
  EXPECT_EQ(message_of(padded({1, 1}, "wrap"), {row()}), "pad: there is no mode `wrap`");
}

}  // namespace
}  // namespace sinter::test
