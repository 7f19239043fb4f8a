// Texts of graphs that read back as they were written, and such that do not read.

#include <sinter/graph/text/parse_graph.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/text/source_line.h>
#include <sinter/graph/verify_graph.h>

#include <cmath>

namespace sinter::graph {
namespace {

void expect_round_trip(std::string_view text) {
  Graph graph = parse_graph(text);
  EXPECT_NO_THROW(verify(graph));
  EXPECT_EQ(to_string(graph), text.substr(text.find("graph")));
}

// The message of the error, or nothing.
std::string error_of(std::string_view text) {
  try {
    parse_graph(text);
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

TEST(ParseGraph, ReadsBackLayoutsLinesAndKeywords) {
  expect_round_trip(R"(graph():
    %x : f32[8, 32] = placeholder[target=x]
    %t : f32[32, 8] strides=[1, 32] [num_users=1] = call_function[target=aten.t.default](args = (%x,), kwargs = {})  # f.cpp:4
    %slice : f32[32, 3] strides=[1, 32] offset=64 [num_users=1] = call_function[target=aten.slice.Tensor](args = (%t, 1, 2, 5), kwargs = {})  # f.cpp:5
    %add : f32[32, 3] strides=[1, 32] [num_users=1] = call_function[target=aten.add.Tensor](args = (%slice, %slice), kwargs = {alpha: -0.5})
    return (%add, None)
)");
}

TEST(ParseGraph, ReadsBackSymbolsAndSharedMemory) {
  expect_round_trip(R"(graph(s0 = 8, s2 = 3):
    %x : f32[s0, s2 + 1] = placeholder[target=x]
    %y : f32[s0] strides=[s2 + 1] = placeholder[target=y, shares=%x]
    %w : bf16[4] cuda:1 = get_attr[target='layers/0']
    %exp : f32[s0] [num_users=1] = call_function[target=aten.exp.default](args = (%y,), kwargs = {})
    return (%exp,)
)");
}

TEST(ParseGraph, ReadsBackOffsetsThatAreSums) {
  expect_round_trip(R"(graph(s0 = 8):
    %x : f32[s0] strides=[1] offset=3*s0 + s0*s0 + 2 cuda:0 = placeholder[target=x]
    return (%x,)
)");
}

TEST(ParseGraph, ReadsBackNodesOfSeveralResults) {
  expect_round_trip(R"(graph():
    %x : f32[2, 3] = placeholder[target=x]
    %native_layer_norm : (f32[2, 3], f32[2, 1], f32[2, 1]) [num_users=2] = call_function[target=aten.native_layer_norm.default](args = (%x, [3], None, None, 1e-05), kwargs = {})
    %exp : f32[2, 1] [num_users=1] = call_function[target=aten.exp.default](args = (%native_layer_norm#1,), kwargs = {})
    return (%native_layer_norm, %exp)
)");
}

TEST(ParseGraph, ReadsBackEveryKindOfNumber) {
  for (std::string_view number : {"2", "-2", "2.0", "-0.0", "0.1", "5e-324", "1.7976931348623157e+308", "inf", "-inf",
                                  "nan", "true", "9223372036854775807", "-9223372036854775808"}) {
    expect_round_trip(fmt::format(R"(graph():
    %x : f32[2] = placeholder[target=x]
    %mul : f32[2] [num_users=1] = call_function[target=aten.mul.Scalar](args = (%x, {}), kwargs = {{}})
    return (%mul,)
)",
                                  number));
  }
}

TEST(ParseGraph, TakesViewsAndWritesAsTheMemoryOfTheirOperand) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %slice : f32[2] = call_function[target=aten.slice.Tensor](args = (%x, 0, 0, 2), kwargs = {})
    %relu_ : f32[2] = call_function[target=aten.relu_.default](args = (%slice,), kwargs = {})
    %exp : f32[2] = call_function[target=aten.exp.default](args = (%slice,), kwargs = {})
    return (%exp,)
  )");
  EXPECT_EQ(graph.nodes[1]->storages, graph.nodes[0]->storages);
  EXPECT_EQ(graph.nodes[2]->storages, graph.nodes[0]->storages);
  EXPECT_NE(graph.nodes[3]->storages, graph.nodes[0]->storages);
}

TEST(ParseGraph, NamesLineAndColumnOfAFault) {
  EXPECT_TRUE(error_of("").starts_with("parse_graph: line 0, column 1: expected `graph():`, got the end of the "));
  EXPECT_EQ(error_of("graph():\n    %x : f33[2] = placeholder[target=x]\n    return (%x,)\n"),
            "parse_graph: line 2, column 10: expected a type, got `f33[2] = placeholder[target=x]`");
  EXPECT_EQ(error_of("graph():\n    return (%x,)\n"),
            "parse_graph: line 2, column 13: expected a node of an earlier line, got `%x,)`");
  EXPECT_TRUE(
      error_of("graph():\n    %x : f32[2] = placeholder[target=x]\n")
          .starts_with("parse_graph: line 2, column 40: expected `return (...)` after the last node, got the end"));
}

TEST(ParseGraph, NamesAnOpThatDoesNotExist) {
  try {
    parse_graph(R"(graph():
    %x : f32[2] = placeholder[target=x]
    %y : f32[2] = call_function[target=aten.rellu.default](args = (%x,), kwargs = {})
    return (%y,))",
                source_line("model.cpp", 7));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_EQ(std::string(error.what()),
              R"(model.cpp:7: parse_graph: line 3, column 40: there is no operator aten::rellu.default
  line      %y : f32[2] = call_function[target=aten.rellu.default](args = (%x,), kwargs = {})
  need  an operator that exists; the nearest name is aten::relu.default)");
  }
}

TEST(ParseGraph, SaysOfAnArgumentWhatTheOpTakes) {
  EXPECT_EQ(error_of(R"(graph():
    %x : f32[2] = placeholder[target=x]
    %y : f32[2] = call_function[target=aten.add.Tensor](args = (%x, %x), kwargs = {beta: 2})
    return (%y,))"),
            "parse_graph: line 3, column 40: add: has no argument `beta`");
}

TEST(ParseGraph, RefusesListsThatAreTooDeepAndWrongArguments) {
  std::string deep =
      "graph():\n    %x : f32[2] = placeholder[target=x]\n    %y : f32[2] = "
      "call_function[target=aten.cat.default](args = (" +
      std::string(100000, '[');
  EXPECT_NE(error_of(deep).find("less deep"), std::string::npos);
  EXPECT_NE(error_of(R"(graph():
    %x : f32[2] = placeholder[target=x]
    %y : f32[2] = call_function[target=aten.add.Tensor](args = (%x,), kwargs = {})
    return (%y,))")
                .find("other"),
            std::string::npos);
}

}  // namespace
}  // namespace sinter::graph
