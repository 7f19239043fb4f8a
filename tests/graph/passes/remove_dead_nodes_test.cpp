// What nobody uses goes, what has an effect stays.

#include <sinter/graph/passes/remove_dead_nodes.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>

namespace sinter::graph {
namespace {

TEST(RemoveDeadNodes, DropsChainsThatNobodyUsesAndKeepsWritesAndArguments) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %unused : f32[4] = placeholder[target=unused]
    %exp : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %log : f32[4] = call_function[target=aten.log.default](args = (%exp,), kwargs = {})
    %neg : f32[4] = call_function[target=aten.neg.default](args = (%x,), kwargs = {})
    %copy_ : f32[4] = call_function[target=aten.copy_.default](args = (%x, %neg), kwargs = {})
    return ())");
  EXPECT_TRUE(remove_dead_nodes(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[4] = placeholder[target=x]
    %unused : f32[4] = placeholder[target=unused]
    %neg : f32[4] [num_users=1] = call_function[target=aten.neg.default](args = (%x,), kwargs = {})
    %copy_ : f32[4] [num_users=0] = call_function[target=aten.copy_.default](args = (%x, %neg), kwargs = {})
    return ()
)");
}

TEST(RemoveDeadNodes, KeepsDrawingNumbers) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %rand : f32[4] = call_function[target=aten.rand_like.default](args = (%x,), kwargs = {})
    return (%x,))");
  EXPECT_FALSE(remove_dead_nodes(graph));
}

}  // namespace
}  // namespace sinter::graph
