// The messages about sizes that only data tell.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

Tensor x() { return tensor_of({1, 2, 3, 4, 5, 6}, {6}); }
Tensor mask(std::vector<double> flags) { return tensor_of(flags, {6}, boolean); }

template <class F>
std::optional<Error> error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

class DataSizeErrors : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_device().is_cpu()) GTEST_SKIP() << "sizes that only data tell run op by op on a GPU";
  }
};

TEST_F(DataSizeErrors, ABranchOnACount) {
  uint32_t line = 0;
  auto f = compile([&](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x, mask);
    line = Here::current().line() + 1;
    if (chosen.size(0) > 3) return chosen * 2;
    return chosen;
  });
  auto error = error_of([&] { f(x(), mask({1, 0, 1, 0, 1, 1})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::trace);
  EXPECT_EQ(error->where().line(), line);
  EXPECT_EQ(error->message(), "compile: the function asks whether 3 < u0, and only data tell that size");
  ASSERT_EQ(error->notes().size(), 1u);
  EXPECT_EQ(error->notes()[0].label, "u0");
  EXPECT_EQ(error->notes()[0].text,
            fmt::format("from masked_select at data_size_test.cpp:{}; at least 0, at most 6", line - 2));
  EXPECT_EQ(error->need(),
            "check_size(size, min, max) before, where a range answers; or decide outside of the compiled function");
}

TEST_F(DataSizeErrors, ANumberOutOfData) {
  auto f = compile([&](const Tensor& x, const Tensor& mask) { return x * mask.sum().item<int64_t>(); });
  auto error = error_of([&] { f(x(), mask({1, 0, 1, 0, 1, 1})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::trace);
  EXPECT_EQ(error->where().line(), Here::current().line() - 4);
  EXPECT_EQ(error->message(), "compile: a number is needed where the size is u0, and only data tell that size");
}

TEST_F(DataSizeErrors, AStatedRangeThatDoesNotHold) {
  uint32_t line = 0;
  auto f = compile([&](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x, mask);
    line = Here::current().line() + 1;
    check_size(chosen.size(0), 2, 4);
    return chosen * 2;
  });
  f(x(), mask({1, 0, 1, 0, 0, 0}));
  auto few = error_of([&] { f(x(), mask({1, 0, 0, 0, 0, 0})); });
  ASSERT_TRUE(few);
  EXPECT_EQ(few->kind(), ErrorKind::argument);
  EXPECT_EQ(few->where().line(), line);
  EXPECT_EQ(few->message(), "check_size: u0 >= 2 does not hold: 1 >= 2");
  auto many = error_of([&] { f(x(), mask({1, 1, 1, 0, 1, 1})); });
  ASSERT_TRUE(many);
  EXPECT_EQ(many->message(), "check_size: 4 >= u0 does not hold: 4 >= 5");
}

TEST_F(DataSizeErrors, ARangeThatCannotBe) {
  auto f = compile([&](const Tensor& x, const Tensor& mask) {
    Tensor chosen = masked_select(x, mask);
    check_size(chosen.size(0), 7);
    return chosen;
  });
  auto error = error_of([&] { f(x(), mask({1, 0, 1, 0, 0, 0})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::argument);
  EXPECT_EQ(error_of([] { check_size(3, 4, 5); })->message(), "check_size: 3 is not from 4 to 5");
}

TEST_F(DataSizeErrors, SizesThatDoNotFit) {
  auto f = compile([](const Tensor& x, const Tensor& mask) { return masked_select(x, mask) + ones({2}); });
  f(x(), mask({1, 0, 1, 0, 0, 0}));
  auto error = error_of([&] { f(x(), mask({1, 0, 1, 0, 0, 1})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::shape);
  EXPECT_EQ(error->where().line(), Here::current().line() - 5);
  EXPECT_EQ(error->message(), "add: sizes do not broadcast ([3] vs [2])") << "as uncompiled";
}

// Where the call can't begin anew, for it has drawn random numbers.
TEST_F(DataSizeErrors, SizesThatDoNotFitBetweenEffects) {
  auto f = compile([](const Tensor& x, const Tensor& mask) { return masked_select(x + rand({6}), mask) + ones({2}); });
  f(x(), mask({1, 0, 1, 0, 0, 0}));
  auto error = error_of([&] { f(x(), mask({1, 0, 1, 0, 0, 1})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::shape);
  EXPECT_EQ(error->where().line(), Here::current().line() - 5);
  EXPECT_EQ(error->message(), "sizes that data tell do not fit here: u0 == 2 does not hold: 3 == 2");
}

// --- Custom ops -------------------------------------------------------------------------------------------------

// The elements greater than `above`.
Tensor greater(const Tensor& x, double above) { return masked_select(x, gt(x, above)); }

TEST_F(DataSizeErrors, ACustomOpMakesWhatItsFakeFunctionDoesNotSay) {
  CustomOp op = custom_op("mylib::greater", "(Tensor x, float above) -> Tensor", greater);
  op.register_fake([](const Tensor& x, double) { return empty({new_unknown_size(1, 4)}, x.dtype()); });
  auto f = compile([&](const Tensor& x, double above) { return op(x, above) * 2; });
  EXPECT_EQ(elements_of(f(x(), 3.0)), (std::vector<double>{8, 10, 12}));
  auto few = error_of([&] { f(x(), 9.0); });
  ASSERT_TRUE(few);
  EXPECT_EQ(few->kind(), ErrorKind::argument);
  EXPECT_EQ(few->message(), "mylib::greater: what its fake function says of its result: u0 >= 1 does not hold: 0 >= 1");
  op.register_fake([](const Tensor&, double) { return empty({new_unknown_size()}, f64); });
  auto dtype = error_of([&] { f(x(), 3.0); });
  ASSERT_TRUE(dtype);
  EXPECT_NE(dtype->message().find("but its fake function said f64"), std::string::npos) << dtype->what();
}

}  // namespace
}  // namespace sinter::test
