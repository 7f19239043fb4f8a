// Graphs through JSON and back, and files that can't be read.

#include <sinter/graph/text/json.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>
#include <sinter/graph/version.h>

#include <bit>

namespace sinter::graph {
namespace {

constexpr std::string_view example = R"(graph(s0 = 8, s2 = 3):
    %x : f32[s0, s2 + 1] strides=[1, s0] offset=2 = placeholder[target=x]
    %y : f32[s0] strides=[s2 + 1] = placeholder[target=y, shares=%x]
    %w : bf16[4] cuda:1 = get_attr[target='layers/0']
    %exp : f32[s0] [num_users=2] = call_function[target=aten.exp.default](args = (%y,), kwargs = {})  # f.cpp:4
    %sum : f32[] [num_users=1] = call_function[target=aten.sum.dim_IntList](args = (%exp, [-1]), kwargs = {dtype: f32})
    %gelu : f32[s0] [num_users=1] = call_function[target=aten.gelu.default](args = (%exp,), kwargs = {approximate: 'tanh'})
    %zeros : f32[s0, 4] [num_users=1] = call_function[target=aten.zeros.default](args = ([s0, 4],), kwargs = {device: cpu})
    return (%sum, %gelu, %zeros, None)
)";

// The error of reading, all of it, or nothing.
std::string error_of(std::string_view json) {
  try {
    graph_from_json(json);
  } catch (const Error& error) {
    return fmt::format("{}: {}; need {}", name(error.kind()), error.message(), error.need());
  }
  return {};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string small = to_json(parse_graph(R"(graph():
    %x : f32[2] = placeholder[target=x]
    %exp : f32[2] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))"));

TEST(Json, ReadsBackTheSameGraph) {
  Graph graph = parse_graph(example);
  std::string json = to_json(graph);
  Graph back = graph_from_json(json);
  EXPECT_EQ(to_string(back), example);
  EXPECT_EQ(to_json(back), json);
  EXPECT_EQ(back.nodes[1]->storages, back.nodes[0]->storages);
}

TEST(Json, WritesOneLineForEachNode) {
  EXPECT_EQ("\n" + replaced(small, version(), "VERSION"), R"(
{
 "format": "sinter.graph",
 "version": 1,
 "library": "VERSION",
 "symbols": {},
 "nodes": [
  {"name":"x","kind":"placeholder","target":"x","results":[{"dtype":"f32","device":"cpu","sizes":[2],"strides":[1],"offset":0,"storage":0}]},
  {"name":"exp","kind":"call_function","op":"aten::exp.default","args":{"self":{"node":"x"}},"results":[{"dtype":"f32","device":"cpu","sizes":[2],"strides":[1],"offset":0,"storage":1}]}
 ],
 "results": [
  {"node":"exp"}
 ]
}
)");
}

TEST(Json, KeepsEveryBitOfNumbers) {
  double payload = std::bit_cast<double>(uint64_t{0xfff8000000000123});
  for (Scalar number :
       {Scalar(0.0), Scalar(-0.0), Scalar(0.1), Scalar(5e-324), Scalar(1.7976931348623157e308), Scalar(2.0), Scalar(2),
        Scalar(true), Scalar(INT64_MIN), Scalar(HUGE_VAL), Scalar(-HUGE_VAL), Scalar(std::nan("")), Scalar(payload)}) {
    Graph graph = parse_graph(R"(graph():
    %x : f32[2] = placeholder[target=x]
    %mul : f32[2] = call_function[target=aten.mul.Scalar](args = (%x, 1), kwargs = {})
    return (%mul,))");
    graph.nodes[1]->args[1] = Argument(Value(number));
    Graph back = graph_from_json(to_json(graph));
    EXPECT_TRUE(back.nodes[1]->args[1].value().scalar() == number) << to_string(number);
  }
}

TEST(Json, NamesTheNodesOfEachKernel) {
  std::vector<FusedKernel> kernels = {{"cpp_fused_exp_0", {"exp"}}, {"aten::mm.default", {"mm"}}};
  std::string json = to_json(parse_graph(example), kernels);
  std::vector<FusedKernel> back = kernels_from_json(json);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].name, "cpp_fused_exp_0");
  EXPECT_EQ(back[0].nodes, std::vector<std::string>{"exp"});
  EXPECT_TRUE(kernels_from_json(small).empty());
}

TEST(Json, RefusesAFileOfANewerVersion) {
  std::string newer = replaced(replaced(small, "\"version\": 1", "\"version\": 3"), version(), "99.0.0");
  EXPECT_EQ(error_of(newer),
            fmt::format("unsupported: graph_from_json: version: version 3 is newer than what sinter {} "
                        "reads (up to 2); need sinter 99.0.0, which wrote it, or newer",
                        version()));
}

TEST(Json, SaysWhereATruncatedFileEnds) {
  EXPECT_EQ(error_of(small.substr(0, 60)),
            "argument: graph_from_json: line 4, column 17: the text ends in the middle; need a whole file as to_json "
            "writes it");
  for (size_t size = 0; size + 2 < small.size(); ++size)  // every shorter file is refused
    EXPECT_NE(error_of(std::string_view(small).substr(0, size)), "") << size;
}

TEST(Json, NamesTheFieldThatIsDamaged) {
  auto expect_error = [](std::string_view from, std::string_view to, std::string_view message) {
    std::string error = error_of(replaced(small, from, to));
    EXPECT_NE(error.find(message), std::string::npos) << error;
  };
  expect_error("sinter.graph", "other", "the document: expected the JSON of a graph");
  expect_error("aten::exp.default", "aten::exq.default", "nodes[1].op: ");
  expect_error("{\"node\":\"x\"}", "{\"node\":\"y\"}", "nodes[1].args.self: expected a node that stands earlier");
  expect_error("{\"node\":\"x\"}", "{\"node\":\"x\",\"output\":1}", "nodes[1].args.self: x has 1 results");
  expect_error("{\"self\":{\"node\":\"x\"}}", "{}", "nodes[1].args: ");
  expect_error("\"f32\"", "\"f33\"", "nodes[0].results[0].dtype: there is no such dtype");
  expect_error("\"sizes\":[2]", "\"sizes\":[2.5]", "nodes[0].results[0].sizes[0]: expected an integer");
  expect_error("\"sizes\":[2]", "\"sizes\":[\"s0\"]", "nodes[0].results[0].sizes[0]: ");
  expect_error("\"sizes\":[2]", "\"sizes\":[-2]", "nodes[0].results[0]: size -2 is negative");
  expect_error("\"strides\":[1]", "\"strides\":[]", "nodes[0].results[0].strides: expected a stride a size");
  expect_error("\"name\":\"exp\"", "\"name\":\"x\"", "nodes[1].name: expected a name that no other node has");
  expect_error("\"kind\":\"placeholder\",", "", "nodes[0]: the field `kind` is missing");
}

}  // namespace
}  // namespace sinter::graph
