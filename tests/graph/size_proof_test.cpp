// Proofs about sizes: what is shown, and what is rightly not.

#include <sinter/graph/size_proof.h>
#include <sinter/graph/sym_expr.h>

#include <gtest/gtest.h>

namespace sinter {
namespace {

SymInt s(int index) { return SymInt::symbol(index, 10 + index); }

TEST(SizeProof, SymbolsAreAtLeastOne) {
  EXPECT_TRUE(is_never_negative(s(0) - 1));
  EXPECT_FALSE(is_never_negative(s(0) - 2));
  EXPECT_TRUE(is_never_negative(s(0) * s(1) - 1));
  EXPECT_TRUE(is_never_negative(s(0) * s(1) - s(0)));
  EXPECT_FALSE(is_never_negative(s(0) - s(1)));
  EXPECT_FALSE(is_never_negative(-s(0)));
}

TEST(SizeProof, RangesAndFactsHelp) {
  KnownSizes known;
  known.symbols = {{4, 16}, {1, 3}};
  EXPECT_TRUE(is_never_negative(s(0) - s(1), known));
  EXPECT_TRUE(is_never_negative(16 - s(0), known));
  EXPECT_FALSE(is_never_negative(15 - s(0), known));
  known.never_negative.push_back(s(3) - s(2) - 1);  // s2 < s3
  EXPECT_TRUE(is_never_negative(s(3) * 2 - s(2) - s(3), known));
  EXPECT_FALSE(is_never_negative(s(3) - s(2) - 2, known));
}

TEST(SizeProof, CallsHaveRanges) {
  KnownSizes known;
  EXPECT_TRUE(is_never_negative(floor_div(s(0), 4), known));
  EXPECT_TRUE(is_never_negative(3 - mod(s(0), 4), known));
  EXPECT_TRUE(is_never_negative(s(0) - min(s(0), s(1)), known));
  EXPECT_TRUE(is_never_negative(max(s(0) - s(1), 0), known));
  EXPECT_FALSE(is_never_negative(floor_div(s(0), 4) - 1, known));
}

TEST(SizeProof, QuotientsLieBetweenWholeNumbers) {
  KnownSizes known;
  EXPECT_TRUE(is_never_negative(s(0) - floor_div(s(0), 2) * 2, known));
  EXPECT_FALSE(is_never_negative(s(0) - floor_div(s(0), 2) * 2 - 1, known));
  EXPECT_TRUE(is_never_negative(floor_div(s(0), 4) * 4 + 3 - s(0), known));
  EXPECT_FALSE(is_never_negative(floor_div(s(0), 4) * 4 + 2 - s(0), known));
  // The last window of three, two apart and with one more at either end, lies inside.
  EXPECT_TRUE(is_never_negative(s(0) + 2 - (floor_div(s(0) - 1, 2) * 2 + 3), known));
  EXPECT_TRUE(is_never_negative(s(0) * s(1) - floor_div(s(0), 8) * s(1) * 8, known));
  EXPECT_FALSE(is_never_negative(floor_div(s(0), 8) * (s(1) - 5), known));
}

TEST(SizeProof, MinAndMaxAreDecidedWhereTheyCanBe) {
  EXPECT_TRUE(max(s(0), 1).same(s(0)));
  EXPECT_TRUE(min(s(0), s(0) * 2).same(s(0)));
  EXPECT_FALSE(max(s(0), 2).same(s(0)));
}

TEST(SizeProof, ExactQuotients) {
  EXPECT_TRUE(exact_quotient(s(0) * 8 + 4, 4)->same(s(0) * 2 + 1));
  EXPECT_TRUE(exact_quotient(s(0) * s(1) * 6, s(1) * 3)->same(s(0) * 2));
  EXPECT_TRUE(exact_quotient(s(0) * s(0) + s(0), s(0) + 1)->same(s(0)));
  EXPECT_FALSE(exact_quotient(s(0) * 8 + 1, 4));
  EXPECT_FALSE(exact_quotient(s(0), s(1)));
  EXPECT_TRUE(floor_div(s(0) * 8, 8).same(s(0)));
  EXPECT_TRUE(mod(s(0) * 8, 4).same(0));
}

TEST(SizeProof, Substitution) {
  SymInt value = floor_div(s(0) + 1, s(1)) * 3 + s(1);
  std::vector<SymInt> numbers = {9, 5};
  EXPECT_EQ(substitute(value, numbers).constant(), 11);
  std::vector<SymInt> renamed = {s(1), s(1)};
  EXPECT_TRUE(substitute(s(0) * 2 - s(1), renamed).same(s(1)));
}

}  // namespace
}  // namespace sinter
