// Index arithmetic: canonical sums, quotients and remainders under ranges, and values checked point by point.

#include <sinter/fusion/index_expr.h>

#include <sinter/graph/layout.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace sinter::fusion {
namespace {

IndexExpr i(int axis) { return IndexExpr::axis(axis); }
const SymInt extents[] = {4, 6, 5};

TEST(IndexExpr, SumsAreCanonical) {
  EXPECT_EQ(to_string(i(1) * 3 + i(0) + 2 + i(1)), "i0 + 4*i1 + 2");
  EXPECT_EQ(to_string(i(0) - i(0)), "0");
  EXPECT_TRUE(i(0) + i(1) == i(1) + i(0));
}

TEST(IndexExpr, MultiplesLeaveTheQuotient) {
  EXPECT_EQ(to_string(floor_div(i(0) * 6 + i(1), 6, extents)), "i0");
  EXPECT_EQ(to_string(mod(i(0) * 6 + i(1), 6, extents)), "i1");
  EXPECT_EQ(to_string(floor_div(i(0) * 6 + i(1) - 12, 6, extents)), "i0 - 2");
  EXPECT_EQ(to_string(floor_div(i(0) * 30 + i(1) * 5 + i(2), 5, extents)), "6*i0 + i1");
}

TEST(IndexExpr, WhatTheRangeDoesNotAllowStays) {
  EXPECT_EQ(to_string(floor_div(i(1) + i(2), 6, extents)), "(i1 + i2) // 6");
  EXPECT_FALSE(floor_div(i(1) + i(2), 6, extents).is_affine());
  EXPECT_FALSE(mod(i(1) - 1, 6, extents).is_affine());  // -1 % 6 is 5
}

TEST(IndexExpr, AReshapeAndItsInverseMeet) {
  const SymInt flat[] = {120};
  Index index = index_from_linear(i(0), {4, 6, 5}, {30, 5, 1}, 0, flat, nullptr);
  EXPECT_EQ(to_string(linear_index(index, {30, 5, 1}, 0)), "i0");
  EXPECT_FALSE(index[0].is_affine());
}

TEST(IndexExpr, RemaindersStayAtTheEndsOrGoBackAndForth) {
  EXPECT_EQ(to_string(clamp(i(1) - 2, 4, extents)), "clamp(i1 - 2, 4)");
  EXPECT_EQ(to_string(mirror(i(1) - 2, 4, extents)), "mirror(i1 - 2, 4)");
  EXPECT_EQ(to_string(clamp(i(1) + 1, 7, extents)), "i1 + 1");  // never outside
  EXPECT_EQ(to_string(mirror(i(1), 6, extents)), "i1");
  int64_t mirrored[] = {2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0};
  for (int64_t at = -4; at <= 6; ++at) {
    EXPECT_EQ(evaluate(QuotientKind::clamp, at, 4), std::clamp<int64_t>(at, 0, 3));
    EXPECT_EQ(evaluate(QuotientKind::mirror, at, 4), mirrored[at + 4]) << at;
  }
  EXPECT_EQ(range_of(mirror(i(1) * 9 - 20, 4, extents), extents).high.hint(), 3);
  EXPECT_EQ(to_string(substitute(clamp(i(1) - 2, 4, extents), std::vector<IndexExpr>{0, i(0) + 2, 0}, extents)), "i0");
}

TEST(IndexExpr, AgreesWithArithmeticAtEveryPoint) {
  // Sums with all kinds of coefficients, divided and reduced by all kinds of divisors, over negative values too.
  for (int64_t a : {1, 2, 5, 6, 12, -3})
    for (int64_t b : {1, 3, 6, -1})
      for (int64_t c : {0, 1, -7, 30})
        for (int64_t divisor : {1, 2, 3, 4, 6, 12, 30}) {
          IndexExpr expr = i(0) * a + i(1) * b + i(2) + c;
          IndexExpr quotient = floor_div(expr, divisor, extents), remainder = mod(expr, divisor, extents);
          IndexExpr again = floor_div(quotient, 2, extents), nested = mod(remainder, 2, extents);
          IndexExpr whole = quotient * divisor + remainder;
          IndexRange range = range_of(quotient, extents);
          for (int64_t x = 0; x < 4; ++x)
            for (int64_t y = 0; y < 6; ++y)
              for (int64_t z = 0; z < 5; ++z) {
                int64_t at[] = {x, y, z};
                int64_t value = x * a + y * b + z + c;
                int64_t q = floor_div(SymInt(value), SymInt(divisor)).hint(), r = value - q * divisor;
                ASSERT_EQ(evaluate(quotient, at), q) << to_string(expr) << " // " << divisor;
                ASSERT_EQ(evaluate(remainder, at), r) << to_string(expr) << " % " << divisor;
                ASSERT_EQ(evaluate(whole, at), value) << to_string(whole);
                ASSERT_EQ(evaluate(again, at), floor_div(SymInt(q), 2).hint());
                ASSERT_EQ(evaluate(nested, at), r % 2);
                ASSERT_LE(range.low.hint(), q);
                ASSERT_GE(range.high.hint(), q);
              }
        }
}

TEST(IndexExpr, SubstitutionRenamesAxes) {
  const SymInt merged[] = {24, 5};
  IndexExpr expr = i(0) * 30 + i(1) * 5 + i(2);
  Index axes = {floor_div(i(0), 6, merged), mod(i(0), 6, merged), i(1)};
  EXPECT_EQ(to_string(substitute(expr, axes, merged)), "5*i0 + i1");
}

TEST(IndexExpr, AWindowHasConditions) {
  const SymInt rows[] = {8, 10};
  std::vector<IndexExpr> conditions;
  Index index = index_from_linear(i(0) * 10 + i(1), {3, 10}, {10, 1}, 20, rows, &conditions);
  EXPECT_EQ(to_string(index), "[i0 - 2, i1]");
  int64_t inside[] = {4, 3}, outside[] = {5, 3};
  auto holds = [&](std::span<const int64_t> at) {
    return std::all_of(conditions.begin(), conditions.end(), [&](const IndexExpr& c) { return evaluate(c, at) >= 0; });
  };
  EXPECT_TRUE(holds(inside));
  EXPECT_FALSE(holds(outside));
}

}  // namespace
}  // namespace sinter::fusion
