// Graphs that are broken in one way each.

#include <sinter/graph/verify_graph.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>

namespace sinter::graph {
namespace {

Graph sound_graph() {
  return parse_graph(R"(graph():
    %x : f32[2, 3] = placeholder[target=x]
    %exp : f32[2, 3] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %add : f32[2, 3] = call_function[target=aten.add.Tensor](args = (%exp, %x), kwargs = {})
    %cat : f32[4, 3] = call_function[target=aten.cat.default](args = ([%add, %x],), kwargs = {})
    return (%cat, None))");
}

// The first line of the message after the graph is broken so, or nothing.
std::string fault_of(void (*break_graph)(Graph&)) {
  Graph graph = sound_graph();
  break_graph(graph);
  try {
    verify(graph);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    return error.message().substr(0, error.message().find('\n'));
  }
  return {};
}

TEST(VerifyGraph, AcceptsASoundGraph) {
  EXPECT_EQ(fault_of([](Graph&) {}), "");
}

TEST(VerifyGraph, ShowsTheTextOfTheGraph) {
  Graph graph = sound_graph();
  graph.nodes[1]->name = "add";
  try {
    verify(graph);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("\ngraph():\n    %x : f32[2, 3] = placeholder[target=x]\n"), std::string::npos)
        << error.message();
  }
}

TEST(VerifyGraph, NamesANodeWhoseNameIsTaken) {
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[1]->name = "x"; }),
            "internal: verify_graph: node %x: its name is taken or empty");
}

TEST(VerifyGraph, RefusesAUseBeforeTheNode) {
  EXPECT_EQ(fault_of([](Graph& graph) { std::swap(graph.nodes[1], graph.nodes[2]); }),
            "internal: verify_graph: node %add: it uses a node that does not come before it");
  static std::unique_ptr<Node> taken;  // stays alive: the text of the graph names it
  EXPECT_EQ(fault_of([](Graph& graph) { taken = std::move(graph.nodes[2]); }),
            "internal: verify_graph: a node is null");
}

TEST(VerifyGraph, RefusesArgumentsThatDoNotFitTheOp) {
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[1]->args.clear(); }),
            "internal: verify_graph: node %exp: it has not as many arguments as its op has parameters");
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[1]->args[0] = Argument(); }),
            "internal: verify_graph: node %exp: an argument that is not optional is missing");
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[3]->args[0] = NodeOutput{graph.nodes[0].get()}; }),
            "internal: verify_graph: node %cat: an argument should be a list");
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[3]->args[1] = NodeOutput{graph.nodes[0].get()}; }),
            "internal: verify_graph: node %cat: an argument should be no tensor");
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[1]->args[0] = NodeOutput{graph.nodes[0].get(), 1}; }),
            "internal: verify_graph: node %exp: it uses a result that its argument does not have");
}

TEST(VerifyGraph, RefusesResultsThatDoNotFitTheOp) {
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[1]->metas.clear(), graph.nodes[1]->storages.clear(); }),
            "internal: verify_graph: node %exp: it has not as many results as its op returns");
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[1]->metas[0].layout.strides.pop_back(); }),
            "internal: verify_graph: node %exp: sizes and strides differ in number");
  EXPECT_EQ(fault_of([](Graph& graph) { graph.nodes[1]->storages.push_back(7); }),
            "internal: verify_graph: node %exp: it has not as many storages as results");
}

TEST(VerifyGraph, RefusesToReturnWhatIsNotInTheGraph) {
  EXPECT_EQ(fault_of([](Graph& graph) { graph.results[0] = Argument(Value(2.0)); }),
            "internal: verify_graph: it returns what is neither a node nor None");
  static Node stranger;
  EXPECT_EQ(fault_of([](Graph& graph) { graph.results[0] = NodeOutput{&stranger}; }),
            "internal: verify_graph: it returns a node that is not in it");
  EXPECT_EQ(fault_of([](Graph& graph) { graph.results[0] = NodeOutput{graph.nodes[0].get(), 3}; }),
            "internal: verify_graph: it returns a result that its node does not have");
}

TEST(VerifyGraph, CountsCapturedTensors) {
  EXPECT_EQ(fault_of([](Graph& graph) { graph.attributes.resize(2); }),
            "internal: verify_graph: it reads 0 captured tensors and has 2");
}

}  // namespace
}  // namespace sinter::graph
