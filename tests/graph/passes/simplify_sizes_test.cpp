// Sizes that decisions tied to others are written as these.

#include <sinter/graph/passes/simplify_sizes.h>

#include <sinter/graph/shape_facts.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>

#include <gtest/gtest.h>

namespace sinter::graph {
namespace {

TEST(SimplifySizes, WritesWhatSizesTurnedOutToBe) {
  Graph graph = parse_graph(R"(graph(s0 = 4, s1 = 4, s2 = 8):
    %x : f32[s0, s2] = placeholder[target=x]
    %y : f32[s1, s2] = placeholder[target=y]
    %view : f32[s0*s2] = call_function[target=aten.view.default](args = (%x, [s0*s2]), kwargs = {})
    return (%view, %y)
)");
  ShapeFacts facts;
  ActivateShapeFacts active(&facts);
  SymInt s0 = facts.add_symbol({.hint = 4}), s1 = facts.add_symbol({.hint = 4}), s2 = facts.add_symbol({.hint = 8});
  EXPECT_FALSE(simplify_sizes(graph));
  EXPECT_TRUE(s0 == s1);
  EXPECT_EQ(s2.constant(), 8);
  EXPECT_TRUE(simplify_sizes(graph));
  std::string text = to_string(graph);
  EXPECT_NE(text.find("%y : f32[s0, 8] = placeholder"), std::string::npos) << text;
  EXPECT_NE(text.find("%view : f32[8*s0]"), std::string::npos) << text;
  EXPECT_NE(text.find("(%x, [8*s0])"), std::string::npos) << text;
}

}  // namespace
}  // namespace sinter::graph
