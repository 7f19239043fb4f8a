// Graph files whose results do not agree with their ops, and files that nest too deep.

#include <sinter/graph/text/declared_meta.h>

#include <gtest/gtest.h>
#include <sinter/graph/text/json.h>
#include <sinter/graph/text/parse_graph.h>
#include <sinter/graph/text/print_graph.h>

namespace sinter::graph {
namespace {

std::string text_of(std::string_view type, std::string_view call) {
  return fmt::format(
      "graph():\n    %x : f32[2, 3] = placeholder[target=x]\n    %y : {} = call_function[target={}, kwargs = {{}})\n"
      "    return (%y,)\n",
      type, call);
}

std::string error_of(std::string_view type, std::string_view call) {
  try {
    parse_graph(text_of(type, call));
  } catch (const Error& error) {
    return fmt::format("{}: {}", name(error.kind()), error.message());
  }
  return {};
}

std::string json_error_of(std::string_view json) {
  try {
    graph_from_json(json);
  } catch (const Error& error) {
    return fmt::format("{}: {}", name(error.kind()), error.message());
  }
  return {};
}

constexpr std::string_view relu = "aten.relu.default](args = (%x,)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(DeclaredMeta, TypesAndSizesAreThoseOfTheOp) {
  EXPECT_EQ(error_of("f32[2, 3]", relu), "");
  EXPECT_EQ(error_of("f32[2, 3] strides=[1, 2]", relu), "");  // an op may be told the order of its result
  EXPECT_EQ(error_of("f32[1000000]", relu),
            "argument: parse_graph: line 3, column 46: aten::relu.default gives f32[2, 3], not f32[1000000], got "
            "`aten.relu.default](args = (%x,), kwargs `");
  EXPECT_NE(error_of("f64[2, 3]", relu).find("gives f32[2, 3], not f64[2, 3]"), std::string::npos);
  EXPECT_NE(error_of("f32[-1, 3]", relu).find("size -1 is negative"), std::string::npos);
  EXPECT_NE(error_of("f32[2, 3] strides=[-3, 1]", relu).find("stride -3 is negative"), std::string::npos);
  EXPECT_NE(error_of("f32[2, 3] offset=-3", relu).find("offset -3 is negative"), std::string::npos);
  EXPECT_NE(error_of("f32[1099511627776, 1099511627776]", relu).find("reaches past 2^63 bytes"), std::string::npos);
  EXPECT_NE(error_of("f32[3, 3]", "aten.mm.default](args = (%x, %x)").find("mm: "), std::string::npos);
}

TEST(DeclaredMeta, ViewsLieWhereTheirOpPutsThem) {
  EXPECT_EQ(error_of("f32[3, 2] strides=[1, 3]", "aten.t.default](args = (%x,)"), "");
  EXPECT_NE(error_of("f32[3, 2]", "aten.t.default](args = (%x,)").find("gives f32[3, 2] strides=[1, 3]"),
            std::string::npos);
  EXPECT_NE(error_of("f32[3] offset=9", "aten.select.int](args = (%x, 0, 1)").find("offset=3"), std::string::npos);
  std::string text = R"(graph():
    %x : f32[2] = placeholder[target=x]
    %y : f32[2] = call_function[target=aten.relu.default](args = (%x,), kwargs = {})
    %z : f32[100] = call_function[target=aten.as_strided.default](args = (%y, [100], [1], 0), kwargs = {})
    return (%z,)
)";
  try {
    parse_graph(text);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("f32[100] leaves the memory of f32[2]"), std::string::npos) << error.message();
  }
}

TEST(DeclaredMeta, JsonIsCheckedToo) {
  std::string json = to_json(parse_graph(text_of("f32[2, 3]", relu)));
  EXPECT_EQ(json_error_of(json), "");
  size_t last = json.rfind("\"sizes\":[2,3]");
  ASSERT_NE(last, std::string::npos);
  std::string larger = json;
  larger.replace(last, 13, "\"sizes\":[9,3]");
  EXPECT_EQ(json_error_of(larger),
            "argument: graph_from_json: nodes[1].results: aten::relu.default gives f32[2, 3], not f32[9, 3]");
  EXPECT_NE(json_error_of(replaced(json, "\"sizes\":[2,3]", "\"sizes\":[-2,3]")).find("size -2 is negative"),
            std::string::npos);
}

TEST(DeclaredMeta, NestingIsLimited) {
  std::string deep(200000, '['), close(200000, ']');
  std::string json = to_json(parse_graph(text_of("f32[2, 3]", relu)));
  std::string message = json_error_of(replaced(json, "{\"self\":", "{\"self\":" + deep + close + ",\"q\":"));
  EXPECT_NE(message.find("the lists are too deep"), std::string::npos) << message.substr(0, 200);
  message = error_of("f32[2, 3]", "aten.relu.default](args = (" + deep);
  EXPECT_NE(message.find("expected lists that are less deep"), std::string::npos) << message.substr(0, 200);
  message = json_error_of(replaced(json, "\"offset\":0", "\"offset\":\"" + std::string(200000, '(') + "\""));
  EXPECT_NE(message.find("graph_from_json"), std::string::npos) << message.substr(0, 200);
}

TEST(DeclaredMeta, ANumberPastAllDoublesHasItsPlace) {
  std::string json = to_json(parse_graph(text_of("f32[2, 3]", relu)));
  EXPECT_EQ(json_error_of(replaced(json, "\"offset\":0", "\"offset\":1e400")).substr(0, 31),
            "argument: graph_from_json: line");
  EXPECT_NE(json_error_of(replaced(json, "\"offset\":0", "\"offset\":1e400")).find("the number 1e400 is too large"),
            std::string::npos);
}

}  // namespace
}  // namespace sinter::graph
