// Logical and bitwise ops.

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Logic, TruthIsBeingNonzero) {
  Tensors x = {tensor_of({0, -0.0, 0.5, std::nan("")}, {4}), tensor_of({0, 7, 0, 7}, {4}, i32)};
  expect_elements([](const Tensors& x) { return logical_and(x[0], x[1]); }, x, boolean, {0, 0, 0, 1});
  expect_elements([](const Tensors& x) { return logical_or(x[0], x[1]); }, x, boolean, {0, 1, 1, 1});
  expect_elements([](const Tensors& x) { return logical_xor(x[0], x[1]); }, x, boolean, {0, 1, 1, 0});
  expect_elements([](const Tensors& x) { return logical_not(x[0]); }, x, boolean, {1, 1, 0, 0});
}

TEST(Logic, OperandsComeToOneTypeFirst) {
  Tensors x = {tensor_of({1, 0}, {2}, u8), tensor_of({256}, {}, i64)};
  expect_elements([](const Tensors& x) { return logical_and(x[0], x[1]); }, x, boolean, {0, 0});
  expect_elements([](const Tensors& x) { return logical_or(x[0], x[1]); }, x, boolean, {1, 0});
}

TEST(Logic, LogicalOpsWriteIntoAnyType) {
  auto run = [](const Tensors& x) { return ops("aten::logical_not_")(x[0])[0].tensor(); };
  expect_elements(run, {tensor_of({0, 2.5}, {2})}, f32, {1, 0});
}

TEST(Logic, BitwiseOnIntegersAndBools) {
  Tensors x = {tensor_of({12, -1}, {2}, i8), tensor_of({10, 5}, {2}, i8), tensor_of({1, 0}, {2}, boolean)};
  expect_elements([](const Tensors& x) { return x[0] & x[1]; }, x, i8, {8, 5});
  expect_elements([](const Tensors& x) { return x[0] | x[1]; }, x, i8, {14, -1});
  expect_elements([](const Tensors& x) { return x[0] ^ x[1]; }, x, i8, {6, -6});
  expect_elements([](const Tensors& x) { return ~x[0]; }, x, i8, {-13, 0});
  expect_elements([](const Tensors& x) { return ~x[2]; }, x, boolean, {0, 1});
  expect_elements([](const Tensors& x) { return x[2] & 3; }, x, i64, {1, 0});
  expect_elements([](const Tensors& x) { return x[2] ^ true; }, x, boolean, {0, 1});
}

TEST(Logic, BitwiseOpsTakeNoFloats) {
  Tensors x = {tensor_of({1}, {1}), tensor_of({1}, {1}, i32)};
  EXPECT_EQ(message_of([](const Tensors& x) { return x[0] & x[0]; }, x), "bitwise_and: is not implemented for f32");
  EXPECT_EQ(message_of([](const Tensors& x) { return x[1] | 1.5; }, x), "bitwise_or: is not implemented for f32");
  EXPECT_EQ(message_of([](const Tensors& x) { return ~x[0]; }, x), "bitwise_not: is not implemented for f32");
}

}  // namespace
}  // namespace sinter::test
