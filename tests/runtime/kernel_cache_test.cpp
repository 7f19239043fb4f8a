// Kernels by content: compiled once, shared, retried after a failure.

#include <sinter/runtime/kernel_cache.h>

#include <gtest/gtest.h>

#include <thread>

namespace sinter::runtime {

namespace {

codegen::KernelSource adds(double number) {
  codegen::KernelSource source;
  source.name = "adds";
  source.text = fmt::format(
      "extern \"C\" void adds(void* const* buffers, long begin, long end, void*) {{\n"
      "  for (long i = begin; i < end; ++i) static_cast<double*>(buffers[0])[i] += {};\n}}\n",
      number);
  return source;
}

double run(const LoadedKernel& kernel) {
  double value = 1;
  void* buffers[] = {&value};
  kernel.run(buffers, 0, 1, nullptr);
  return value;
}

TEST(KernelCache, EqualTextIsCompiledOnce) {
  KernelCacheStats before = kernel_cache_stats();
  auto first = load_kernel(adds(1.5), {}), second = load_kernel(adds(1.5), {}), other = load_kernel(adds(2.5), {});
  EXPECT_EQ(first, second);
  EXPECT_EQ(run(*first), 2.5);
  EXPECT_EQ(run(*other), 3.5);
  EXPECT_EQ(kernel_cache_stats().compiles - before.compiles, 2);
  EXPECT_EQ(kernel_cache_stats().hits - before.hits, 1);
}

TEST(KernelCache, CommentsAndTheKernelsNameDoNotCount) {
  codegen::KernelSource plain = adds(3.5), other = adds(3.5);
  other.name = "adds_1";
  other.text = fmt::format("// of another node\n{}", other.text);
  other.text.replace(other.text.find("adds("), 4, other.name);
  auto first = load_kernel(plain, {}), second = load_kernel(other, {});
  EXPECT_EQ(first, second);
  EXPECT_EQ(run(*second), 4.5);
}

// A user's text has comments and literals of all kinds; what follows them, or is in them, counts.
TEST(KernelCache, OnlyCommentsAreComments) {
  auto gives = [](const std::string& line) {
    codegen::KernelSource source;
    source.name = "gives";
    source.text =
        "extern \"C\" void gives(void* const* buffers, long, long, void*) {\n  double* y = (double*)buffers[0];\n" +
        line + "\n}\n";
    return run(*load_kernel(source, {}));
  };
  for (int k : {2, 3}) {
    EXPECT_EQ(gives(fmt::format("  /* https://a.org */ y[0] = {};", k)), k);
    EXPECT_EQ(gives(fmt::format("  const char* s = \"\\\"//{}\"; y[0] = s[3] - '0';", k)), k);
    EXPECT_EQ(gives(fmt::format("  char c = '\"'; y[0] = c == '\"' ? {} : 0;  // \"", k)), k);
    EXPECT_EQ(gives(fmt::format("  y[0] = 1'000 /* // */ + {};", k)), 1000 + k);
    EXPECT_EQ(gives(fmt::format("  y[0] = sizeof(R\"({})\");", std::string(static_cast<size_t>(k), '\n'))), k + 1);
    EXPECT_EQ(gives(fmt::format("  y[0] = sizeof(\"{}\");", std::string(static_cast<size_t>(k), ' '))), k + 1);
    EXPECT_EQ(gives(std::string(static_cast<size_t>(k), '\n') + "  y[0] = __LINE__;"), k + 3);
  }
}

TEST(KernelCache, ThreadsThatWantOneTextShareOneCompile) {
  int64_t before = kernel_cache_stats().compiles;
  std::vector<std::shared_ptr<const LoadedKernel>> kernels(8);
  {
    std::vector<std::jthread> threads;
    for (auto& kernel : kernels) threads.emplace_back([&kernel] { kernel = load_kernel(adds(17), {}); });
  }
  for (const auto& kernel : kernels) EXPECT_EQ(kernel, kernels[0]);
  EXPECT_EQ(kernel_cache_stats().compiles - before, 1);
}

TEST(KernelCache, SeveralAreLoadedInTheirOrder) {
  std::vector<codegen::KernelSource> sources;
  for (int i = 0; i < 6; ++i) sources.push_back(adds(100 + i));
  auto kernels = load_kernels(sources, {});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(run(*kernels[i]), 101 + i);
}

TEST(KernelCache, AFailureIsNotKept) {
  codegen::KernelSource broken = adds(0);
  broken.text = "this is no program";
  int64_t before = kernel_cache_stats().kernels;
  for (int i = 0; i < 2; ++i) {
    try {
      load_kernels(std::vector{adds(55), broken}, {});
      ADD_FAILURE() << "it compiled";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::backend);
    }
  }
  EXPECT_LE(kernel_cache_stats().kernels, before + 1);
}

TEST(KernelCache, KernelsInUseOutliveTheCache) {
  auto kernel = load_kernel(adds(3), {});
  clear_kernel_cache();
  EXPECT_EQ(run(*kernel), 4);
  EXPECT_EQ(kernel_cache_stats().kernels, 0);
}

}  // namespace

}  // namespace sinter::runtime
