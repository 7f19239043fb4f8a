// SymInt: constant arithmetic, canonical expressions, text that reads back.

#include <sinter/graph/sym_int.h>

#include <sinter/graph/data_symbol.h>
#include <sinter/graph/error.h>
#include <sinter/graph/shape_facts.h>

#include <gtest/gtest.h>

namespace sinter {
namespace {

int64_t hint_of(int symbol, const void*) { return 10 + symbol; }
SymInt s(int index) { return SymInt::symbol(index, 10 + index); }

TEST(SymInt, ConstantsComputeAtOnce) {
  SymInt a = 7;
  EXPECT_TRUE((a * 3 - 1).is_constant());
  EXPECT_EQ((a * 3 - 1).constant(), 20);
  EXPECT_EQ(floor_div(-7, 2).constant(), -4);
  EXPECT_EQ(mod(-7, 2).constant(), 1);
  EXPECT_EQ(ceil_div(7, 2).constant(), 4);
}

TEST(SymInt, EqualExpressionsAreOne) {
  EXPECT_TRUE((s(0) + 1 + s(1)).same(s(1) + s(0) + 1));
  EXPECT_TRUE((s(0) * 2 + s(0)).same(s(0) * 3));
  EXPECT_TRUE((s(0) * s(1)).same(s(1) * s(0)));
  EXPECT_FALSE(s(0).same(SymInt::symbol(1, 10)));  // equal example values are no reason
}

TEST(SymInt, WhatCancelsIsANumberAgain) {
  SymInt zero = s(0) * 4 - s(0) * 4;
  EXPECT_TRUE(zero.is_constant());
  EXPECT_EQ(zero.constant(), 0);
}

// What is left of a sum is known as what it is, whichever way it came about first.
TEST(SymInt, WhatIsLeftWithoutTheSizesOfDataIsNotOfData) {
  SymInt data = unbacked_symbol(7, 3);
  EXPECT_TRUE(is_unbacked(data + s(5) * 5));
  EXPECT_FALSE(is_unbacked((data + s(5) * s(6) * 3 - 11) - data));
  EXPECT_FALSE(is_unbacked(s(5) * s(6) * 3 - 11));
  EXPECT_FALSE(is_unbacked((data * s(5) + s(6) * 17) - data * s(5)));
}

TEST(SymInt, HintsFollow) {
  EXPECT_EQ((s(0) * 3 + s(1)).hint(), 41);
  EXPECT_EQ(floor_div(s(0), 4).hint(), 2);
  EXPECT_EQ(min(s(0), s(1)).hint(), 10);
}

TEST(SymInt, TextReadsBack) {
  for (SymInt value : {SymInt(5), SymInt(-3), s(0), s(0) * 512 + 1, floor_div(s(0) + 3, 4), mod(s(1), s(0)) * 2,
                       max(s(0), s(1)) + min(s(0), 3), s(0) * s(1) * 2})
    EXPECT_TRUE(parse_sym_int(to_string(value), hint_of, nullptr).same(value)) << to_string(value);
  EXPECT_EQ(to_string(s(0) * 512 + 1), "512*s0 + 1");
}

TEST(SymInt, BadTextIsAnError) {
  EXPECT_THROW(parse_sym_int("s0 +", hint_of, nullptr), Error);
  EXPECT_THROW(parse_sym_int("x", hint_of, nullptr), Error);
  EXPECT_THROW(parse_sym_int("floor_div(s0)", hint_of, nullptr), Error);
}

TEST(SymInt, ANumberAskedOfASymbolIsAnError) { EXPECT_THROW(s(0).constant(), Error); }

TEST(SymInt, ComparisonsOfSymbolsAreDecisions) {
  graph::ShapeFacts facts;
  SymInt a = facts.add_symbol({.hint = 10}), b = facts.add_symbol({.hint = 11});
  graph::ActivateShapeFacts active(&facts);
  EXPECT_TRUE(a < b);
  EXPECT_TRUE(a == 10);
  EXPECT_TRUE(a == a);  // needs no decision
  EXPECT_TRUE(SymInt(1) < SymInt(2));
  EXPECT_EQ(facts.guards().size(), 2u);
}

}  // namespace
}  // namespace sinter
