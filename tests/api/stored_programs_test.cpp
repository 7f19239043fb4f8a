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

constexpr const char* runs_op_by_op = "a function with sizes that only data tell runs op by op there";

TEST(StoredProgramsWithACache, AllOfThemPass) {
  if (!runtime::loads_without_compiler()) GTEST_SKIP() << "this build has no cache on disk";
  TemporaryFolder folder;
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  CommandResult result =
      run_command("{ env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX SINTER_CACHE_DIR=" + folder.path + "/cache " +
                  self + " --gtest_filter='StoredPrograms.*'; } 2>&1");
  EXPECT_EQ(result.status, 0) << result.output;
  std::string_view passed = placement().is_cpu() ? "[  PASSED  ] 14 tests." : "[  PASSED  ] 9 tests.";
  EXPECT_NE(result.output.find(passed), std::string::npos) << result.output;
}

TEST(StoredProgramsWithACache, AnotherProcessCompilesAndSchedulesNothing) {
  SINTER_NEEDS_CPU(runs_op_by_op);
  if (!runtime::loads_without_compiler()) GTEST_SKIP() << "this build has no cache on disk";
  TemporaryFolder folder;
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  for (const char* which : {"first", "second"}) {
    CommandResult result = run_command(
        "{ env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX SINTER_CACHE_DIR=" + folder.path +
        "/cache SINTER_TEST_PROCESS=" + which + " " + self + " --gtest_filter='StoredProgramsInAProcess.*'; } 2>&1");
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("[  PASSED  ] 1 test."), std::string::npos) << which << result.output;
  }
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

// Loads and stores of a first call with these sizes, in a process that knows nothing.
template <class F>
std::pair<int64_t, int64_t> found_for(F function, int64_t rows) {
  runtime::program_cache().clear();
  runtime::clear_kernel_cache();
  Counts counts;
  auto fast = compile(function, {.dynamic = Dynamic::always});
  for (int64_t size : {rows, int64_t{7}, int64_t{2}, int64_t{129}, rows}) {
    Tensor x = random({size, size + 3}, size);
    expect_same_bits(fast(x), function(x), fmt::format("{} after {}", size, rows));
  }
  EXPECT_EQ(fast.stats().compiles, 1);
  return {counts.loads(), counts.stores()};
}

TEST_F(StoredPrograms, OtherExampleSizes) {
  SINTER_NEEDS_CPU("programs of CUDA kernels are not stored as a whole");
  auto function = [](const Tensor& x) { return many_kernels(x * 0.96875); };
  EXPECT_EQ(found_for(function, 30), (std::pair<int64_t, int64_t>(0, 1)));
  for (int64_t rows : {50, 31, 4, 500}) EXPECT_EQ(found_for(function, rows), (std::pair<int64_t, int64_t>(1, 0)));
}

// The passes ask whether the slice is all of it.
TEST_F(StoredPrograms, OtherExampleSizesThatThePassesDecideBy) {
  SINTER_NEEDS_CPU("programs of CUDA kernels are not stored as a whole");
  auto function = [](const Tensor& x) {
    Tensor y = x * 1.96875;
    y.slice(0, 0, 3).add_(1);
    return many_kernels(y);
  };
  auto first_call = [&](int64_t rows) {
    forget();
    Counts counts;
    auto fast = compile(function, {.dynamic = Dynamic::always});
    Tensor x = random({rows, 5});
    expect_same_bits(fast(x), function(x));
    return std::pair(counts.loads(), counts.stores());
  };
  EXPECT_EQ(first_call(8), (std::pair<int64_t, int64_t>(0, 1)));
  EXPECT_EQ(first_call(3), (std::pair<int64_t, int64_t>(0, 1))) << "the other answer makes another program";
  EXPECT_EQ(first_call(3), (std::pair<int64_t, int64_t>(1, 0)));
  EXPECT_EQ(first_call(20), (std::pair<int64_t, int64_t>(1, 0)));
}

// --- Sizes that only data tell, and numbers ----------------------------------------------------------------------

Tensor mask_of(int64_t count, int64_t length = 30) {
  std::vector<double> flags(static_cast<size_t>(length), 0);
  for (int64_t i = 0; i < count; ++i) flags[static_cast<size_t>(i * 7 % length)] = 1;
  return tensor_of(flags, {length}, boolean).to(cpu);
}

// Both sizes are named in the trace, the second one is that of a call which a pass makes.
std::tuple<Tensor, Tensor, Tensor, SymInt> of_chosen_rows(const Tensor& x, const Tensor& mask) {
  Tensor chosen = index(x, {mask});
  check_size(chosen.size(0), 0, 20);
  Tensor repeated = repeat_interleave(chosen, (abs(chosen.select(1, 0)) * 8).to(i64), 0);
  return {many_kernels(chosen), repeated + 1, arange(chosen.size(0)) * 2, chosen.size(0) * 3};
}

