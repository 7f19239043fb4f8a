// Which calls of compile share a program: equal graphs do, whatever function they are of; nothing else does.

#include <sinter/runtime/kernel_cache.h>
#include <sinter/runtime/program_cache.h>
#include <sinter/sinter.h>

#include <cmath>
#include <limits>
#include <thread>

#include "support/compiled.h"
#include "support/held_bytes.h"
#include "support/log_lines.h"

namespace sinter::test {
namespace {

using Numbers = std::vector<double>;

Tensor filled(std::vector<int64_t> sizes, double value = 1, DType dtype = f32) {
  return full(SymDims(sizes.begin(), sizes.end()), value, dtype);
}

// What was made, and looked for, since it began.
class Counts {
 public:
  int64_t programs() const { return runtime::program_cache().stats().makes - programs_.makes; }
  int64_t hits() const { return runtime::program_cache().stats().hits - programs_.hits; }
  // Kernels that were asked for: code was generated for so many.
  int64_t kernels() const {
    runtime::KernelCacheStats now = runtime::kernel_cache_stats();
    return now.compiles + now.disk_hits + now.hits - kernels_.compiles - kernels_.disk_hits - kernels_.hits;
  }
  int64_t compiles() const { return runtime::kernel_cache_stats().compiles - kernels_.compiles; }

