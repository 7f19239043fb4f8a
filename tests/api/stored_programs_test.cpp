// Programs that come from the cache on disk are the programs that were written: results, guards, lines, explanations.
//
// The tests of the suite StoredPrograms need a cache on disk; StoredProgramsWithACache runs them in a process that has
// one.

#include <sinter/runtime/disk_cache.h>
#include <sinter/runtime/kernel_cache.h>
#include <sinter/runtime/program_cache.h>
#include <sinter/runtime/stored_program.h>
#include <sinter/sinter.h>

#include <thread>

#include "support/compiled.h"
#include "support/log_lines.h"
#include "support/run_command.h"
#include "support/temporary_folder.h"
#include "support/test_device.h"

namespace sinter::test {
namespace {

TEST(StoredProgramsWithACache, AllOfThemPass) {
  if (!runtime::loads_without_compiler()) GTEST_SKIP() << "this build has no cache on disk";
  TemporaryFolder folder;
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  CommandResult result =
      run_command("{ env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX SINTER_CACHE_DIR=" + folder.path + "/cache " +
                  self + " --gtest_filter='StoredPrograms.*'; } 2>&1");
  EXPECT_EQ(result.status, 0) << result.output;
  std::string_view passed = placement().is_cpu() ? "[  PASSED  ] 8 tests." : "[  PASSED  ] 7 tests.";
  EXPECT_NE(result.output.find(passed), std::string::npos) << result.output;
}

class StoredPrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::disk_cache().is_on()) GTEST_SKIP() << "run by StoredProgramsWithACache";
  }
  // As a new process would find it.
  static void forget() {
    runtime::program_cache().clear();
    runtime::clear_kernel_cache();
  }
};

class Counts {
 public:
  int64_t loads() const { return runtime::stored_program_stats().loads - programs_.loads; }
  int64_t stores() const { return runtime::stored_program_stats().stores - programs_.stores; }
  int64_t compiles() const { return runtime::kernel_cache_stats().compiles - kernels_.compiles; }

 private:
  runtime::StoredProgramStats programs_ = runtime::stored_program_stats();
  runtime::KernelCacheStats kernels_ = runtime::kernel_cache_stats();
};

Tensor random(SymDims sizes, int64_t seed = 1) {
  manual_seed(static_cast<uint64_t>(seed));
  return rand(sizes) - 0.5;
}

// So many kernels as to be stored.
Tensor many_kernels(Tensor x) {
  for (int i = 0; i < 10; ++i) x = sum(x * (0.25 * (i + 1)), {i % 2}, /*keepdim=*/true) + x * 0.5;
  return x;
}

// Made, and then found on disk: the same in every way that shows.
template <class F, class... Args>
void expect_the_same_from_disk(F function, const Options& options, const Args&... arguments) {
  Counts counts;
  auto call = [&](auto& fast) {
    MemoryCopies copies;
    std::tuple<Args...> own{deep_copy(arguments, copies)...};
    std::vector<Tensor> tensors = tensors_of(std::apply(fast, own));
    for (const Tensor& after : tensors_of(std::move(own))) tensors.push_back(after);
    return tensors;
  };
  std::vector<Tensor> expected = call(function);
  auto make = [&] { return compile(function, options); };
  auto made = make();
  std::vector<Tensor> first = call(made);
  auto explain = [&](auto& fast) {
    std::tuple<Args...> own{arguments...};
    return std::apply([&](auto&... each) { return fast.explain(each...); }, own);
  };
  Explanation explained = explain(made);
  EXPECT_EQ(counts.stores(), 1);
  runtime::program_cache().clear();
  runtime::clear_kernel_cache();
  int64_t compiles = counts.compiles();
  auto stored = make();
  std::vector<Tensor> second = call(stored);
  EXPECT_EQ(counts.loads(), 1);
  EXPECT_EQ(counts.compiles(), compiles);
  for (size_t i = 0; i < expected.size(); ++i) {
    expect_same_bits(first[i], expected[i], fmt::format("made, {}", i));
    expect_same_bits(second[i], expected[i], fmt::format("from disk, {}", i));
  }
  Explanation again = explain(stored);
  EXPECT_EQ(again.guards, explained.guards);
  EXPECT_EQ(again.prepared_graph, explained.prepared_graph);
  EXPECT_EQ(again.fused, explained.fused);
  EXPECT_EQ(again.fusions, explained.fusions);
  EXPECT_EQ(again.arena_bytes, explained.arena_bytes);
  ASSERT_EQ(again.kernels.size(), explained.kernels.size());
  for (size_t i = 0; i < again.kernels.size(); ++i) {
    EXPECT_EQ(again.kernels[i].source, explained.kernels[i].source);
    EXPECT_EQ(again.kernels[i].ops, explained.kernels[i].ops);
  }
}

TEST_F(StoredPrograms, FixedSizes) { expect_the_same_from_disk(many_kernels, {}, random({30, 40})); }

