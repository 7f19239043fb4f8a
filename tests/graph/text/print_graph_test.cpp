// The text of graphs made by tracing and by hand.

#include <sinter/graph/text/print_graph.h>

#include <gtest/gtest.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/text/argument_text.h>
#include <sinter/graph/text/source_line.h>
#include <sinter/graph/trace.h>

#include <cmath>

namespace sinter::graph {
namespace {

const Here nowhere = source_line("", 0);
const Here line_4 = source_line("models/f.cpp", 4);

TensorMeta f32_meta(const SymDims& sizes) { return {f32, cpu, contiguous_layout(sizes)}; }

TEST(PrintGraph, WritesOneLineForEachNode) {
  Trace trace;
  Tensor x = trace.add_input(f32_meta({8, 32}), "x", nowhere);
  ActivateTrace active(&trace);
  Tensor y = relu(add(x, x, 1, line_4), line_4);
  trace.set_results({&y, 1}, nowhere);
  EXPECT_EQ("\n" + to_string(trace.graph()), R"(
graph():
    %x : f32[8, 32] = placeholder[target=x]
    %add : f32[8, 32] [num_users=1] = call_function[target=aten.add.Tensor](args = (%x, %x), kwargs = {})  # f.cpp:4
    %relu : f32[8, 32] [num_users=1] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})  # f.cpp:4
    return (%relu,)
)");
}

TEST(PrintGraph, ShowsStridesAndOffsetWhereNotContiguous) {
  Trace trace;
  Tensor x = trace.add_input(f32_meta({8, 32}), "x", nowhere);
  ActivateTrace active(&trace);
  Tensor y = x.slice(0, 2, 8, 2, nowhere).t();
  trace.set_results({&y, 1}, nowhere);
  std::string text = to_string(trace.graph());
  EXPECT_NE(text.find("f32[3, 32] strides=[64, 1] offset=64 "), std::string::npos) << text;
  EXPECT_NE(text.find("f32[32, 3] strides=[1, 64] offset=64 "), std::string::npos) << text;
}

TEST(PrintGraph, LeavesOutDefaultsAtTheEndAndNamesKeywords) {
  Trace trace;
  Tensor x = trace.add_input(f32_meta({8, 32}), "x", nowhere);
  ActivateTrace active(&trace);
  Tensor y = sum(add(x, x, 2.5, nowhere), {-1}, false, {}, nowhere);
  trace.set_results({&y, 1}, nowhere);
  std::string text = to_string(trace.graph());
  EXPECT_NE(text.find("aten.add.Tensor](args = (%x, %x), kwargs = {alpha: 2.5})"), std::string::npos) << text;
  EXPECT_NE(text.find("aten.sum.dim_IntList](args = (%add, [-1]), kwargs = {})"), std::string::npos) << text;
}

TEST(PrintGraph, NamesSymbolsWithTheirExampleValues) {
  Trace trace;
  SymInt rows = SymInt::symbol(0, 8);
  Tensor x = trace.add_input(f32_meta({rows, 4}), "x", nowhere);
  ActivateTrace active(&trace);
  Tensor y = relu(x, nowhere);
  trace.set_results({&y, 1}, nowhere);
  std::string text = to_string(trace.graph());
  EXPECT_TRUE(text.starts_with("graph(s0 = 8):\n    %x : f32[s0, 4] = placeholder[target=x]\n")) << text;
}

TEST(PrintGraph, ShowsWhichArgumentsShareMemory) {
  Trace trace;
  Tensor x = trace.add_input(f32_meta({8}), "x", nowhere, 0);
  trace.add_input(f32_meta({4}), "y", nowhere, 0);
  trace.set_results({&x, 1}, nowhere);
  EXPECT_NE(to_string(trace.graph()).find("%y : f32[4] = placeholder[target=y, shares=%x]"), std::string::npos);
}

TEST(PrintGraph, WritesNumbersSoThatTheyReadBackExactly) {
  EXPECT_EQ(to_string(Argument(Value(2.0))), "2.0");
  EXPECT_EQ(to_string(Argument(Value(-0.0))), "-0.0");
  EXPECT_EQ(to_string(Argument(Value(0.1))), "0.1");
  EXPECT_EQ(to_string(Argument(Value(2))), "2");
  EXPECT_EQ(to_string(Argument(Value(true))), "true");
  EXPECT_EQ(to_string(Argument(Value(-INFINITY))), "-inf");
  EXPECT_EQ(to_string(Argument(Value("it's\n"))), R"('it\'s\n')");
  EXPECT_EQ(to_string(Argument(Argument::List{Argument(Value(f32)), Argument()})), "[f32, None]");
}

}  // namespace
}  // namespace sinter::graph