 private:
  runtime::ProgramCacheStats programs_ = runtime::program_cache().stats();
  runtime::KernelCacheStats kernels_ = runtime::kernel_cache_stats();
};

TEST(Identity, ALambdaThatIsMadeAgainCostsATrace) {
  Counts counts;
  int64_t kernels = 0;
  for (int i = 0; i < 5; ++i) {
    auto fast = compile([](const Tensor& x) { return softmax(x * 1.625, 0) + 3; });
    EXPECT_EQ(elements_of(fast(filled({2}, i))), (Numbers{3.5, 3.5}));
    EXPECT_EQ(fast.stats().compiles, 1);
    if (i == 0) kernels = counts.kernels();
  }
  EXPECT_EQ(counts.programs(), 1);
  EXPECT_EQ(counts.hits(), 4);
  EXPECT_EQ(counts.kernels(), kernels) << "code is generated once";
}

Tensor twice(const Tensor& x, const Tensor& y) { return relu(x - y) * 2.1875; }

TEST(Identity, AFunctionThatIsCompiledTwiceHasOneProgram) {
  Counts counts;
  auto first = compile(twice);
  auto second = compile(twice, {.name = "second", .entry_limit = 3, .dynamic = Dynamic::never});
  auto third = compile([](const Tensor& x, const Tensor& y) { return twice(x, y); });
  EXPECT_EQ(elements_of(first(filled({1}, 2), filled({1}))), (Numbers{2.1875}));
  EXPECT_EQ(elements_of(second(filled({1}, 3), filled({1}))), (Numbers{4.375}));
  EXPECT_EQ(elements_of(third(filled({1}, 0), filled({1}))), (Numbers{0}));
  EXPECT_EQ(counts.programs(), 1);
  EXPECT_EQ(counts.hits(), 2);
  second(filled({2}), filled({2}));
  first(filled({2}), filled({2}));  // symbolic now, where the second's is not
  EXPECT_EQ(counts.programs(), 3);
}

TEST(Identity, ArgumentsOfAnotherKindMeanAnotherProgram) {
  auto call = [](const Tensor& x) { return compile([](const Tensor& x) { return x.t() * 0.8125; })(x); };
  std::vector<Tensor> arguments = {
      filled({2, 3}), filled({3, 2}),        filled({2, 3}, 1, f64), strided_view(filled({6}), {2, 3}, {1, 2}, 0),
      filled({6}),    filled({2, 3}, 1, i32)};
  Counts counts;
  for (const Tensor& x : arguments) call(x);
  EXPECT_EQ(counts.programs(), 6);
  for (const Tensor& x : arguments) expect_same_bits(call(x), x.t() * 0.8125);
  EXPECT_EQ(counts.programs(), 6);
  EXPECT_EQ(counts.hits(), 6);
}

TEST(Identity, NumbersAreGuardedAndBelongToTheProgram) {
  Counts counts;
  Tensor one = filled({1});
  for (int round = 0; round < 2; ++round) {
    auto by = compile([](const Tensor& x, double by) { return x / by * 1.0625; });
    EXPECT_EQ(elements_of(by(one, 0.0)), (Numbers{INFINITY}));
    EXPECT_EQ(elements_of(by(one, -0.0)), (Numbers{-INFINITY}));
    EXPECT_EQ(elements_of(by(one, 2)), (Numbers{0.53125}));
    by(one, std::numeric_limits<double>::quiet_NaN());
    by(one, -std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_EQ(counts.programs(), 5) << "a NaN of another sign too";
}

// CASES B104, with what is captured made again each time.
TEST(Identity, CapturedTensorsAreNotPartOfTheProgram) {
  auto make = [](double value, DType dtype) {
    return compile([w = filled({2}, value, dtype)](const Tensor& x) { return x * w + 0.3125; });
  };
  Counts counts;
  auto two = make(2, f32), three = make(3, f32), wide = make(2, f64);
  Tensor five = filled({2}, 5);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(elements_of(two(five)), (Numbers{10.3125, 10.3125}));
    EXPECT_EQ(elements_of(three(five)), (Numbers{15.3125, 15.3125}));
    EXPECT_EQ(wide(five).dtype(), f64);
  }
  EXPECT_EQ(counts.programs(), 2);
  EXPECT_EQ(counts.hits(), 1);
}

TEST(Identity, AProgramKeepsNoTensorAlive) {
  Tensor weight = filled({4}, 3);
  {
    compile([weight](const Tensor& x) { return x * weight - 0.1875; })(filled({4}));
  }
  EXPECT_EQ(weight.impl()->references.load(), 1) << "the function that captured it is gone";
}

int line_of(const std::function<void()>& failing) {
  try {
    failing();
  } catch (const Error& error) {
    return static_cast<int>(error.where().line());
  }
  return 0;
}

// Equal code of two lines: each error names the line of the function that was called.
TEST(Identity, ErrorsNameTheLineOfTheFunctionThatWasCalled) {
  SINTER_NEEDS_CPU("a bad index is found where the host waits");
  int one = 0, two = 0;  // their lines
  auto first =
      compile([&](const Tensor& x, const Tensor& i) { return one = __LINE__, index_select(x, 0, i) * 1.4375; });
  auto second =
      compile([&](const Tensor& x, const Tensor& i) { return two = __LINE__, index_select(x, 0, i) * 1.4375; });
  Tensor x = filled({3}), good = tensor_of({0, 2}, {2}, i64), bad = tensor_of({0, 3}, {2}, i64);
  Counts counts;
  first(x, good);
  int64_t compiles = counts.compiles();
  second(x, good);
  EXPECT_EQ(counts.programs(), 2);
  EXPECT_EQ(counts.compiles(), compiles) << "the kernels are the same";
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(line_of([&] { first(x, bad); }), one);
    EXPECT_EQ(line_of([&] { second(x, bad); }), two);
  }
  EXPECT_NE(one, two);
}

// --- Symbolic sizes ---------------------------------------------------------------------------------------------

Tensor branches(const Tensor& x) { return x.size(0) > 3 ? x * 1.34375 : x - 7; }

TEST(Identity, TheGuardsOfAProgramComeWithIt) {
  auto first = compile(branches, {.dynamic = Dynamic::always});
  auto second = compile(branches, {.dynamic = Dynamic::always});
  Counts counts;
  std::vector<std::string> guards = first.explain(filled({8})).guards;
  EXPECT_EQ(second.explain(filled({8})).guards, guards);
  EXPECT_EQ(counts.programs(), 1);
  for (int64_t size : {8, 4, 3, 1, 100})
    for (auto* fast : {&first, &second}) expect_same_bits((*fast)(filled({size})), branches(filled({size})));
  EXPECT_EQ(second.stats().compiles, 2);
}

// Scheduling looks at the size after the trace: what it decided is a guard of those that find the program, too.
TEST(Identity, DecisionsOfPassesAreGuardedInEveryFunction) {
  auto function = [](const Tensor& x) {
    Tensor y = x * 2;
    y.slice(0, 0, 3).add_(1);
    return y * 0.6875;
  };
  auto make = [&] { return compile(function, {.dynamic = Dynamic::always}); };
  auto first = make(), second = make();
  Counts counts;
  std::vector<std::string> guards = first.explain(filled({4, 5})).guards;
  EXPECT_TRUE(std::ranges::any_of(guards, [](auto& guard) { return guard.starts_with("3 != arg0.size(0)"); }))
      << fmt::format("{}", fmt::join(guards, "\n"));
  EXPECT_EQ(second.explain(filled({4, 5})).guards, guards);
  EXPECT_EQ(counts.programs(), 1);
  for (int64_t size : {4, 3, 9, 3, 100})
    for (auto* fast : {&first, &second}) expect_same_bits((*fast)(filled({size, 5})), function(filled({size, 5})));
  EXPECT_EQ(second.stats().compiles, 2);
}

TEST(Identity, AnExampleBelongsToTheProgramItDecidedOn) {
  auto function = [](const Tensor& x) { return sum(x * 0.40625, {0}); };
  Counts counts;
  auto first = compile(function, {.dynamic = Dynamic::always}),
       second = compile(function, {.dynamic = Dynamic::always});
  first(filled({8}));
  second(filled({9}));
  EXPECT_EQ(counts.programs(), 2);
  for (int64_t size : {8, 9, 1, 1000}) expect_same_bits(first(filled({size})), second(filled({size})));
  EXPECT_EQ(first.stats().compiles, 1);
}

TEST(Identity, DeclarationsAreCheckedWhereTheProgramIsFound) {
  Options declared = {.dims = {{.argument = "arg0", .dim = 0, .max = 64}}};
  for (int round = 0; round < 2; ++round) {
    auto fast = compile([](const Tensor& x) { return x * 0.90625; }, declared);
    fast(filled({8}));
    EXPECT_THROW(fast(filled({65})), Error);
    auto fixed = compile([](const Tensor& x) { return x.view({2, 4}) * 0.71875; }, declared);
    EXPECT_THROW(fixed(filled({8})), Error) << "round " << round;
  }
}

// --- Custom operators -------------------------------------------------------------------------------------------

TEST(Identity, AnEditedBodyMeetsNoOldProgram) {
  auto run = [] {
    return elements_of(compile([](const Tensor& x) { return ops("mylib::body")(x)[0].tensor(); })(filled({1})));
  };
  for (int round = 0; round < 2; ++round) {
    CustomOp op = elementwise_op("mylib::body(Tensor x) -> Tensor", fmt::format("x + {}.0f", round));
    Counts counts;
    EXPECT_EQ(run(), (Numbers{1.0 + round}));
    EXPECT_EQ(run(), (Numbers{1.0 + round}));
    EXPECT_EQ(counts.programs(), 1);
    EXPECT_EQ(counts.hits(), 1);
  }
}

TEST(Identity, AnotherFunctionOfAnOpMeetsNoOldProgram) {
  SINTER_NEEDS_CPU("implementations for the CPU");
  CustomOp op = custom_op("mylib::swapped", "(Tensor x) -> Tensor", [](const Tensor& x) { return x + 1; });
  op.register_fake([](const Tensor& x) { return empty_like(x); });
  auto run = [&] { return elements_of(compile([&](const Tensor& x) { return op(x) * 2; })(filled({1}))); };
  EXPECT_EQ(run(), (Numbers{4}));
  EXPECT_EQ(run(), (Numbers{4}));
  op.register_kernel(DeviceType::cpu, [](const Tensor& x) { return x + 10; });
  EXPECT_EQ(run(), (Numbers{22}));
}

// --- What is not shared, and how much is kept -------------------------------------------------------------------

TEST(Identity, OtherTargetsAndBackendsDoNotMix) {
  auto function = [](const Tensor& x) { return x * 2.4375; };
  Counts counts;
  for (int round = 0; round < 2; ++round) {
    compile(function)(filled({3}));
    compile(function, {.isa = runtime::Isa::sse42})(filled({3}));
    compile(function, {.backend = "eager"})(filled({3}));
  }
  EXPECT_EQ(counts.programs(), runtime::chosen_isa({}) == runtime::Isa::sse42 ? 1 : 2);
}

TEST(Identity, ThreadsWithFunctionsOfTheirOwnShareOneProgram) {
  Counts counts;
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 16; ++t)
      threads.emplace_back([&wrong, t] {
        auto fast = compile([](const Tensor& x) { return softmax(x, 0) * 5.59375; });
        wrong += elements_of(fast(filled({4}, t))) != Numbers(4, 5.59375 / 4);
      });
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(counts.programs(), 1);
  EXPECT_EQ(counts.hits(), 15);
}

TEST(Identity, TheLogSaysWhatWasFound) {
  LogLines log("cache");
  for (int i = 0; i < 3; ++i) compile([](const Tensor& x) { return x * 7.09375; }, {.name = "again"})(filled({1}));
  EXPECT_EQ(log.count("cache: again: program made"), 1) << log.text;
  EXPECT_EQ(log.count("cache: again: program hit"), 2) << log.text;
}

// Holds memory, and does nothing.
class Stub : public Executable {
 public:
  void run(std::span<const Tensor* const>, std::span<Tensor>) const override {}

