// ceil, floor, round, trunc.

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Rounding, HalvesGoToTheEvenNumber) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensors x = {tensor_of({0.5, 1.5, 2.5, -0.5, -2.5, 2.75, -2.75}, {7}, dtype)};
    expect_elements([](const Tensors& x) { return round(x[0]); }, x, dtype, {0, 2, 2, -0.0, -2, 3, -3});
    expect_elements([](const Tensors& x) { return floor(x[0]); }, x, dtype, {0, 1, 2, -1, -3, 2, -3});
    expect_elements([](const Tensors& x) { return ceil(x[0]); }, x, dtype, {1, 2, 3, -0.0, -2, 3, -2});
    expect_elements([](const Tensors& x) { return trunc(x[0]); }, x, dtype, {0, 1, 2, -0.0, -2, 2, -2});
  }
}

TEST(Rounding, IntegersStay) {
  Tensors x = {tensor_of({-3, 4}, {2}, i16), tensor_of({1}, {1}, boolean)};
  expect_elements([](const Tensors& x) { return floor(x[0]); }, x, i16, {-3, 4});
  EXPECT_EQ(message_of([](const Tensors& x) { return round(x[1]); }, x), "round: is not implemented for bool");
}

TEST(Rounding, DecimalsOfHalvesGoBeyondTheirRange) {
  Tensors x = {tensor_of({-8.4765625, 1.234375, 123.375}, {3}, f16)};
  expect_elements([](const Tensors& x) { return round(x[0], 4); }, x, f16, {-8.4765625, 1.234375, 123.375});
  expect_elements([](const Tensors& x) { return round(x[0], 2); }, x, f16, {-8.4765625, 1.23046875, 123.375});
  expect_elements([](const Tensors& x) { return round(x[0], -1); }, x, f16, {-10, 0, 120});
}

}  // namespace
}  // namespace sinter::test
