// In-place ops become values; arguments are written back at the end.

#include <sinter/graph/passes/functionalize.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/verify_graph.h>

namespace sinter::graph {
namespace {

TEST(Functionalize, MakesInPlaceOpsOnFreshMemoryFunctional) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %exp : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %add_ : f32[4] = call_function[target=aten.add_.Scalar](args = (%exp, 1.0), kwargs = {})
    %relu_ : f32[4] = call_function[target=aten.relu_.default](args = (%add_,), kwargs = {})
    return (%exp,))");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[4] = placeholder[target=x]
    %exp : f32[4] [num_users=1] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %add : f32[4] [num_users=1] = call_function[target=aten.add.Scalar](args = (%exp, 1.0), kwargs = {})
    %relu : f32[4] [num_users=1] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    return (%relu,)
)");
}

// The rule of addmv's result reads its tensors, of which none is the user's here.
TEST(Functionalize, RulesMayAskTensors) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[3] = placeholder[target=x]
    %a : f32[3, 2] = placeholder[target=a]
    %b : f32[2] = placeholder[target=b]
    %exp : f32[3] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %addmv_ : f32[3] = call_function[target=aten.addmv_.default](args = (%exp, %a, %b), kwargs = {})
    return (%exp,))");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[3] = placeholder[target=x]
    %a : f32[3, 2] = placeholder[target=a]
    %b : f32[2] = placeholder[target=b]
    %exp : f32[3] [num_users=1] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %addmv : f32[3] [num_users=1] = call_function[target=aten.addmv.default](args = (%exp, %a, %b), kwargs = {})
    return (%addmv,)
)");
}

TEST(Functionalize, TellsTheResultsOfAnOpApart) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[2, 3] = placeholder[target=x]
    %norm : (f32[2, 3], f32[2, 1], f32[2, 1]) = call_function[target=aten.native_layer_norm.default](args = (%x, [3], None, None, 0.5), kwargs = {})
    %mean : f32[2] = call_function[target=aten.view.default](args = (%norm#1, [2]), kwargs = {})
    %rstd : f32[2] = call_function[target=aten.view.default](args = (%norm#2, [2]), kwargs = {})
    %exp : f32[2] = call_function[target=aten.exp.default](args = (%rstd,), kwargs = {})
    %add_ : f32[2, 1] = call_function[target=aten.add_.Scalar](args = (%norm#1, 1.0), kwargs = {})
    %mul_ : f32[2, 1] = call_function[target=aten.mul_.Scalar](args = (%norm#2, 2.0), kwargs = {})
    return (%mean, %rstd, %exp))");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_NO_THROW(verify(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[2, 3] = placeholder[target=x]
    %native_layer_norm : (f32[2, 3], f32[2, 1], f32[2, 1]) [num_users=3] = call_function[target=aten.native_layer_norm.default](args = (%x, [3], None, None, 0.5), kwargs = {})
    %as_strided : f32[2] [num_users=1] = call_function[target=aten.as_strided.default](args = (%native_layer_norm#2, [2], [1], 0), kwargs = {})
    %exp : f32[2] [num_users=1] = call_function[target=aten.exp.default](args = (%as_strided,), kwargs = {})
    %add : f32[2, 1] [num_users=1] = call_function[target=aten.add.Scalar](args = (%native_layer_norm#1, 1.0), kwargs = {})
    %mul : f32[2, 1] [num_users=1] = call_function[target=aten.mul.Scalar](args = (%native_layer_norm#2, 2.0), kwargs = {})
    %as_strided_1 : f32[2] [num_users=1] = call_function[target=aten.as_strided.default](args = (%add, [2], [1], 0), kwargs = {})
    %as_strided_2 : f32[2] [num_users=1] = call_function[target=aten.as_strided.default](args = (%mul, [2], [1], 0), kwargs = {})
    return (%as_strided_1, %as_strided_2, %exp)
)");
}

TEST(Functionalize, ConvertsAValueToTheTypeOfWhatItIsWrittenTo) {
  Graph graph = parse_graph(R"(graph():
    %x : f16[4] = placeholder[target=x]
    %y : f32[4] = placeholder[target=y]
    %mul_ : f16[4] = call_function[target=aten.mul_.Tensor](args = (%x, %y), kwargs = {})
    return ())");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_NO_THROW(verify(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f16[4] = placeholder[target=x]
    %y : f32[4] = placeholder[target=y]
    %mul : f32[4] [num_users=1] = call_function[target=aten.mul.Tensor](args = (%x, %y), kwargs = {})
    %copy : f16[4] [num_users=1] = call_function[target=aten.copy.default](args = (%x, %mul), kwargs = {})
    %copy_ : f16[4] [num_users=0] = call_function[target=aten.copy_.default](args = (%x, %copy), kwargs = {})
    return ()
)");
}

TEST(Functionalize, ReadsTheValueOfItsTimeAndWritesArgumentsBackLast) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %before : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %add_ : f32[4] = call_function[target=aten.add_.Scalar](args = (%x, 1.0), kwargs = {})
    %after : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%before, %after))");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[4] = placeholder[target=x]
    %exp : f32[4] [num_users=1] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %add : f32[4] [num_users=2] = call_function[target=aten.add.Scalar](args = (%x, 1.0), kwargs = {})
    %exp_1 : f32[4] [num_users=1] = call_function[target=aten.exp.default](args = (%add,), kwargs = {})
    %copy_ : f32[4] [num_users=0] = call_function[target=aten.copy_.default](args = (%x, %add), kwargs = {})
    return (%exp, %exp_1)
)");
}

TEST(Functionalize, WritesThroughAViewIntoTheWholeValue) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4, 2] = placeholder[target=x]
    %exp : f32[4, 2] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %row : f32[2] strides=[1] offset=2 = call_function[target=aten.select.int](args = (%exp, 0, 1), kwargs = {})
    %zero_ : f32[2] strides=[1] offset=2 = call_function[target=aten.zero_.default](args = (%row,), kwargs = {})
    %sum : f32[] = call_function[target=aten.sum.default](args = (%exp,), kwargs = {})
    return (%sum,))");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[4, 2] = placeholder[target=x]
    %exp : f32[4, 2] [num_users=2] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %as_strided : f32[2] strides=[1] offset=2 [num_users=1] = call_function[target=aten.as_strided.default](args = (%exp, [2], [1], 2), kwargs = {})
    %zero : f32[2] [num_users=1] = call_function[target=aten.zero.default](args = (%as_strided,), kwargs = {})
    %as_strided_scatter : f32[4, 2] [num_users=1] = call_function[target=aten.as_strided_scatter.default](args = (%exp, %zero, [2], [1], 2), kwargs = {})
    %sum : f32[] [num_users=1] = call_function[target=aten.sum.default](args = (%as_strided_scatter,), kwargs = {})
    return (%sum,)
)");
}

TEST(Functionalize, WritesAnArgumentThroughATransposedView) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4, 8] = placeholder[target=x]
    %y : f32[8, 4] = placeholder[target=y]
    %t : f32[8, 4] strides=[1, 8] = call_function[target=aten.t.default](args = (%x,), kwargs = {})
    %write : f32[8, 4] strides=[1, 8] = call_function[target=aten.add_.Tensor](args = (%t, %y), kwargs = {})
    return (%t,))");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[4, 8] = placeholder[target=x]
    %y : f32[8, 4] = placeholder[target=y]
    %as_strided : f32[8, 4] strides=[1, 8] [num_users=1] = call_function[target=aten.as_strided.default](args = (%x, [8, 4], [1, 8], 0), kwargs = {})
    %add : f32[8, 4] strides=[1, 8] [num_users=2] = call_function[target=aten.add.Tensor](args = (%as_strided, %y), kwargs = {})
    %as_strided_scatter : f32[4, 8] [num_users=0] = call_function[target=aten.as_strided_scatter.default](args = (%x, %add, [8, 4], [1, 8], 0), kwargs = {})
    %as_strided_1 : f32[8, 4] strides=[1, 8] [num_users=1] = call_function[target=aten.as_strided.default](args = (%x, [8, 4], [1, 8], 0), kwargs = {})
    %copy_ : f32[8, 4] strides=[1, 8] [num_users=0] = call_function[target=aten.copy_.default](args = (%as_strided_1, %add), kwargs = {})
    %as_strided_2 : f32[8, 4] strides=[1, 8] [num_users=1] = call_function[target=aten.as_strided.default](args = (%x, [8, 4], [1, 8], 0), kwargs = {})
    return (%as_strided_2,)
)");
}

