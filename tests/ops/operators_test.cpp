// The operators of the language: which op they call, and whose line an error names.

#include <sinter/graph/trace.h>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

// The op that a function of two tensors records.
template <class F>
std::string recorded(F function) {
  graph::Trace trace;
  TensorMeta meta{f32, cpu, contiguous_layout({2})};
  Tensor x = trace.add_input(meta, "x", Here::current()), y = trace.add_input(meta, "y", Here::current());
  graph::ActivateTrace activate(&trace);
  function(x, y);
  return trace.graph().nodes.back()->op->name();
}

TEST(Operators, CallTheOverloadOfTheirOperands) {
  EXPECT_EQ(recorded([](auto& x, auto& y) { return x + y; }), "aten::add.Tensor");
  EXPECT_EQ(recorded([](auto& x, auto&) { return x * 2.0; }), "aten::mul.Scalar");
  EXPECT_EQ(recorded([](auto& x, auto&) { return 2 + x; }), "aten::add.Scalar");
  EXPECT_EQ(recorded([](auto& x, auto&) { return 2 - x; }), "aten::rsub.Scalar");
  EXPECT_EQ(recorded([](auto& x, auto&) { return 2 < x; }), "aten::gt.Scalar");
  EXPECT_EQ(recorded([](auto& x, auto& y) { return x == y; }), "aten::eq.Tensor");
  EXPECT_EQ(recorded([](auto& x, auto&) { return -x; }), "aten::neg.default");
}

TEST(Operators, MixedOperandsGiveTheirValues) {
  Tensors x = {tensor_of({1, 2, 4}, {3})};
  expect_elements([](const Tensors& x) { return 2.0 - x[0]; }, x, f32, {1, 0, -2});
  expect_elements([](const Tensors& x) { return 2 / x[0]; }, x, f32, {2, 1, 0.5});
  expect_elements([](const Tensors& x) { return (x[0] > 1) & (4 > x[0]); }, x, boolean, {0, 1, 0});
}

TEST(Operators, ErrorsNameTheUsersLine) {
  Tensor x = tensor_of({1, 2}, {2}), y = tensor_of({1, 2, 3}, {3});
  int line = 0;
  try {
    line = __LINE__ + 1;
    (void)(x + y);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.where().line()), line);
    EXPECT_EQ(short_location(error.where()), fmt::format("operators_test.cpp:{}", line));
  }
}

TEST(Operators, UndefinedTensorsAreNamed) {
  EXPECT_EQ(message_of([](const Tensors&) { return Tensor() + 1; }), "add: `self` may not be None");
}

TEST(Operators, CompoundAssignmentsWriteIntoTheTensor) {
  auto steps = [](const Tensors& x) {
    Tensor y = x[0] + 0.0;
    y += x[1];
    y *= 2;
    y -= 1.0;
    y /= x[1];
    y[0] += 10;
    return y;
  };
  expect_elements(steps, {tensor_of({1, 2}, {2}), tensor_of({1, 4}, {2})}, f32, {13, 2.75});
  auto bits = [](const Tensors& x) {
    Tensor y = x[0] + 0;
    y |= 8;
    y &= x[1];
    y ^= 1;
    return y;
  };
  expect_elements(bits, {tensor_of({1, 2}, {2}, i32), tensor_of({15, 8}, {2}, i32)}, i32, {8, 9});
}

TEST(Operators, RemaindersAndShiftsTakeNumbersOnEitherSide) {
  Tensors x = {tensor_of({3, -2}, {2}, i32)};
  expect_elements([](const Tensors& x) { return x[0] % 2; }, x, i32, {1, 0});
  expect_elements([](const Tensors& x) { return 7 % x[0]; }, x, i32, {1, -1});
  expect_elements([](const Tensors& x) { return x[0] << 1; }, x, i32, {6, -4});
  expect_elements([](const Tensors& x) { return 64 >> abs(x[0]); }, x, i32, {8, 16});
}

}  // namespace
}  // namespace sinter::test
