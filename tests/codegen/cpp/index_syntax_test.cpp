// Index expressions as text.

#include <gtest/gtest.h>
#include <sinter/codegen/cpp/index_syntax.h>

namespace sinter::codegen {
namespace {

using fusion::IndexExpr;

std::string address(const IndexExpr& expr) {
  PreludeUse use;
  AxisScope scope;
  for (int axis = 0; axis < 2; ++axis) {
    scope.text.push_back(axis_name(axis));
    scope.extents.push_back(SymInt(8));
  }
  return address_text("p", expr, scope, use);
}

TEST(IndexSyntax, AnAddressIsPointerPlusIndex) {
  EXPECT_EQ(address(IndexExpr(0)), "p");
  EXPECT_EQ(address(IndexExpr::axis(0) * 8 + IndexExpr::axis(1) + IndexExpr(3)), "p + 8 * i0 + i1 + 3");
}

// `p + 8 * i0 - 60` would pass the end of p's memory on its way.
TEST(IndexSyntax, ASubtractionHappensBeforeThePointerMoves) {
  EXPECT_EQ(address(IndexExpr::axis(0) * 8 + IndexExpr(-60)), "p + (8 * i0 - 60)");
  EXPECT_EQ(address(IndexExpr::axis(0) * 8 + IndexExpr::axis(1) * -1), "p + (8 * i0 - i1)");
}

}  // namespace
}  // namespace sinter::codegen