TEST(Functionalize, SeesAWriteThroughAnArgumentThatSharesMemory) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[8] = placeholder[target=x]
    %y : f32[4] strides=[1] offset=4 = placeholder[target=y, shares=%x]
    %relu_ : f32[4] strides=[1] offset=4 = call_function[target=aten.relu_.default](args = (%y,), kwargs = {})
    %exp : f32[8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))");
  EXPECT_TRUE(functionalize(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[8] = placeholder[target=x]
    %y : f32[4] strides=[1] offset=4 = placeholder[target=y, shares=%x]
    %as_strided : f32[8] [num_users=2] = call_function[target=aten.as_strided.default](args = (%x, [8], [1], 0), kwargs = {})
    %as_strided_1 : f32[4] strides=[1] offset=4 [num_users=1] = call_function[target=aten.as_strided.default](args = (%as_strided, [4], [1], 4), kwargs = {})
    %relu : f32[4] [num_users=2] = call_function[target=aten.relu.default](args = (%as_strided_1,), kwargs = {})
    %as_strided_scatter : f32[8] [num_users=1] = call_function[target=aten.as_strided_scatter.default](args = (%as_strided, %relu, [4], [1], 4), kwargs = {})
    %exp : f32[8] [num_users=1] = call_function[target=aten.exp.default](args = (%as_strided_scatter,), kwargs = {})
    %as_strided_2 : f32[4] strides=[1] offset=4 [num_users=1] = call_function[target=aten.as_strided.default](args = (%x, [4], [1], 4), kwargs = {})
    %copy_ : f32[4] strides=[1] offset=4 [num_users=0] = call_function[target=aten.copy_.default](args = (%as_strided_2, %relu), kwargs = {})
    return (%exp,)
)");
}

TEST(Functionalize, LeavesAFunctionalGraphAlone) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %y : f32[16] = placeholder[target=y]
    %add : f32[8, 16] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    %relu : f32[8, 16] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    %mul : f32[8, 16] = call_function[target=aten.mul.Scalar](args = (%relu, 2.0), kwargs = {})
    return (%mul,))");
  EXPECT_FALSE(functionalize(graph));
}

}  // namespace
}  // namespace sinter::graph
