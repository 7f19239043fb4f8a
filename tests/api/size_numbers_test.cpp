// Sizes as numbers: compared, and as what operators take: right at every size, and few compiles.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

Tensor numbers(int64_t count, DType dtype = f32) {
  std::vector<double> values;
  int64_t least = dtype == u8 ? 0 : -9;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>(i * 37 % 23 + least) / (is_floating(dtype) ? 4 : 1));
  return tensor_of(values, {count}, dtype);
}

// One compiled function of vectors of many lengths agrees with the plain one; gives the compiles.
template <class F>
int64_t compiles_for(F function, const std::vector<int64_t>& sizes, DType dtype = f32) {
  auto fast = compile(function, {.entry_limit = 64, .dynamic = Dynamic::always});
  for (int64_t size : sizes) {
    Tensor x = numbers(size, dtype);
    std::vector<Tensor> expected = tensors_of(function(x)), actual = tensors_of(fast(x));
    for (size_t i = 0; i < expected.size(); ++i)
      expect_same_bits(actual[i], expected[i], fmt::format("size {}, result {}", size, i));
  }
  return fast.stats().compiles;
}

const std::vector<int64_t> sizes = {6, 7, 4, 5, 33, 16};

TEST(SizeNumbers, AScalarThatIsASizeIsComparedAsTheSizeIs) {
  const std::vector<int64_t> around_five = {7, 5, 6, 3, 5, 7};
  auto is_five = [](const Tensor& x) { return Scalar(x.size(0)) == 5 ? x + 1 : x - 1; };
  auto is_not_five = [](const Tensor& x) { return Scalar(x.size(0)) != 5 ? x + 1 : x - 1; };
  auto is_five_by_scalar = [](const Tensor& x) { return Scalar(x.size(0)) == Scalar(5) ? x + 1 : x - 1; };
  auto is_own_double = [](const Tensor& x) { return Scalar(x.size(0) * 2 - 5) == Scalar(x.size(0)) ? x + 1 : x - 1; };
  EXPECT_EQ(compiles_for(is_five, around_five), 2);
  EXPECT_EQ(compiles_for(is_not_five, around_five), 2);
  EXPECT_EQ(compiles_for(is_five_by_scalar, around_five), 2);
  EXPECT_EQ(compiles_for(is_own_double, around_five), 2);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return Scalar(x.size(0)) < 6 ? x + 1 : x - 1; }, around_five), 2);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return Scalar(x.size(0)) >= 6 ? x + 1 : x - 1; }, around_five), 2);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return 6 <= Scalar(x.size(0)) ? x + 1 : x - 1; }, around_five), 2);
}

TEST(SizeNumbers, AFloatBesideASizeIsItsNumber) {
  auto f = [](const Tensor& x) { return Scalar(x.size(0)) < 5.5 ? x + 1 : x - 1; };
  EXPECT_EQ(compiles_for(f, {7, 5, 6, 3, 5, 7}), 4) << "each size";
}

TEST(SizeNumbers, FactorsOfOperatorsAreNoDecisions) {
  EXPECT_EQ(compiles_for([](const Tensor& x) { return add(x, x, x.size(0)); }, sizes), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return sub(x, x, x.size(0) - 6); }, sizes), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return add(x, x, x.size(0)); }, sizes, i64), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return elu(x, x.size(0)); }, sizes), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return constant_pad_nd(x, {1, 2}, x.size(0) - 6); }, sizes), 1);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return addcmul(x, x, x, x.size(0)); }, sizes), 1);
  auto products = [](const Tensor& x) {
    SymInt n = x.size(0);
    Tensor row = x.unsqueeze(0), square = ones({n, n}, x.dtype());
    return std::pair(addmm(row, row, square, n, n * 2), addr(square, x, x, n, n));
  };
  EXPECT_EQ(compiles_for(products, sizes), 1);
}

TEST(SizeNumbers, AFactorOfZeroLeavesTheOtherOut) {
  auto f = [](const Tensor& x) {
    Tensor row = (x / 0.0).unsqueeze(0);  // times 0 it would be NaN
    return addmm(row, x.unsqueeze(0), ones({x.size(0), x.size(0)}), x.size(0) - 6, 1);
  };
  EXPECT_EQ(compiles_for(f, {7, 6, 8, 6}), 2);
}

