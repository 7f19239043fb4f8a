// Pictures of graphs.

#include <sinter/graph/text/dot.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>

namespace sinter::graph {
namespace {

TEST(Dot, FramesTheNodesOfEachKernel) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[2, 2] = placeholder[target=x]
    %mm : f32[2, 2] = call_function[target=aten.mm.default](args = (%x, %x), kwargs = {})
    %exp : f32[2, 2] = call_function[target=aten.exp.default](args = (%mm,), kwargs = {})
    %neg : f32[2, 2] = call_function[target=aten.neg.default](args = (%exp,), kwargs = {})
    return (%neg, %neg))");
  std::vector<FusedKernel> kernels = {{"aten::mm", {"mm"}}, {"cpp_fused_exp_neg_0", {"exp", "neg"}}};
  EXPECT_EQ("\n" + to_dot(graph, kernels), R"(
digraph {
  node [shape=box, fontname=monospace]
  subgraph cluster_0 {
    label="aten::mm"
    "%mm" [label="mm\naten.mm.default\nf32[2, 2]"]
  }
  subgraph cluster_1 {
    label="cpp_fused_exp_neg_0"
    "%exp" [label="exp\naten.exp.default\nf32[2, 2]"]
    "%neg" [label="neg\naten.neg.default\nf32[2, 2]"]
  }
  "%x" [label="x\nf32[2, 2]", style=rounded]
  result [shape=plaintext]
  "%x" -> "%mm"
  "%mm" -> "%exp"
  "%exp" -> "%neg"
  "%neg" -> result
}
)");
}

}  // namespace
}  // namespace sinter::graph
