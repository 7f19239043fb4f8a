// Ops that draw: types, ranges, seeds (the generator itself is tested in runtime).

#include <sinter/runtime/random.h>

#include <cmath>

#include "support/op_checks.h"

namespace sinter::test {
namespace {

TEST(Random, ValuesLieInTheirRanges) {
  manual_seed(1);
  for (double value : elements_of(rand({1000}))) EXPECT_TRUE(value >= 0 && value < 1) << value;
  for (double value : elements_of(randint(-3, 4, {1000}))) EXPECT_TRUE(value >= -3 && value < 4) << value;
  double total = 0, squares = 0;
  for (double value : elements_of(randn({10000}, f64))) {
    total += value;
    squares += value * value;
  }
  EXPECT_NEAR(total / 10000, 0, 0.05);
  EXPECT_NEAR(squares / 10000, 1, 0.05);
}

TEST(Random, TypesAndLayouts) {
  EXPECT_EQ(rand({2}).dtype(), f32);
  EXPECT_EQ(randn({2}, bf16).dtype(), bf16);
  EXPECT_EQ(randint(5, {2}).dtype(), i64);
  EXPECT_EQ(layout_of(randn_like(zeros({2, 3}).t())), "[3, 2] [1, 3]");
}

TEST(Random, ASeedRepeatsTheNumbers) {
  manual_seed(7);
  Tensor first = randn({100}), second = randn({100});
  EXPECT_FALSE(equal(first, second));
  manual_seed(7);
  EXPECT_TRUE(equal(first, randn({100})));
  manual_seed(7);
  auto compiled = compile([](const Tensor& x) { return x * 0 + randn({100}); });
  EXPECT_TRUE(equal(first, compiled(zeros({100}))));
  EXPECT_TRUE(equal(second, compiled(zeros({100}))));
}

TEST(Random, Errors) {
  EXPECT_EQ(message_of([](const Tensors&) { return randint(3, 3, {1}); }), "randint: the range [3, 3) is empty");
  EXPECT_EQ(message_of([](const Tensors&) { return randn({1}, i32); }), "randn: is not implemented for i32");
}

}  // namespace
}  // namespace sinter::test