// Those with a formula of their own.
TEST(SizeNumbers, ExponentsAreTheNumbersTheyAre) {
  auto f = [](const Tensor& x) { return pow(x, x.size(0) - 6); };
  EXPECT_EQ(compiles_for(f, {16, 33, 6, 7, 8, 9, 5, 4, 10, 16}), 7);
  EXPECT_EQ(compiles_for([](const Tensor& x) { return pow(x, x.size(0)); }, {16, 33, 5, 4}, i64), 1);
}

TEST(SizeNumbers, WhatANarrowTypeHoldsIsARange) {
  auto f = [](const Tensor& x) { return clamp(x, Scalar(-3), x.size(0)); };
  EXPECT_EQ(compiles_for(f, {6, 7, 127, 33}, i8), 1);
  auto remainder = [](const Tensor& x) { return x % Scalar(x.size(0)); };
  EXPECT_EQ(compiles_for(remainder, {6, 7, 127, 33}, i8), 1);
  auto fast = compile(remainder, {.dynamic = Dynamic::always});
  fast(numbers(6, u8));
  EXPECT_THROW(fast(numbers(256, u8)), Error) << "256 is 0 in u8";
  EXPECT_THROW(remainder(numbers(256, u8)), Error);
}

TEST(SizeNumbers, RangesUpAndDown) {
  auto f = [](const Tensor& x) {
    SymInt n = x.size(0);
    return std::vector<Tensor>{arange(n, 0, -1), arange(n, -n, -3), arange(-n, n, 2), arange(n - 1, -1, -1, f32) + x};
  };
  EXPECT_EQ(compiles_for(f, {6, 7, 1, 5, 33, 2}), 1);
  auto down = [](const Tensor& x) { return arange(x.size(0) * 2, x.size(0), 1); };
  auto fast = compile(down, {.dynamic = Dynamic::always});
  EXPECT_THROW(fast(numbers(3)), Error);
}

Tensor number_of(SymInt value) { return full({1}, value); }

TEST(SizeNumbers, DivisionByNumbersOfEitherSign) {
  auto f = [](const Tensor& x) {
    SymInt n = x.size(0);
    return std::vector<Tensor>{number_of(floor_div(n, -2)),  number_of(mod(n, -3)), number_of(ceil_div(n, -4)),
                               number_of(floor_div(-n, 2)),  number_of(mod(-n, 3)), number_of(ceil_div(-n, 4)),
                               number_of(floor_div(-n, -5)), number_of(mod(-n, -5))};
  };
  EXPECT_EQ(compiles_for(f, {6, 7, 1, 5, 33, 2}), 1);
  EXPECT_EQ(floor_div(7, -2).constant(), -4);
  EXPECT_EQ(mod(7, -2).constant(), -1);
  EXPECT_EQ(mod(-7, -2).constant(), -1);
  EXPECT_EQ(ceil_div(7, -2).constant(), -3);
}

// A size that a function divides by has the sign that it had, by a guard.
TEST(SizeNumbers, DivisionByWhatMayBeNoSize) {
  auto f = [](const Tensor& x) {
    SymInt by = x.size(0) - 6;
    Tensor quotient = number_of(floor_div(100, by));
    return std::pair(quotient, zeros({mod(50, by * by)}));
  };
  EXPECT_EQ(compiles_for(f, {9, 8, 33, 4, 3, 1, 7}), 2);
  for (auto order : {std::vector<int64_t>{9, 6, 3, 6}, {3, 6, 9, 6}, {6, 9}}) {
    auto fast = compile(f, {.dynamic = Dynamic::always});
    for (int64_t size : order) {
      if (size != 6) {
        expect_same_bits(fast(numbers(size)).first, f(numbers(size)).first);
        continue;
      }
      try {
        fast(numbers(size));
        ADD_FAILURE() << "divided by 0";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::argument);
        EXPECT_EQ(error.message(), "floor_div: a size is divided by 0");
        EXPECT_NE(std::string(error.what()).find("size_numbers_test.cpp"), std::string::npos) << error.what();
      }
    }
  }
}

TEST(SizeNumbers, DivisionByZeroIsTheCallersError) {
  for (auto divide : {+[] { return floor_div(7, 0); }, +[] { return mod(7, 0); }, +[] { return ceil_div(7, 0); }}) {
    try {
      divide();
      ADD_FAILURE() << "divided by 0";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::argument);
    }
  }
}

}  // namespace
}  // namespace sinter::test
