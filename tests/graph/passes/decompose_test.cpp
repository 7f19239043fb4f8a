// Ops that are made of others, written out; each new node belongs to the line of the user.

#include <sinter/graph/passes/decompose.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>

namespace sinter::graph {
namespace {

TEST(Decompose, WorksInF32InsideAHalfPrecisionOp) {
  Graph graph = parse_graph(R"(graph():
    %x : f16[2, 3] = placeholder[target=x]
    %mean : f16[2] = call_function[target=aten.mean.dim](args = (%x, [1]), kwargs = {})  # f.cpp:7
    return (%mean,))");
  EXPECT_TRUE(decompose(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f16[2, 3] = placeholder[target=x]
    %_to_copy : f32[2, 3] [num_users=1] = call_function[target=aten._to_copy.default](args = (%x,), kwargs = {dtype: f32})  # f.cpp:7
    %sum : f32[2] [num_users=1] = call_function[target=aten.sum.dim_IntList](args = (%_to_copy, [1]), kwargs = {})  # f.cpp:7
    %div : f32[2] [num_users=1] = call_function[target=aten.div.Scalar](args = (%sum, 3.0), kwargs = {})  # f.cpp:7
    %_to_copy_1 : f16[2] [num_users=1] = call_function[target=aten._to_copy.default](args = (%div,), kwargs = {dtype: f16})  # f.cpp:7
    return (%_to_copy_1,)
)");
}

TEST(Decompose, MakesLinearAProductAndABias) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[2, 3] = placeholder[target=x]
    %w : f32[4, 3] = placeholder[target=w]
    %b : f32[4] = placeholder[target=b]
    %linear : f32[2, 4] = call_function[target=aten.linear.default](args = (%x, %w, %b), kwargs = {})  # f.cpp:7
    return (%linear,))");
  EXPECT_TRUE(decompose(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[2, 3] = placeholder[target=x]
    %w : f32[4, 3] = placeholder[target=w]
    %b : f32[4] = placeholder[target=b]
    %view : f32[2, 3] [num_users=1] = call_function[target=aten.view.default](args = (%x, [2, 3]), kwargs = {})  # f.cpp:7
    %t : f32[3, 4] strides=[1, 3] [num_users=1] = call_function[target=aten.t.default](args = (%w,), kwargs = {})  # f.cpp:7
    %mm : f32[2, 4] [num_users=1] = call_function[target=aten.mm.default](args = (%view, %t), kwargs = {})  # f.cpp:7
    %view_1 : f32[2, 4] [num_users=1] = call_function[target=aten.view.default](args = (%mm, [2, 4]), kwargs = {})  # f.cpp:7
    %add : f32[2, 4] [num_users=1] = call_function[target=aten.add.Tensor](args = (%view_1, %b), kwargs = {})  # f.cpp:7
    return (%add,)
)");
}

TEST(Decompose, LeavesCoreOpsAlone) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %y : f32[16] = placeholder[target=y]
    %add : f32[8, 16] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    %relu : f32[8, 16] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    %mul : f32[8, 16] = call_function[target=aten.mul.Scalar](args = (%relu, 2.0), kwargs = {})
    return (%mul,))");
  EXPECT_FALSE(decompose(graph));
}

}  // namespace
}  // namespace sinter::graph
