// What compile(fn) accepts: every kind of callable, and every structure of arguments and results.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace {

struct Layer {
  sinter::Tensor weight, bias;
  int64_t repeats = 1;
};

struct Model {
  sinter::Tensor weight;
  sinter::Tensor forward(const sinter::Tensor& x) const { return x * weight; }
  sinter::Tensor shifted(const sinter::Tensor& x, double by) { return x * weight + by; }
};

}  // namespace

SINTER_FLATTEN(Layer, weight, bias, repeats);
SINTER_FLATTEN(Model, weight);

namespace sinter::test {

namespace {

Tensor f(const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; }

Tensor three() { return tensor_of({-1, 2, 3}, {3}); }

TEST(CompileCallables, TakesAFunction) {
  Tensor z = compile(f)(three(), three());
  EXPECT_EQ(elements_of(z), (std::vector<double>{0, 8, 12}));
  z = compile(&f)(three(), three());
  EXPECT_EQ(elements_of(z), (std::vector<double>{0, 8, 12}));
}

TEST(CompileCallables, TakesALambdaWithCaptures) {
  double scale = 3;
  auto fast = compile([scale](const Tensor& x) { return x * scale; });
  EXPECT_EQ(elements_of(fast(three())), (std::vector<double>{-3, 6, 9}));
}

TEST(CompileCallables, TakesAFunctor) {
  struct Shift {
    double by;
    Tensor operator()(const Tensor& x) const { return x + by; }
  };
  EXPECT_EQ(elements_of(compile(Shift{1})(three())), (std::vector<double>{0, 3, 4}));
}

TEST(CompileCallables, TakesAMutableFunctor) {
  auto fast = compile([calls = 0](const Tensor& x) mutable { return x + static_cast<double>(++calls); });
  fast(three());
  EXPECT_EQ(elements_of(fast(three())), (std::vector<double>{0, 3, 4})) << "traced once";
}

TEST(CompileCallables, TakesAMemberWithItsObjectAsArgument) {
  auto fast = compile(&Model::forward);
  EXPECT_EQ(elements_of(fast(Model{three()}, three())), (std::vector<double>{1, 4, 9}));
}

TEST(CompileCallables, TakesAMethodOfAnObject) {
  Model model{three()};
  auto fast = compile(&model, &Model::shifted);
  EXPECT_EQ(elements_of(fast(three(), 0.5)), (std::vector<double>{1.5, 4.5, 9.5}));
}

TEST(CompileCallables, TakesAStdFunction) {
  std::function<Tensor(Tensor)> function = [](Tensor x) { return x + 1; };
  EXPECT_EQ(elements_of(compile(function)(three())), (std::vector<double>{0, 3, 4}));
}

TEST(CompileCallables, CompilesAGenericLambdaForEachTupleOfTypes) {
  auto fast = compile([](const auto& x, auto factor) { return x * static_cast<double>(factor); });
  EXPECT_EQ(elements_of(fast(three(), 2)), (std::vector<double>{-2, 4, 6}));
  EXPECT_EQ(elements_of(fast(three(), 0.5)), (std::vector<double>{-0.5, 1, 1.5}));
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST(CompileCallables, InlinesACompiledFunctionThatATracedOneCalls) {
  auto inner = compile([](const Tensor& x) { return x + 1; });
  auto outer = [inner](const Tensor& x) { return inner(x) * 2; };
  EXPECT_EQ(kernel_count(outer, three()), 1);
  EXPECT_EQ(elements_of(compile(outer)(three())), (std::vector<double>{0, 6, 8}));
  EXPECT_EQ(inner.stats().compiles, 0);
}

TEST(CompileCallables, CopiesShareTheirEntries) {
  auto fast = compile(f);
  auto copy = fast;
  fast(three(), three());
  copy(three(), three());
  EXPECT_EQ(copy.stats().compiles, 1);
}

// --- Structures ---------------------------------------------------------------------------------------------------

TEST(CompileStructures, Vectors) {
  auto function = [](const std::vector<Tensor>& list) {
    std::vector<Tensor> results;
    for (const Tensor& x : list) results.push_back(x + list[0]);
    return results;
  };
  std::vector<Tensor> results =
      eager_and_compiled(function, std::vector<Tensor>{three(), three(), tensor_of({5}, {1})});
  EXPECT_EQ(results.size(), 3U);
}

TEST(CompileStructures, TuplesPairsAndArrays) {
  auto function = [](std::tuple<Tensor, double> a, std::pair<Tensor, Tensor> b, std::array<Tensor, 2> c) {
    return std::tuple(std::get<0>(a) * std::get<1>(a), std::pair(b.first + b.second, c[0]), std::array{c[1] - c[0]});
  };
  auto [product, pair, array] = eager_and_compiled(function, std::tuple(three(), 2.0), std::pair(three(), three()),
                                                   std::array{three(), tensor_of({1}, {1})});
  EXPECT_EQ(elements_of(product), (std::vector<double>{-2, 4, 6}));
  EXPECT_EQ(elements_of(array[0]), (std::vector<double>{2, -1, -2}));
}

TEST(CompileStructures, Maps) {
  auto function = [](std::map<std::string, Tensor> parameters) {
    for (auto& [name, value] : parameters) value = value * 2;
    return parameters;
  };
  auto fast = compile(function);
  auto result = fast({{"a", three()}, {"b", three()}});
  EXPECT_EQ(elements_of(result.at("b")), (std::vector<double>{-2, 4, 6}));
  fast({{"a", three()}, {"c", three()}});
  EXPECT_EQ(fast.stats().compiles, 2) << "another key is another structure";
}

TEST(CompileStructures, Optionals) {
  auto function = [](const Tensor& x, const std::optional<Tensor>& bias) { return bias ? x + *bias : x * 1; };
  auto fast = compile(function);
  EXPECT_EQ(elements_of(fast(three(), {})), elements_of(three()));
  EXPECT_EQ(elements_of(fast(three(), three())), (std::vector<double>{-2, 4, 6}));
  EXPECT_EQ(elements_of(fast(three(), {})), elements_of(three()));
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST(CompileStructures, UndefinedTensors) {
  auto function = [](const Tensor& x, const Tensor& bias) {
    return std::pair(bias.defined() ? x + bias : x + 0.0, Tensor());
  };
  auto fast = compile(function);
  auto [sum, nothing] = fast(three(), {});
  EXPECT_EQ(elements_of(sum), elements_of(three()));
  EXPECT_FALSE(nothing.defined());
  EXPECT_EQ(elements_of(fast(three(), three()).first), (std::vector<double>{-2, 4, 6}));
}

TEST(CompileStructures, StructsOfTheUser) {
  auto function = [](Layer layer, const Tensor& x) {
    Tensor y = x;
    for (int64_t i = 0; i < layer.repeats; ++i) y = y * layer.weight + layer.bias;
    return Layer{y, layer.bias, layer.repeats + 1};
  };
  Layer result = eager_and_compiled(function, Layer{three(), three(), 2}, three());
  EXPECT_EQ(result.repeats, 3);
  EXPECT_EQ(kernel_count(function, Layer{three(), three(), 2}, three()), 1);
}

TEST(CompileStructures, NestedOnes) {
  using Nested = std::vector<std::map<std::string, std::pair<std::optional<Tensor>, std::vector<Layer>>>>;
  auto function = [](Nested nested) {
    nested[0]["a"].first = nested[0]["a"].second[1].weight + 1;
    return nested;
  };
  Nested nested = {{{"a", {std::nullopt, {Layer{three(), {}, 1}, Layer{three(), three(), 1}}}}}};
  Nested result = compile(function)(nested);
  EXPECT_EQ(elements_of(*result[0]["a"].first), (std::vector<double>{0, 3, 4}));
  EXPECT_TRUE(result[0]["a"].second[1].bias.is_same(nested[0]["a"].second[1].bias));
  EXPECT_FALSE(result[0]["a"].second[0].bias.defined());
}

TEST(CompileStructures, NumbersAndNothing) {
  auto sizes = compile([](const Tensor& x) { return std::tuple(x.size(0) * 2, x.dim(), true); });
  auto [doubled, rank, flag] = sizes(three());
  EXPECT_EQ(doubled.hint(), 6);
  EXPECT_EQ(rank, 1);
  EXPECT_TRUE(flag);
  Tensor x = three();
  compile([](const Tensor& tensor) { tensor.add_(1); })(x);
  EXPECT_EQ(elements_of(x), (std::vector<double>{0, 3, 4}));
}

TEST(CompileStructures, AFunctionWithoutArguments) {
  EXPECT_EQ(elements_of(compile([] { return ones({2}) + 1; })()), (std::vector<double>{2, 2}));
}

TEST(CompileStructures, AssignmentToAnArgumentTakenByReference) {
  auto fast = compile([](Tensor& x, std::vector<Tensor>& list) {
    x = x + 1;
    list[0] = x * 2;
  });
  Tensor x = three(), before = x;
  std::vector<Tensor> list = {three()};
  fast(x, list);
  EXPECT_EQ(elements_of(x), (std::vector<double>{0, 3, 4}));
  EXPECT_EQ(elements_of(list[0]), (std::vector<double>{0, 6, 8}));
  EXPECT_EQ(elements_of(before), (std::vector<double>{-1, 2, 3})) << "the old tensor is as it was";
}

}  // namespace

}  // namespace sinter::test
