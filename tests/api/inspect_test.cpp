// explain, logs, backends, dumps and failures, as a user meets them.

#include <sinter/sinter.h>

#include <filesystem>
#include <fstream>

#include "support/compiled.h"
#include "support/log_lines.h"

namespace sinter::test {

namespace {

Tensor f(const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; }
Tensor three() { return tensor_of({-1, 2, 3}, {3}); }

TEST(Explain, ShowsGraphKernelsGuardsBytesAndStages) {
  SINTER_NEEDS_CPU("it names the CPU's kernels and stages");
  Explanation e = compile(f, {.name = "f", .argument_names = {"x", "y"}}).explain(three(), three());
  ASSERT_EQ(e.kernels.size(), 1U);
  EXPECT_EQ(e.kernels[0].name, "cpp_fused_add_relu_mul_0");
  EXPECT_EQ(e.kernels[0].ops, (std::vector<std::string>{"add", "relu", "mul"}));
  EXPECT_EQ(e.bytes_read, 24);
  EXPECT_EQ(e.bytes_written, 12);
  EXPECT_NE(e.kernels[0].source.find("cpp_fused_add_relu_mul_0"), std::string::npos);
  EXPECT_NE(e.graph.find("%x : f32[3] = placeholder[target=x]"), std::string::npos) << e.graph;
  EXPECT_EQ(e.guards[4].substr(0, 14), "x.size(0) == 3");
  std::string text = to_string(e);
  for (const char* part : {"kernels:", "guards:", "stages:", "compile_kernels", "inspect_test.cpp:"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Explain, DoesNotRunTheFunction) {
  Tensor x = three();
  auto fast = compile([](const Tensor& x) { x.add_(1); });
  fast.explain(x);
  EXPECT_EQ(elements_of(x), elements_of(three()));
  fast(x);
  EXPECT_EQ(fast.stats().compiles, 1) << "what explain compiled is used";
}

TEST(Explain, ShowsLibraryCallsAndRefusedFusions) {
  auto function = [](const Tensor& a, const Tensor& b) { return mm(a + 1, b).sum(Dims{0}); };
  Tensor a = tensor_of({1, 2, 3, 4}, {2, 2});
  Explanation e = compile(function).explain(a, a);
  EXPECT_EQ(library_call_count(function, a, a), 1);
  EXPECT_EQ(kernel_count(function, a, a), 2);
  EXPECT_GT(e.arena_bytes, 0);
}

TEST(Logs, ARecompileNamesTheGuardThatFailed) {
  auto fast = compile(f, {.name = "f"});
  fast(three(), three());
  LogLines log("recompiles");
  fast(tensor_of({1, 2}, {2}), tensor_of({1, 2}, {2}));
  EXPECT_TRUE(log.has("recompiles: f: entry 0: arg0.size(0) == 3 failed: expected 3, actual 2")) << log.text;
}

TEST(Logs, ARecompileForANumberSaysItsValues) {
  auto fast = compile([](const Tensor& x, double by) { return x + by; }, {.argument_names = {"x", "by"}});
  fast(three(), 0.5);
  LogLines log("recompiles");
  fast(three(), -0.0);
  EXPECT_TRUE(log.has("by == 0.5 failed: expected 0.5, actual -0.0")) << log.text;
}

TEST(Logs, TopicsShowWhatTheySay) {
  SINTER_NEEDS_CPU("it names the CPU's kernels and stages");
  LogLines log("graph,guards,output_code,cache,time");
  compile([](const Tensor& x) { return x * 5.375; })(three());
  for (const char* part : {"aten.mul.Scalar", "arg0.dtype() == f32", "cpp_fused_mul_0(", "cache: cpp_fused_mul_0: miss",
                           "time: compile cpp_fused_mul_0"})
    EXPECT_TRUE(log.has(part)) << part << " in\n" << log.text;
}

TEST(Backends, EagerRunsTheCapturedGraphOpByOp) {
  auto function = [](const Tensor& x, const Tensor& y) {
    x.add_(y);
    return std::pair(softmax(x, 0), x.view({1, 3}));
  };
  auto eager = compile(function, {.backend = "eager"});
  auto native = compile(function, {.backend = "inductor"});
  Tensor a = three(), b = three();
  expect_same_bits(eager(a, three()).first, native(b, three()).first);
  expect_same_bits(a, b);
  EXPECT_TRUE(eager(a, three()).second.storage() == a.storage());
}

TEST(Backends, TheUserCanAddOne) {
  static int graphs = 0;
  register_backend("counting", [](graph::Graph graph, const Options& options, Stages& stages) {
    ++graphs;
    return runtime::eager_backend(std::move(graph), options, stages);
  });
  EXPECT_EQ(elements_of(compile(f, {.backend = "counting"})(three(), three())), (std::vector<double>{0, 8, 12}));
  EXPECT_EQ(graphs, 1);
}

TEST(Dumps, EachStageThatChangedSomethingIsAFile) {
  SINTER_NEEDS_CPU("it names the CPU's kernels and stages");
  std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "sinter_dump_test";
  std::filesystem::remove_all(root);
  compile(f, {.name = "f", .dump_directory = root.string()})(three(), three());
  std::string names;
  for (const auto& file : std::filesystem::recursive_directory_iterator(root))
    names += file.path().filename().string() + "\n";
  for (const char* part : {"traced.txt", "kernel_cpp_fused_add_relu_mul_0.cpp", "program.txt"})
    EXPECT_NE(names.find(part), std::string::npos) << part << " in\n" << names;
  std::filesystem::remove_all(root);
}

TEST(Failures, AThrowingFunctionLeavesEverythingUsable) {
  bool fails = false;
  auto fast = compile([&fails](const Tensor& x) {
    Tensor y = x + 1;
    if (fails) throw std::runtime_error("of the user");
    return y;
  });
  fast(three());
  fails = true;
  EXPECT_THROW(fast(tensor_of({1}, {1})), std::runtime_error);
  EXPECT_EQ(elements_of(fast(three())), (std::vector<double>{0, 3, 4})) << "earlier entries are intact";
  EXPECT_EQ(fast.stats().entries, 1);
  EXPECT_EQ(elements_of(three() + 1), (std::vector<double>{0, 3, 4})) << "nothing is traced any more";
  fails = false;
  EXPECT_EQ(elements_of(fast(tensor_of({1}, {1}))), (std::vector<double>{2}));
}

TEST(Failures, AFailingOpInsideTheTraceLeavesEverythingUsable) {
  auto fast = compile([](const Tensor& x, const Tensor& y) { return x + y; });
  EXPECT_THROW(fast(three(), tensor_of({1, 2}, {2})), Error);
  EXPECT_EQ(fast.stats().entries, 0);
  EXPECT_EQ(elements_of(fast(three(), three())), (std::vector<double>{-2, 4, 6}));
}

}  // namespace

}  // namespace sinter::test
