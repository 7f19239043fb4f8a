// Equal calls become one, unless something tells them apart.

#include <sinter/graph/passes/merge_duplicates.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>

namespace sinter::graph {
namespace {

TEST(MergeDuplicates, MakesEqualCallsOneNode) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %exp : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %exp_1 : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %add : f32[4] = call_function[target=aten.add.Tensor](args = (%exp, %exp_1), kwargs = {})
    return (%add,))");
  EXPECT_TRUE(merge_duplicates(graph));
  EXPECT_EQ("\n" + to_string(graph), R"(
graph():
    %x : f32[4] = placeholder[target=x]
    %exp : f32[4] [num_users=1] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %add : f32[4] [num_users=1] = call_function[target=aten.add.Tensor](args = (%exp, %exp), kwargs = {})
    return (%add,)
)");
}

TEST(MergeDuplicates, TellsNumbersApartByKindAndBits) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %add : f32[4] = call_function[target=aten.add.Scalar](args = (%x, 0.0), kwargs = {})
    %add_1 : f32[4] = call_function[target=aten.add.Scalar](args = (%x, -0.0), kwargs = {})
    %add_2 : f32[4] = call_function[target=aten.add.Scalar](args = (%x, 0), kwargs = {})
    %rand : f32[4] = call_function[target=aten.rand_like.default](args = (%x,), kwargs = {})
    %rand_1 : f32[4] = call_function[target=aten.rand_like.default](args = (%x,), kwargs = {})
    return (%add, %add_1, %add_2, %rand, %rand_1))");
  EXPECT_FALSE(merge_duplicates(graph));  // nor random numbers, which are drawn twice
}

TEST(MergeDuplicates, KeepsResultsInMemoriesOfTheirOwn) {
  Graph graph = parse_graph(R"(graph():
    %x : f32[4] = placeholder[target=x]
    %exp : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %exp_1 : f32[4] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp, %exp_1))");
  EXPECT_FALSE(merge_duplicates(graph));
}

}  // namespace
}  // namespace sinter::graph
