// Callables with overloads or template parameters; functions that ask about themselves; backends that fail.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {
namespace {

struct ByCategory {
  Tensor operator()(const Tensor& x) const { return x + 1; }
  Tensor operator()(Tensor&& x) const { return x * 100; }
};

TEST(Overloads, ARvalueIsNotServedByTheEntryOfAnLvalue) {
  auto fast = compile(ByCategory());
  Tensor x = ones({2});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(elements_of(fast(x)), (std::vector<double>{2, 2}));
    EXPECT_EQ(elements_of(fast(ones({2}))), (std::vector<double>{100, 100}));
  }
}

struct ByConst {
  Tensor operator()(const Tensor& x) const { return x + 1; }
  std::vector<Tensor> operator()(Tensor& x) const { return {x, x * 2, x * 3}; }
};

TEST(Overloads, EachHasItsOwnResultType) {
  auto fast = compile(ByConst());
  Tensor x = ones({2});
  const Tensor y = x;
  for (int i = 0; i < 2; ++i) {
    std::vector<Tensor> three = fast(x);
    ASSERT_EQ(three.size(), 3u);
    EXPECT_EQ(elements_of(three[2]), (std::vector<double>{3, 3}));
    EXPECT_EQ(elements_of(fast(y)), (std::vector<double>{2, 2}));
  }
}

TEST(Overloads, AnAssignmentReachesTheCallersVariable) {
  auto fast = compile([](auto&& x) {
    x = x + 1;
    return x * 2;
  });
  EXPECT_EQ(elements_of(fast(ones({1}))), (std::vector<double>{4}));
  Tensor x = ones({1});
  EXPECT_EQ(elements_of(fast(x)), (std::vector<double>{4}));
  EXPECT_EQ(elements_of(x), (std::vector<double>{2}));
}

TEST(Arguments, AVectorOfBools) {
  auto fast = compile([](const Tensor& x, const std::vector<bool>& signs) {
    Tensor sum = x * 0;
    for (bool sign : signs) sum = sign ? sum + x : sum - x;
    return std::pair(sum, signs);
  });
  auto [sum, signs] = fast(ones({1}), {true, true, true, false});
  EXPECT_EQ(elements_of(sum), (std::vector<double>{2}));
  EXPECT_EQ(signs, (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(elements_of(fast(ones({1}), {false, true, false, false}).first), (std::vector<double>{-2}));
  EXPECT_EQ(fast.stats().compiles, 2);
}

// --- Functions that ask about themselves ------------------------------------------------------------------------

TEST(WhileTraced, AFunctionMayAskForItsCounts) {
  std::function<int64_t()> ask;
  auto fast = compile([&](const Tensor& x) { return x + static_cast<double>(ask()); });
  ask = [&] { return fast.stats().entries; };
  EXPECT_EQ(elements_of(fast(ones({1}))), (std::vector<double>{1}));
}

TEST(WhileTraced, AFunctionCannotExplainItself) {
  std::function<void()> ask;
  Tensor w = ones({3});
  auto fast = compile([&](const Tensor& x) {
    ask();
    return x + 1;
  });
  ask = [&] { fast.explain(w); };
  try {
    fast(ones({2}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::trace);
    EXPECT_EQ(error.message(), "compile: the function asks for its own entry while it is traced");
  }
  ask = [] {};
  EXPECT_EQ(elements_of(fast(ones({2}))), (std::vector<double>{2, 2}));
}

TEST(WhileTraced, AFakeTensorIsNotExplained) {
  auto inner = compile([](const Tensor& x) { return x * 3; });
  auto outer = compile([&](const Tensor& x) {
    inner.explain(x);
    return x;
  });
  try {
    outer(ones({2}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "compile: a fake tensor is passed where only real ones can be: the traced function goes on");
  }
}

TEST(Backends, OneThatReturnsNothingIsNamed) {
  register_backend("returns_nothing",
                   [](graph::Graph, const Options&, Stages&) -> std::unique_ptr<Executable> { return nullptr; });
  auto fast = compile([](const Tensor& x) { return x / 3.0; }, {.backend = "returns_nothing"});
  for (int i = 0; i < 2; ++i) {
    try {
      fast(ones({2}));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::backend);
      EXPECT_EQ(error.message(), "compile: backend 'returns_nothing' returned nothing to run");
    }
  }
}

TEST(Backends, AGraphWhoseInputsHaveOtherNamesRuns) {
  SINTER_NEEDS_CPU("its graph is text about the CPU");
  graph::Graph graph = graph::parse_graph(R"(graph():
    %a : f32[2] = placeholder[target=first]
    %b : f32[2] = placeholder[target=second]
    %mul_ : f32[2] = call_function[target=aten.mul_.Tensor](args = (%a, %b), kwargs = {})
    %add : f32[2] = call_function[target=aten.add.Tensor](args = (%a, %b), kwargs = {})
    return (%add,)
)");
  Stages stages;
  Options options;
  std::shared_ptr<const Executable> program = find_backend("native")(std::move(graph), options, stages);
  Tensor a = ones({2}), b = full({2}, 3.0), result;
  const Tensor* inputs[] = {&a, &b};
  program->run(inputs, {&result, 1});
  EXPECT_EQ(elements_of(result), (std::vector<double>{6, 6}));
  EXPECT_EQ(elements_of(a), (std::vector<double>{3, 3}));
}

}  // namespace
}  // namespace sinter::test
