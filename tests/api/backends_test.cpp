// Backends by name, and those that a user adds.

#include <gtest/gtest.h>
#include <sinter/sinter.h>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor f(const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; }
Tensor three() { return tensor_of({-1, 2, 3}, {3}); }

TEST(Backends, AllGiveTheSame) {
  Tensor expected = f(three(), three());
  for (const char* backend : {"native", "inductor", "eager", "debug_eager"}) {
    auto fast = compile(f, {.backend = backend});
    expect_same_bits(fast(three(), three()), expected, backend);
    expect_same_bits(fast(three(), three()), expected, backend);
    EXPECT_EQ(fast.stats().compiles, 1) << "guards and caches as usual";
    Explanation explanation = fast.explain(three(), three());
    EXPECT_EQ(explanation.backend, backend);
    EXPECT_EQ(to_string(explanation).substr(0, 100).find(fmt::format("({} backend)", backend)), 9U);
  }
}

TEST(Backends, WritesAndViewsAreAsInEager) {
  auto function = [](const Tensor& x) {
    x.slice(0, 1).add_(1);
    Tensor y = x.view({3, 1});
    y.mul_(2);
    return std::tuple(y, softmax(x, 0));
  };
  Tensor expected = three();
  auto [y, s] = function(expected);
  for (const char* backend : {"eager", "debug_eager"}) {
    Tensor x = three();
    auto [a, b] = compile(function, {.backend = backend})(x);
    expect_same_bits(a, y, backend);
    expect_same_bits(b, s, backend);
    expect_same_bits(x, expected, backend);
  }
}

TEST(Backends, DebugEagerShowsTheGraphAfterDecomposition) {
  auto fast = compile([](const Tensor& x) { return softmax(x, 0); }, {.backend = "debug_eager"});
  Explanation explanation = fast.explain(three());
  EXPECT_NE(explanation.graph.find("softmax.default"), std::string::npos) << explanation.graph;
  EXPECT_EQ(explanation.prepared_graph.find("softmax.default"), std::string::npos) << explanation.prepared_graph;
  EXPECT_NE(explanation.prepared_graph.find("aten.exp"), std::string::npos);
}

TEST(Backends, AnUnknownNameListsThoseThatExist) {
  try {
    compile(f, {.backend = "egaer"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "compile: there is no backend 'egaer'");
    EXPECT_TRUE(error.need().starts_with("did you mean 'eager'? there are: debug_eager, eager, "));
    EXPECT_NE(error.need().find("inductor, native"), std::string::npos);
  }
}

TEST(Backends, OneOfTheUsersGetsGraphAndExamples) {
  std::string text;
  Numbers seen;
  register_backend("reversed", [&](graph::Graph graph, std::vector<Tensor> examples) -> GraphFunction {
    text = to_string(graph);
    for (const Tensor& example : examples) seen.push_back(elements_of(example)[0]);
    return [](std::span<const Tensor> inputs) { return std::vector<Tensor>{inputs[1] - inputs[0]}; };
  });
  auto fast = compile(f, {.backend = "reversed"});
  EXPECT_EQ(elements_of(fast(three(), tensor_of({5, 5, 5}, {3}))), (Numbers{6, 3, 2}));
  EXPECT_EQ(seen, (Numbers{-1, 5}));
  EXPECT_NE(text.find("aten.relu.default"), std::string::npos);
  EXPECT_EQ(elements_of(fast(three(), three())), (Numbers{0, 0, 0})) << "the entry is used again";
  EXPECT_EQ(seen.size(), 2U);
}

TEST(Backends, OneOfTheUsersMayBreakItsWord) {
  register_backend("empty_handed", [](graph::Graph, std::vector<Tensor>) -> GraphFunction {
    return [](std::span<const Tensor>) { return std::vector<Tensor>(); };
  });
  register_backend("no_function", [](graph::Graph, std::vector<Tensor>) { return GraphFunction(); });
  register_backend("undefined", [](graph::Graph, std::vector<Tensor>) -> GraphFunction {
    return [](std::span<const Tensor>) { return std::vector<Tensor>(1); };
  });
  register_backend("other_shape", [](graph::Graph, std::vector<Tensor>) -> GraphFunction {
    return [](std::span<const Tensor>) { return std::vector<Tensor>{zeros({2})}; };
  });
  for (auto [name, message] : std::vector<std::pair<std::string, std::string>>{
           {"undefined", "backend 'undefined': result 0 is undefined"},
           {"other_shape", fmt::format("backend 'other_shape': result 0 is f32[2]{0}, the graph's is f32[3]{0}",
                                       placement().is_cpu() ? "" : " " + to_string(placement()))},
           {"empty_handed", "backend 'empty_handed': its function gives 0 tensors, the graph has 1 results"},
           {"no_function", "compile: backend 'no_function' returned nothing to run"}}) {
    try {
      compile(f, {.backend = name})(three(), three());
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::backend);
      EXPECT_EQ(error.message(), message);
      EXPECT_TRUE(short_location(error.where()).starts_with("backends_test.cpp:")) << error.what();
    }
  }
}

}  // namespace
}  // namespace sinter::test