TEST_F(StoredPrograms, SymbolicSizes) {
  Options always = {.dynamic = Dynamic::always};
  expect_the_same_from_disk(many_kernels, always, random({30, 40}));
  forget();
  auto fast = compile(many_kernels, always);
  for (int64_t size : {30, 7, 1, 129}) {
    Tensor x = random({size, size + 3}, size);
    expect_same_bits(fast(x), many_kernels(x), fmt::format("{}", size));
  }
}

TEST_F(StoredPrograms, LibraryCallsWithTheirArguments) {
  auto block = [](Tensor x, const Tensor& w, const Tensor& k) {
    for (int i = 0; i < 3; ++i) x = softmax(linear(gelu(linear(x, w)), w), -1) + x;
    Tensor image = x.reshape({1, 1, 16, 16});
    Tensor convolved = conv2d(image, k, {}, {1, 1}, {1, 1}).reshape({16, 16});
    auto [values, places] = sort(convolved, -1, /*descending=*/true);
    return std::tuple(cumsum(values, 0), places, max_pool2d(image, {2, 2}), flip(x, {0, 1}));
  };
  expect_the_same_from_disk(block, {}, random({16, 16}), random({16, 16}, 2), random({1, 1, 3, 3}, 3));
}

TEST_F(StoredPrograms, WritesIntoArgumentsAndViewsOfThem) {
  auto writes = [](Tensor& x) {
    Tensor y = many_kernels(x);
    x.select(0, 1).copy_(y.select(0, 2));
    x.slice(0, 0, 3).add_(1);
    return std::tuple(y, x.t(), x.slice(1, 2, 5));
  };
  expect_the_same_from_disk(writes, {}, random({9, 8}));
  expect_the_same_from_disk(writes, {.dynamic = Dynamic::always}, random({9, 8}));
}

// The plan of a slice looks at the size after the trace.
TEST_F(StoredPrograms, DecisionsOfPassesComeWithIt) {
  auto function = [](const Tensor& x) {
    Tensor y = many_kernels(x);
    y.slice(0, 0, 3).add_(1);
    return y * 0.6875;
  };
  Options always = {.dynamic = Dynamic::always};
  expect_the_same_from_disk(function, always, random({4, 5}));
  forget();
  auto fast = compile(function, always);
  for (int64_t size : {4, 3, 9, 3, 100}) {
    Tensor x = random({size, 5}, size);
    expect_same_bits(fast(x), function(x), fmt::format("{}", size));
  }
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST_F(StoredPrograms, ErrorsNameTheirLine) {
  auto function = [](const Tensor& x, const Tensor& i) {
    Tensor y = many_kernels(x);
    return index_select(y, 0, i) + flip(y, {0}).sum();
  };
  int line = __LINE__ - 2;
  Tensor x = random({5, 6}), good = tensor_of({0, 4}, {2}, i64), bad = tensor_of({0, 5}, {2}, i64);
  expect_the_same_from_disk(function, {}, x, good);
  forget();
  auto fast = compile(function);
  try {
    elements_of(fast(x, bad));  // waits for a device, which says it then
    FAIL() << "5 is out of range";
  } catch (const Error& error) {
    EXPECT_EQ(error.where().line(), line) << error.what();
  }
}

TEST_F(StoredPrograms, WhatCantBeReadIsMadeAgain) {
  SINTER_NEEDS_CPU("programs of CUDA kernels are not stored as a whole");
  Tensor x = random({33, 44});
  Tensor expected = many_kernels(x);
  compile(many_kernels)(x);
  for (int damage = 0; damage < 3; ++damage) {
    for (const runtime::DiskEntry& entry : runtime::disk_cache().entries()) {
      std::string key = runtime::DiskCache::examine(entry.path).key;
      if (key.find("\nprogram by ") == std::string::npos) continue;
      std::string object(damage * 100, '\xff');  // sound by its checksum
      if (damage == 2) object = std::string(1000, '\0');
      runtime::disk_cache().write(key, object);
    }
    forget();
    Counts counts;
    expect_same_bits(compile(many_kernels)(x), expected);
    EXPECT_EQ(counts.loads(), 0);
    EXPECT_EQ(counts.compiles(), 0) << "its kernels are there";
    EXPECT_EQ(counts.stores(), 1);
    forget();
    expect_same_bits(compile(many_kernels)(x), expected);
    EXPECT_EQ(counts.loads(), 1);
  }
}

TEST_F(StoredPrograms, SmallOnesCustomOperatorsAndOnesThatAreWatchedAreMade) {
  Counts counts;
  compile([](const Tensor& x) { return relu(x) * 2; })(random({4}));
  CustomOp op = elementwise_op("mylib::stored(Tensor x) -> Tensor", "x + 1.0f");
  compile([&](const Tensor& x) { return many_kernels(op(x)); })(random({4, 4}));
  EXPECT_EQ(counts.stores(), 0);
  auto function = [](const Tensor& x) { return many_kernels(x) * 1.5; };
  compile(function)(random({4, 4}));
  forget();
  LogLines log("fusion");
  compile(function)(random({4, 4}));
  EXPECT_EQ(counts.loads(), 0);
  EXPECT_TRUE(log.has("fusion: ")) << "what the log shows is done";
}

}  // namespace
}  // namespace sinter::test
