// Decisions on sizes: what is recorded, what follows from it, and what is known without.

#include <sinter/graph/shape_facts.h>

#include <gtest/gtest.h>

namespace sinter::graph {
namespace {

struct Facts : ::testing::Test {
  ShapeFacts facts;
  SymInt a = facts.add_symbol({.hint = 4, .source = "x.size(0)"});
  SymInt b = facts.add_symbol({.hint = 4, .source = "y.size(0)"});
  ActivateShapeFacts active{&facts};

  std::vector<std::string> guards() const {
    std::vector<std::string> lines;
    for (const ShapeGuard& guard : facts.guards()) lines.push_back(to_string(guard, facts.symbols()));
    return lines;
  }
};

using Lines = std::vector<std::string>;

TEST_F(Facts, TheExampleAnswersAndTheAnswerIsAGuard) {
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a < 3);
  EXPECT_EQ(guards(), (Lines{"x.size(0) == y.size(0)", "x.size(0) >= 3"}));
}

TEST_F(Facts, WhatFollowsIsNotAskedAgain) {
  EXPECT_TRUE(a > 2);
  EXPECT_TRUE(a > 1);
  EXPECT_TRUE(a * b > 2);
  EXPECT_FALSE(a == 2);
  EXPECT_FALSE(a == 0);
  EXPECT_EQ(guards(), (Lines{"2 < x.size(0)"}));
}

TEST_F(Facts, EqualSizesAreOneFromThenOn) {
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(facts.simplified(b * 3 + 1).same(a * 3 + 1));
  EXPECT_TRUE(a * 2 == b * 2);
  EXPECT_EQ(facts.guards().size(), 1u);
}

TEST_F(Facts, ANumberIsADecision) {
  EXPECT_EQ((a * 2).constant(), 8);
  EXPECT_EQ(a.constant(), 4);
  EXPECT_TRUE(facts.simplified(a + b).same(b + 4));
  EXPECT_EQ(guards(), (Lines{"2*x.size(0) == 8"}));
}

TEST_F(Facts, AnotherAnswerIsAGuardToo) {
  EXPECT_FALSE(a == 1);
  EXPECT_TRUE(is_surely_at_least(a, 2)) << "it was at least 1";
  EXPECT_EQ(guards(), (Lines{"x.size(0) != 1"}));
}

TEST_F(Facts, ADeclaredSizeThatBecameANumberIsFound) {
  SymInt c = facts.add_symbol({.hint = 6, .source = "z.size(0)", .is_declared = true});
  EXPECT_TRUE(c > 3);
  EXPECT_EQ(facts.broken_declaration(), nullptr);
  EXPECT_EQ(c.constant(), 6);
  ASSERT_NE(facts.broken_declaration(), nullptr);
  EXPECT_EQ(to_string(*facts.broken_declaration(), facts.symbols()), "z.size(0) == 6");
}

TEST_F(Facts, AMultipleIsAMultipleOfASymbol) {
  SymInt c = facts.add_symbol({.hint = 16, .multiple_of = 8, .source = "z.size(0)"});
  EXPECT_EQ(c.hint(), 16);
  EXPECT_TRUE(mod(c, 4).same(0));
  EXPECT_TRUE(c > 7);
  EXPECT_TRUE(facts.guards().empty());
}

TEST(ShapeFacts, WithoutACompilationAComparisonAnswersForTheExample) {
  EXPECT_TRUE(SymInt::symbol(0, 3) < SymInt::symbol(1, 4));
  EXPECT_THROW(SymInt::symbol(0, 3).constant(), Error);
}

}  // namespace
}  // namespace sinter::graph