 private:
  std::string memory_ = std::string(100000, 'x');
};

TEST(Identity, ProgramsUsedLeastRecentlyGoBeyondTheBound) {
  runtime::ProgramCache cache(10000);
  int makes = 0;
  auto use = [&](const std::string& identity) {
    return cache.find_or_make(identity, nullptr, {}, [&] {
      ++makes;
      return runtime::ProgramCache::Made{std::make_shared<Stub>(), 3000};
    });
  };
  auto kept = use("a");
  use("b"), use("c"), use("a"), use("d");  // b goes
  EXPECT_EQ(cache.stats().programs, 3);
  EXPECT_EQ(cache.stats().evictions, 1);
  EXPECT_EQ(cache.stats().bytes, 9003);
  EXPECT_EQ(use("a"), kept);
  EXPECT_EQ(makes, 4);
  use("b");
  EXPECT_EQ(makes, 5);
  EXPECT_EQ(cache.stats().makes, 5);
}

// A lambda that is made again thousands of times, each time with another number: what they leave is bounded.
TEST(Identity, ManyProgramsTakeBoundedMemory) {
  runtime::ProgramCache cache(1 << 20);
  auto use = [&](int i) {
    cache.find_or_make(std::to_string(i), nullptr, {},
                       [] { return runtime::ProgramCache::Made{std::make_shared<Stub>(), 100000}; });
  };
  for (int i = 0; i < 50; ++i) use(i);
  int64_t before = held_bytes();
  for (int i = 50; i < 2000; ++i) use(i);
  EXPECT_LE(cache.stats().programs, 10);
  EXPECT_LE(held_bytes() - before, 16 << 20);
}

}  // namespace
}  // namespace sinter::test