TEST_F(StoredPrograms, SizesThatOnlyDataTell) {
  SINTER_NEEDS_CPU(runs_op_by_op);
  auto tensors = [](const Tensor& x, const Tensor& mask) {
    auto [rows, repeated, numbers, size] = of_chosen_rows(x, mask);
    return std::tuple(rows, repeated, numbers);
  };
  for (Dynamic dynamic : {Dynamic::automatic, Dynamic::always}) {
    expect_the_same_from_disk(tensors, {.dynamic = dynamic}, random({30, 40}), mask_of(9));
    forget();
  }
  Counts counts;
  auto fast = compile(of_chosen_rows);
  for (int64_t count : {9, 0, 1, 20, 2}) {
    Tensor x = random({30, 40}, count + 1);
    auto [rows, repeated, numbers, size] = fast(x, mask_of(count));
    auto [rows2, repeated2, numbers2, size2] = of_chosen_rows(x, mask_of(count));
    expect_same_bits(rows, rows2, fmt::format("{} rows", count));
    expect_same_bits(repeated, repeated2, fmt::format("{} rows", count));
    expect_same_bits(numbers, numbers2, fmt::format("{} rows", count));
    EXPECT_EQ(size.constant(), count * 3);
  }
  EXPECT_EQ(fast.stats().compiles, 1);
  EXPECT_THROW(fast(random({30, 40}), mask_of(21)), Error);
}

TEST_F(StoredPrograms, ScalarsAreInputs) {
  auto step = [](const Tensor& x, Scalar rate, Scalar decay) { return many_kernels(x) * rate - x * (decay * 2 + 1); };
  expect_the_same_from_disk(step, {}, random({30, 40}), Scalar(0.5), Scalar(0.25));
  expect_the_same_from_disk(step, {.dynamic = Dynamic::always}, random({30, 40}), Scalar(2), Scalar(0.25));
  forget();
  Counts counts;
  auto fast = compile(step);
  for (double rate : {0.5, 0.125, -0.0, 1e300}) {
    Tensor x = random({30, 40}, 7);
    expect_same_bits(fast(x, rate, rate / 3), step(x, rate, rate / 3), fmt::format("{}", rate));
  }
  EXPECT_EQ(counts.loads(), placement().is_cpu() ? 1 : 0) << "programs of a device are scheduled again";
  EXPECT_EQ(counts.compiles(), 0);
  EXPECT_EQ(fast.stats().compiles, 1);
}

// What the passes ask of a number is asked again.
TEST_F(StoredPrograms, AnswersAboutNumbersComeWithIt) {
  auto function = [](const Tensor& x, Scalar exponent, Scalar fill) {
    Tensor small = masked_fill(x.to(i8), x > 0, fill).to(f32);
    return pow(abs(many_kernels(x)), exponent) + small;
  };
  expect_the_same_from_disk(function, {}, random({4, 5}), Scalar(2.5), Scalar(3));
  forget();
  auto fast = compile(function);
  for (auto [exponent, fill] : std::vector<std::pair<double, int>>{{2.5, 3}, {2.0, 3}, {3.5, 100}, {2.0, -7}, {0.5, 1}})
    expect_same_bits(fast(random({4, 5}), exponent, fill), function(random({4, 5}), exponent, fill),
                     fmt::format("{} {}", exponent, fill));
  EXPECT_EQ(fast.stats().compiles, 3) << "exponents with a formula of their own are fixed";
}

TEST_F(StoredPrograms, ErrorsOfSizeChecksNameTheirLine) {
  SINTER_NEEDS_CPU(runs_op_by_op);
  auto function = [](const Tensor& x, const Tensor& mask) {
    Tensor chosen = index(x, {mask});
    return many_kernels(chosen) + ones({9, 1});
  };
  uint32_t line = __LINE__ - 2;
  expect_the_same_from_disk(function, {}, random({30, 4}), mask_of(9));
  forget();
  Counts counts;
  auto fast = compile(function);
  try {
    fast(random({30, 4}), mask_of(8));
    FAIL() << "8 rows do not fit";
  } catch (const Error& error) {
    EXPECT_EQ(error.where().line(), line) << error.what();
  }
  EXPECT_EQ(counts.loads(), 1);
}

TEST(StoredProgramsInAProcess, SizesOfDataAndNumbers) {
  const char* process = std::getenv("SINTER_TEST_PROCESS");
  if (!process) GTEST_SKIP() << "run by StoredProgramsWithACache";
  bool is_first = std::string_view(process) == "first";
  Counts counts;
  auto step = [](const Tensor& x, Scalar rate) { return many_kernels(x) * rate; };
  Tensor x = random({30, 40});
  auto by_rate = compile(step);
  auto of_rows = compile(of_chosen_rows);
  Tensor stepped = by_rate(x, is_first ? 0.5 : 0.75), rows = std::get<0>(of_rows(x, mask_of(is_first ? 9 : 4)));
  EXPECT_EQ(counts.loads(), is_first ? 0 : 2);
  EXPECT_EQ(counts.stores(), is_first ? 2 : 0);
  EXPECT_EQ(counts.compiles() > 0, is_first);
  expect_same_bits(stepped, step(x, is_first ? 0.5 : 0.75));
  expect_same_bits(rows, std::get<0>(of_chosen_rows(x, mask_of(is_first ? 9 : 4))));
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
