// Checks stand behind what gives the sizes in them, and before what uses these.

#include <sinter/graph/passes/insert_size_checks.h>

#include <gtest/gtest.h>
#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/trace.h>
#include <sinter/graph/verify_graph.h>

namespace sinter::graph {
namespace {

std::string kinds_of(const Graph& graph) {
  std::string text;
  for (const auto& node : graph.nodes) text += (text.empty() ? "" : " ") + node->name;
  return text;
}

TEST(InsertSizeChecks, PutsAnOpsReliancesBehindTheSizes) {
  Here here = Here::current();
  Trace trace;
  ShapeFacts facts;
  ActivateShapeFacts decides(&facts);
  Tensor x = trace.add_input({f32, cpu, contiguous_layout({12})}, "x", here);
  Tensor mask = trace.add_input({boolean, cpu, contiguous_layout({12})}, "mask", here);
  {
    ActivateTrace active(&trace);
    Tensor chosen = masked_select(x, mask);
    trace.set_results(std::vector<Tensor>{chosen + ones({5})}, here);
  }
  Graph graph = trace.take_graph();
  EXPECT_TRUE(insert_size_checks(graph));
  EXPECT_EQ(kinds_of(graph), "x mask masked_select check_sizes ones add");
  EXPECT_EQ(graph.nodes[3]->args[3].value().string(), "u0 == 5");
  EXPECT_TRUE(facts.guards().empty());
  verify(graph);
  EXPECT_FALSE(insert_size_checks(graph));
}

TEST(InsertSizeChecks, TellsWhichSizesACallGives) {
  Graph graph = parse_graph(R"(graph(u0 = 4, u1 = 2):
    %mask : bool[12] = placeholder[target=mask]
    %n : i64[] = placeholder[target=n]
    %nonzero : i64[u0, 1] strides=[1, max(u0, 1)] = call_function[target=aten.nonzero.default](args = (%mask,), kwargs = {})
    %item : i64[] = call_function[target=sinter.item.default](args = (%n, u1), kwargs = {})
    return (%nonzero,)
  )");
  EXPECT_TRUE(sizes_given_by(*graph.nodes[0]).empty());
  std::vector<GivenSize> rows = sizes_given_by(*graph.nodes[2]), number = sizes_given_by(*graph.nodes[3]);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].symbol, 0);
  EXPECT_EQ(rows[0].dim, 0);
  ASSERT_EQ(number.size(), 1u);
  EXPECT_EQ(number[0].symbol, 1);
  EXPECT_EQ(number[0].dim, -1);
}

TEST(InsertSizeChecks, ASizeThatNothingGivesIsNoGraph) {
  Graph graph = parse_graph(R"(graph(u0 = 4):
    %x : f32[u0] = placeholder[target=x]
    return (%x,)
  )");
  EXPECT_THROW(verify(graph), Error);
}

}  // namespace
}  // namespace sinter::graph
