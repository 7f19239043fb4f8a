// clone, contiguous, to, copy_, fill_, zero_.

#include <cmath>
#include <limits>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Copy, CloneKeepsTheOrderOfMemoryAndContiguousDoesNot) {
  Tensor x = tensor_of({0, 1, 2, 3, 4, 5}, {2, 3}).t();
  EXPECT_EQ(layout_of(x.clone()), "[3, 2] [1, 3]");
  EXPECT_EQ(layout_of(x.contiguous()), "[3, 2] [2, 1]");
  EXPECT_EQ(layout_of(x.slice(0, 0, 3, 2).clone()), "[2, 2] [1, 2]");
  EXPECT_EQ(layout_of(x.select(0, 1).expand({4, 2}).clone()), "[4, 2] [2, 1]");
  expect_elements([](const Tensors& x) { return x[0].clone(); }, {x}, f32, {0, 3, 1, 4, 2, 5});
  Tensor own = tensor_of({1}, {1});
  EXPECT_TRUE(own.contiguous().is_same(own));
  EXPECT_FALSE(own.clone().is_same(own));
}

TEST(Copy, ToTheSameTypeIsTheTensorItself) {
  Tensor x = tensor_of({1, 2}, {2});
  EXPECT_TRUE(x.to(f32).is_same(x));
  EXPECT_TRUE(x.to(cpu).is_same(x));
  EXPECT_FALSE(ops("aten::to.dtype")(x, f32, false, true)[0].tensor().is_same(x));
}

TEST(Copy, FloatsBecomeIntegersAsOnX86) {
  Tensors x = {tensor_of({2.9, -2.9, 300, -1, infinity, std::nan("")}, {6})};
  expect_elements([](const Tensors& x) { return x[0].to(i8); }, x, i8, {2, -2, 44, -1, 0, 0});
  expect_elements([](const Tensors& x) { return x[0].to(u8); }, x, u8, {2, 254, 44, 255, 0, 0});
  expect_elements([](const Tensors& x) { return x[0].to(i32); }, x, i32,
                  {2, -2, 300, -1, -2147483648.0, -2147483648.0});
  expect_elements([](const Tensors& x) { return x[0].to(boolean); }, x, boolean, {1, 1, 1, 1, 1, 1});
}

TEST(Copy, HalfTypesRoundToEven) {
  Tensors x = {tensor_of({1.00048828125, 1.00146484375, 65519, 65520, 1e-8}, {5})};
  expect_elements([](const Tensors& x) { return x[0].to(f16); }, x, f16, {1, 1.001953125, 65504, infinity, 0});
  Tensors y = {tensor_of({1.00390625, 1.01171875, 3.4e38}, {3})};
  expect_elements([](const Tensors& x) { return x[0].to(bf16); }, y, bf16, {1, 1.015625, infinity});
}

TEST(Copy, CopyConvertsAndBroadcastsIntoItsTarget) {
  auto copy_into = [](const Tensors& x) { return x[0].copy_(x[1]); };
  Tensor target = tensor_of({0, 0, 0, 0}, {2, 2}, i32);
  expect_elements(copy_into, {target, tensor_of({1.9, -2.9}, {2})}, i32, {1, -2, 1, -2});
  expect_elements(copy_into, {target.t(), tensor_of({1, 2, 3, 4}, {2, 2})}, i32, {1, 2, 3, 4});
  EXPECT_EQ(message_of(copy_into, {target, tensor_of({1, 2, 3}, {3})}), "copy_: sizes [3] do not broadcast to [2, 2]");
}

TEST(Copy, FillAndZeroWriteThroughViews) {
  auto run = [](const Tensors& x) {
    x[0].select(1, 0).fill_(7);
    x[0].slice(0, 1, 2).zero_();
    return x[0];
  };
  expect_elements(run, {tensor_of({1, 2, 3, 4}, {2, 2})}, f32, {7, 2, 0, 0});
}

TEST(Copy, AFilledValueMustFit) {
  Tensors x = {tensor_of({1}, {1}, u8)};
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].fill_(-2.5); }, x),
            "fill_: the number -2.5 does not fit into u8");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0].fill_(-256); }, x),
            "fill_: the number -256 does not fit into u8");
  expect_elements([](const Tensors& x) { return x[0].fill_(-9); }, x, u8, {247});
  expect_elements([](const Tensors& x) { return full_like(x[0], -1); }, x, u8, {255});
}

}  // namespace
}  // namespace sinter::test
