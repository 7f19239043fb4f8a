// Checks go behind what does not need them.

#include <sinter/graph/passes/delay_checks.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>

namespace sinter::graph {
namespace {

TEST(DelayChecks, TheyGoBehindAllButWritesWithWhatTheyAloneNeed) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %index : i64[4] = placeholder[target=index]
    %neg : i64[4] = call_function[target=aten.neg.default](args = (%index,), kwargs = {})
    %amin : i64[] = call_function[target=aten.amin.default](args = (%neg,), kwargs = {})
    %amax : i64[] = call_function[target=aten.amax.default](args = (%neg,), kwargs = {})
    %check_range : () = call_function[target=sinter.check_range.default](args = (%amin, %amax, 0, 3, 'bad', ''), kwargs = {})
    %add : f32[4] = call_function[target=aten.add.Tensor](args = (%x, %neg), kwargs = {})
    %mul : f32[4] = call_function[target=aten.mul.Tensor](args = (%add, %amax), kwargs = {})
    %copy_ : f32[4] = call_function[target=aten.copy_.default](args = (%x, %mul), kwargs = {})
    return (%add,))");
  EXPECT_TRUE(delay_checks(graph));
  std::string order;
  for (const auto& node : graph.nodes) order += node->name + " ";
  EXPECT_EQ(order, "x index neg amax add mul amin check_range copy_ ");
  EXPECT_FALSE(delay_checks(graph));
}

}  // namespace
}  // namespace sinter::graph
