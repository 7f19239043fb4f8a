// Symbolic sizes: results equal eager ones bit for bit at every size, and compiles are counted exactly.

#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::test {

namespace {

Tensor random(std::vector<int64_t> sizes, int64_t seed = 1, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  std::vector<double> values;
  uint64_t state = static_cast<uint64_t>(seed) * 2654435761u + 12345;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<double>(static_cast<int64_t>(state >> 40) % 2000 - 1000) / 250);
  }
  return tensor_of(values, sizes, dtype);
}

Tensor ones_of(std::vector<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return tensor_of(std::vector<double>(count, 1), sizes);
}

// Calls one compiled function with arguments of each size and compares with eager ones; gives the compiles.
template <class F, class MakeArguments>
int64_t compiles_for(F function, MakeArguments make_arguments, const std::vector<int64_t>& sizes,
                     Options options = {}) {
  auto fast = compile(function, options);
  for (int64_t size : sizes) {
    auto run = [&](auto& callable) { return std::apply(callable, make_arguments(size)); };
    std::vector<Tensor> expected = tensors_of(run(function)), actual = tensors_of(run(fast));
    EXPECT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < std::min(actual.size(), expected.size()); ++i)
      expect_same_bits(actual[i], expected[i], fmt::format("size {}, result {}", size, i));
  }
  return fast.stats().compiles;
}

const std::vector<int64_t> many_sizes = {5, 7, 1, 3, 8, 9, 15, 16, 17, 31, 33, 64, 1000, 4097, 2};

// --- What is symbolic -------------------------------------------------------------------------------------------

TEST(DynamicShapes, ASizeThatDiffersBecomesSymbolic) {
  auto f = [](const Tensor& x, const Tensor& y) { return relu(x + y) * 2.0; };
  auto args = [](int64_t n) { return std::tuple(random({n}, n), random({n}, n + 1)); };
  EXPECT_EQ(compiles_for(f, args, many_sizes), 2);
}

TEST(DynamicShapes, ARowOfAMatrix) {
  auto f = [](const Tensor& x, const Tensor& bias) { return tanh(x * 0.5 + bias); };
  auto args = [](int64_t n) { return std::tuple(random({n, 37}, n), random({37}, 3)); };
  EXPECT_EQ(compiles_for(f, args, many_sizes), 2);
}

TEST(DynamicShapes, TheLastDim) {
  auto f = [](const Tensor& x, const Tensor& bias) { return exp(x) - bias; };
  auto args = [](int64_t n) { return std::tuple(random({6, n}, n), random({n}, 3)); };
  EXPECT_EQ(compiles_for(f, args, many_sizes), 2);
}

TEST(DynamicShapes, AColumnBroadcastsOverRows) {
  auto f = [](const Tensor& x, const Tensor& column) { return x * column + column; };
  auto args = [](int64_t n) { return std::tuple(random({n, 12}, n), random({n, 1}, 3)); };
  EXPECT_EQ(compiles_for(f, args, many_sizes), 2);
}

TEST(DynamicShapes, TransposedOperands) {
  auto f = [](const Tensor& x, const Tensor& y) { return x.t() + y; };
  auto args = [](int64_t n) { return std::tuple(random({n, 24}, n), random({24, n}, 3)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 3, 16, 33, 100, 257}), 2);
}

// Tiles, of results so large that they go past the caches and of others.
TEST(DynamicShapes, TransposedOperandsOfLargeResults) {
  auto f = [](const Tensor& x, const Tensor& y) { return x.t() + y; };
  auto args = [](int64_t n) { return std::tuple(random({n, 1030}, n), random({1030, n}, 3)); };
  EXPECT_EQ(compiles_for(f, args, {70, 2100, 33, 2048}), 2);
}

TEST(DynamicShapes, NeverMeansOneEntryASize) {
  auto f = [](const Tensor& x) { return x + 1; };
  auto args = [](int64_t n) { return std::tuple(random({n})); };
  EXPECT_EQ(compiles_for(f, args, {3, 4, 5}, {.dynamic = Dynamic::never}), 3);
}

TEST(DynamicShapes, AlwaysMeansOneEntryForAll) {
  auto f = [](const Tensor& x) { return x + 1; };
  auto args = [](int64_t n) { return std::tuple(random({n, 2 * n})); };
  EXPECT_EQ(compiles_for(f, args, {3, 4, 5, 1}, {.dynamic = Dynamic::always}), 1);
}

TEST(DynamicShapes, MarkedDimsAreSymbolicFromTheFirstTraceOn) {
  auto fast = compile([](const Tensor& x) { return x * 3; });
  Tensor x = random({4, 5});
  mark_dynamic(x, 0);
  fast(x);
  fast(random({9, 5}));
  EXPECT_EQ(fast.stats().compiles, 1);
  fast(random({9, 6}));
  EXPECT_EQ(fast.stats().compiles, 2);
}

// CASES B146.
TEST(DynamicShapes, ADeclaredRangeIsKept) {
  auto f = [](const Tensor& x) { return x * 2 + 1; };
  auto fast = compile(f, {.argument_names = {"x"}, .dims = {{.argument = "x", .dim = 0, .min = 2, .max = 16}}});
  for (int64_t n : {2, 3, 16}) expect_same_bits(fast(random({n}, n)), f(random({n}, n)));
  EXPECT_EQ(fast.stats().compiles, 1);
  try {
    fast(random({17}));
    FAIL() << "17 is out of range";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "compile: x.size(0) is 17");
    EXPECT_EQ(error.need(), "it is declared to be from 2 to 16");
  }
  auto one = compile(f, {.dims = {{.argument = "arg0", .dim = 0, .min = 1, .max = 16}}});
  for (int64_t n : {1, 5, 16}) expect_same_bits(one(random({n}, n)), f(random({n}, n)));
  EXPECT_EQ(one.stats().compiles, 1);
}

TEST(DynamicShapes, ADeclaredMultiple) {
  auto f = [](const Tensor& x) { return x.view({-1, 4}) + 1; };
  auto fast = compile(f, {.dims = {{.argument = "arg0", .dim = 0, .multiple_of = 8}}});
  for (int64_t n : {8, 64, 24}) expect_same_bits(fast(random({n}, n)), f(random({n}, n)));
  EXPECT_EQ(fast.stats().compiles, 1);
  EXPECT_THROW(fast(random({12})), Error);
}

TEST(DynamicShapes, ADeclaredSizeThatMustBeANumberIsAnError) {
  auto f = [](const Tensor& x) {
    if (x.size(0) == 4) return x + 1;
    return x + 2;
  };
  auto fast = compile(f, {.argument_names = {"x"}, .dims = {{.argument = "x", .dim = 0}}});
  try {
    fast(random({4}));
    FAIL() << "the size is declared dynamic";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::trace);
    EXPECT_NE(error.message().find("x.size(0) == 4"), std::string::npos) << error.message();
    EXPECT_NE(std::string(error.what()).find("dynamic_shapes_test.cpp"), std::string::npos) << error.what();
  }
  EXPECT_EQ(elements_of(fast(ones_of({3}))), (std::vector<double>{3, 3, 3}));
}

// --- Decisions --------------------------------------------------------------------------------------------------

TEST(DynamicShapes, ABranchOnASizeIsGuarded) {
  auto f = [](const Tensor& x) { return x.size(0) > 4 ? x + 1 : x - 1; };
  auto args = [](int64_t n) { return std::tuple(random({n})); };
  EXPECT_EQ(compiles_for(f, args, {8, 9, 10, 11}), 2);
  EXPECT_EQ(compiles_for(f, args, {8, 9, 3, 4, 2, 20}), 3);
}

// CASES B092.
TEST(DynamicShapes, ANegatedTestOfAllSizesIsGuardedFully) {
  auto f = [](const Tensor& x) { return x.sizes() == SymDims{5, 1, 2, 3} ? sin(x) : cos(x); };
  Tensor other = ones_of({5, 1, 3, 4}), tested = ones_of({5, 1, 2, 3}), third = ones_of({5, 1, 7, 3});
  for (auto order : {std::vector<Tensor>{other, tested, third}, {tested, other, third}, {third, other, tested}}) {
    auto fast = compile(f);
    for (const Tensor& x : order) expect_same_bits(fast(x), f(x));
    for (const Tensor& x : order) expect_same_bits(fast(x), f(x));
  }
}

// CASES B144.
TEST(DynamicShapes, EqualExampleSizesAreNotMerged) {
  auto f = [](const Tensor& a, const Tensor& b) { return std::pair(exp(repeat(a, {2, 1})), exp(repeat(b, {2, 1}))); };
  auto fast = compile(f, {.dims = {{.argument = "arg0", .dim = 0}, {.argument = "arg1", .dim = 0}}});
  for (auto [n, m] : {std::pair<int64_t, int64_t>{4, 4}, {3, 5}}) {
    Tensor a = random({n, 3}, n), b = random({m, 3}, m);
    auto expected = f(a, b), actual = fast(a, b);
    expect_same_bits(actual.first, expected.first);
    expect_same_bits(actual.second, expected.second);
  }
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(DynamicShapes, SizesThatMustBeEqualAreGuardedAsEqual) {
  auto f = [](const Tensor& a, const Tensor& b) { return a + b; };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  for (int64_t n : {4, 3, 9}) expect_same_bits(fast(random({n}), random({n}, 2)), f(random({n}), random({n}, 2)));
  EXPECT_EQ(fast.stats().compiles, 1);
  expect_same_bits(fast(random({1}), random({5}, 2)), f(random({1}), random({5}, 2)));
  EXPECT_EQ(fast.stats().compiles, 2);
  EXPECT_THROW(fast(random({4}), random({5})), Error);
}

TEST(DynamicShapes, ADimOfOneBroadcastsWhereItDid) {
  auto f = [](const Tensor& a, const Tensor& b) { return a * b; };
  auto args = [](int64_t n) { return std::tuple(random({n, 4}, n), random({6, 4}, 2)); };
  EXPECT_EQ(compiles_for(f, args, {6, 1, 6, 1}), 2);
}

// CASES B113.
TEST(DynamicShapes, AResultThatIsOnlyASize) {
  auto fast = compile([](const Tensor& x) { return x.size(2) * 1024; });
  EXPECT_EQ(fast(random({4, 2, 24, 3})), 24576);
  EXPECT_EQ(fast(random({4, 2, 25, 3})), 25600);
  EXPECT_EQ(fast(random({4, 2, 7, 3})), 7168);
  EXPECT_EQ(fast.stats().compiles, 2);
}

// CASES B094.
TEST(DynamicShapes, AnArgumentThatIsNotUsedIsNotGuarded) {
  auto fast = compile([](const Tensor& x, const Tensor&) { return x * 2; });
  Tensor x = random({3});
  for (const Tensor& y : {random({4}), random({6}), random({0}), random({1}), random({4}, 1, f64), random({2, 1, 3})})
    expect_same_bits(fast(x, y), x * 2);
  EXPECT_EQ(fast.stats().compiles, 1);
}

TEST(DynamicShapes, AnArgumentWhoseSizeIsAskedForIsGuarded) {
  auto fast = compile([](const Tensor& x, const Tensor& y) { return x * static_cast<double>(y.size(0).constant()); });
  EXPECT_EQ(elements_of(fast(ones_of({1}), random({4}))), (std::vector<double>{4}));
  EXPECT_EQ(elements_of(fast(ones_of({1}), random({6}))), (std::vector<double>{6}));
}

TEST(DynamicShapes, SizesAsNumbers) {
  auto f = [](const Tensor& x) { return x * x.size(0) + arange(x.size(0), f32) / x.size(1); };
  auto args = [](int64_t n) { return std::tuple(random({n, n}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 1, 3, 16, 33}), 2);
}

TEST(DynamicShapes, EmptyTensorsHaveAnEntryOfTheirOwn) {
  auto f = [](const Tensor& x) { return relu(x) + 1; };
  auto args = [](int64_t n) { return std::tuple(random({n, 3}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 0, 7, 0, 9}), 3);
}

// --- Families ---------------------------------------------------------------------------------------------------

TEST(DynamicShapes, RowReductions) {
  auto f = [](const Tensor& x) {
    return std::tuple(sum(x, {1}), mean(x, {1}, true), amax(x, {1}), softmax(x, 1), var(x, {1}, false, false));
  };
  auto rows = [](int64_t n) { return std::tuple(random({n, 50}, n)); };
  EXPECT_EQ(compiles_for(f, rows, {5, 7, 1, 16, 100}), 2);
  auto columns = [](int64_t n) { return std::tuple(random({3, n}, n)); };
  EXPECT_EQ(compiles_for(f, columns, many_sizes), 2);
}

TEST(DynamicShapes, ColumnReductions) {
  auto f = [](const Tensor& x) { return std::pair(sum(x, {0}), mean(x, {0}, true)); };
  auto rows = [](int64_t n) { return std::tuple(random({n, 40}, n)); };
  EXPECT_EQ(compiles_for(f, rows, {5, 7, 1, 16, 64, 65, 1000}), 2);
  auto columns = [](int64_t n) { return std::tuple(random({30, n}, n)); };
  EXPECT_EQ(compiles_for(f, columns, {5, 7, 16, 64, 65, 1000}), 2);
}

TEST(DynamicShapes, ReductionsOfEverything) {
  auto f = [](const Tensor& x) { return std::tuple(sum(x), mean(x), amin(x)); };
  auto args = [](int64_t n) { return std::tuple(random({n, 3}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 1, 100, 5000, 100000}), 2);
}

TEST(DynamicShapes, ReductionsOfSeveralDims) {
  auto f = [](const Tensor& x) { return std::pair(sum(x, {0, 2}), sum(x, {1, 2})); };
  auto args = [](int64_t n) { return std::tuple(random({4, n, 6}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 2, 100}), 2);
  auto last = [](int64_t n) { return std::tuple(random({4, 6, n}, n)); };
  EXPECT_LE(compiles_for(f, last, {5, 7, 1, 100, 2}), 3);
}

TEST(DynamicShapes, Norms) {
  auto f = [](const Tensor& x, const Tensor& w, const Tensor& b) { return layer_norm(x, {x.size(-1)}, w, b, 1e-5); };
  auto rows = [](int64_t n) { return std::tuple(random({n, 2, 48}, n), random({48}, 2), random({48}, 3)); };
  EXPECT_EQ(compiles_for(f, rows, {5, 7, 1, 16}), 2);
}

TEST(DynamicShapes, MatrixProducts) {
  auto f = [](const Tensor& x, const Tensor& w, const Tensor& b) { return relu(linear(x, w, b)); };
  auto rows = [](int64_t n) { return std::tuple(random({n, 16}, n), random({8, 16}, 2), random({8}, 3)); };
  EXPECT_EQ(compiles_for(f, rows, {5, 7, 1, 16, 33}), 2);
  auto g = [](const Tensor& a, const Tensor& b) { return matmul(a, b) * 2; };
  auto inner = [](int64_t n) { return std::tuple(random({4, n}, n), random({n, 6}, 2)); };
  EXPECT_EQ(compiles_for(g, inner, {5, 7, 1, 33}), 2);
  auto batch = [](int64_t n) { return std::tuple(random({n, 4, 5}, n), random({n, 5, 6}, 2)); };
  EXPECT_EQ(compiles_for(g, batch, {5, 7, 3, 2}), 2);
}

// CASES B147.
TEST(DynamicShapes, AProductWithOneMatrixKeepsTheMiddleSizeFree) {
  Tensor w = random({64, 17}, 9);
  auto f = [w](const Tensor& x) { return matmul(x, w); };
  auto args = [](int64_t n) { return std::tuple(random({1, n, 64}, n)); };
  EXPECT_EQ(compiles_for(f, args, {40, 248, 623, 1}), 2);
}

TEST(DynamicShapes, Views) {
  auto f = [](const Tensor& x) {
    SymInt b = x.size(0);
    Tensor heads = (x + 1).view({b, -1, 4, 6}).transpose(1, 2);
    return std::tuple(heads * 2, heads.reshape({b * 4, -1}) - 1, flatten(exp(x)), (x * 2).permute({2, 0, 1}));
  };
  auto batch = [](int64_t n) { return std::tuple(random({n, 5, 24}, n)); };
  EXPECT_EQ(compiles_for(f, batch, {3, 7, 1, 16}), 2);
  auto length = [](int64_t n) { return std::tuple(random({3, n, 24}, n)); };
  EXPECT_EQ(compiles_for(f, length, {5, 7, 2, 1, 16}), 2) << "of one row the reshape is a view, which nobody sees";
}

TEST(DynamicShapes, JoinedTensors) {
  auto f = [](const Tensor& a, const Tensor& b) {
    return std::tuple(cat({a, b}, 0), cat({a * 2, exp(b)}, 0) + 1, stack({a, a + 1}, 1));
  };
  auto args = [](int64_t n) { return std::tuple(random({n, 6}, n), random({2 * n, 6}, 2)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 1, 16}), 2);
  auto g = [](const Tensor& a, const Tensor& b) { return cat({a, b}, 1) * 2; };
  auto columns = [](int64_t n) { return std::tuple(random({20, n}, n), random({20, n + 3}, 2)); };
  EXPECT_EQ(compiles_for(g, columns, {5, 7, 1, 16}), 2);
}

TEST(DynamicShapes, Slices) {
  auto f = [](const Tensor& x) {
    SymInt n = x.size(0);
    return std::tuple(x.slice(0, 1) + x.slice(0, 0, n - 1), (x * 2).slice(0, 0, std::nullopt, 2), x.select(0, -1) + 1);
  };
  auto args = [](int64_t n) { return std::tuple(random({n, 3}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 16, 33, 2}), 2);
}

TEST(DynamicShapes, WritesIntoArguments) {
  auto f = [](const Tensor& x) {
    Tensor y = x * 1;
    y.slice(0, 1).add_(1);
    y.select(1, 0).mul_(3);
    return y;
  };
  auto args = [](int64_t n) { return std::tuple(random({n, 4}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 16, 33}), 2);
}

// CASES B148.
TEST(DynamicShapes, AWriteIntoASliceThatDependsOnASize) {
  auto f = [](const Tensor& x) {
    x.slice(1, x.size(0)).zero_();
    return x + 0;
  };
  auto fast = compile(f, {.dynamic = Dynamic::always});
  Tensor wide = ones_of({2, 5});
  EXPECT_EQ(elements_of(fast(wide)), (std::vector<double>{1, 1, 0, 0, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(elements_of(wide), (std::vector<double>{1, 1, 0, 0, 0, 1, 1, 0, 0, 0}));
  Tensor square = ones_of({3, 3});
  EXPECT_EQ(elements_of(fast(square)), std::vector<double>(9, 1));
  EXPECT_EQ(elements_of(square), std::vector<double>(9, 1));
}

TEST(DynamicShapes, ArgumentsThatAreWrittenAndOverlap) {
  auto f = [](const Tensor& x, const Tensor& y) {
    x.mul_(2);
    return x + y;
  };
  auto fast = compile(f);
  for (int64_t n : {4, 5, 6}) EXPECT_EQ(elements_of(fast(ones_of({n}), ones_of({n}))), std::vector<double>(n, 3));
  EXPECT_EQ(fast.stats().compiles, 2);
  Tensor base = ones_of({8});
  EXPECT_EQ(elements_of(fast(strided_view(base, {4}, {1}, 0), strided_view(base, {4}, {1}, 2))),
            (std::vector<double>{4, 4, 3, 3}));
}

TEST(DynamicShapes, OrderedAndPaddedCopies) {
  auto f = [](const Tensor& x) { return std::tuple(flip(x, {0}), roll(x, {2}, {0}), argmax(x, 0)); };
  auto args = [](int64_t n) { return std::tuple(random({n, 3}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 16, 33, 3}), 2);
}

TEST(DynamicShapes, RoutinesTakeTheSizesOfTheCall) {
  auto f = [](const Tensor& x) { return std::get<0>(sort(x, -1, false)) + cumsum(x, 0); };
  auto args = [](int64_t n) { return std::tuple(random({n, 6}, n)); };
  EXPECT_LE(compiles_for(f, args, {5, 7, 1, 16, 33}), 5);
}

// Ops whose results' sizes need numbers make their own entry for each size, never a wrong one.
TEST(DynamicShapes, WhatNeedsNumbersIsSpecialised) {
  auto f = [](const Tensor& x) { return unbind(x * 2, 0)[0] + split(x, 2, 0)[0].select(0, 0); };
  auto args = [](int64_t n) { return std::tuple(random({n, 6}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 9, 7, 5}), 3);
}

TEST(DynamicShapes, Convolution) {
  auto f = [](const Tensor& x, const Tensor& w) { return relu(conv2d(x, w)); };
  auto args = [](int64_t n) { return std::tuple(random({n, 2, 8, 8}, n), random({3, 2, 3, 3}, 2)); };
  EXPECT_LE(compiles_for(f, args, {2, 3, 5, 1}), 4);
}

TEST(DynamicShapes, TheEagerBackend) {
  auto f = [](const Tensor& x) { return softmax(x.view({-1, 4}) * x.size(0), 1); };
  auto args = [](int64_t n) { return std::tuple(random({n, 8}, n)); };
  EXPECT_EQ(compiles_for(f, args, {5, 7, 1, 16}, {.backend = "eager"}), 2);
}

// --- Policies ---------------------------------------------------------------------------------------------------

TEST(DynamicShapes, AtTheLimitTheOldestEntryGoes) {
  auto fast = compile([](const Tensor& x) { return x + 1; }, {.entry_limit = 2, .dynamic = Dynamic::never});
  for (int64_t n : {1, 2, 3}) fast(random({n}));
  EXPECT_EQ(fast.stats().entries, 2);
  EXPECT_EQ(fast.stats().evictions, 1);
}

TEST(DynamicShapes, AtTheLimitCallsMayRunUncompiled) {
  auto f = [](const Tensor& x) { return x + 1; };
  auto fast = compile(f, {.entry_limit = 2, .at_limit = AtLimit::eager, .dynamic = Dynamic::never});
  for (int64_t n : {1, 2, 3, 4}) expect_same_bits(fast(random({n}, n)), f(random({n}, n)));
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST(DynamicShapes, AtTheLimitACallMayBeAnError) {
  auto fast = compile([](const Tensor& x) { return x + 1; },
                      {.entry_limit = 1, .at_limit = AtLimit::error, .dynamic = Dynamic::never});
  fast(random({1}));
  EXPECT_THROW(fast(random({2})), Error);
  fast(random({1}));
}

TEST(DynamicShapes, AFrozenFunctionDoesNotCompile) {
  auto fast = compile([](const Tensor& x) { return x + 1; });
  fast(random({3}));
  fast.no_recompile();
  fast(random({3}));
  try {
    fast(random({4}));
    FAIL() << "it is frozen";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("arg0.size(0) == 3 failed: expected 3, actual 4"), std::string::npos)
        << error.message();
  }
  fast.no_recompile(false);
  fast(random({4}));
}

TEST(DynamicShapes, ExplainCallSaysWhichEntryRuns) {
  auto fast = compile([](const Tensor& x) { return x.size(0) > 2 ? x + 1 : x - 1; });
  EXPECT_EQ(fast.explain_call(random({3})).entry, -1);
  fast(random({3}));
  fast(random({5}));
  EXPECT_EQ(fast.explain_call(random({3})).entry, 0);
  EXPECT_EQ(fast.explain_call(random({7})).entry, 1);
  CallExplanation none = fast.explain_call(random({2}));
  EXPECT_EQ(none.entry, -1);
  ASSERT_EQ(none.misses.size(), 2u);
  EXPECT_EQ(none.misses[0], "entry 0: arg0.size(0) == 3 failed: expected 3, actual 2");
  EXPECT_EQ(none.misses[1], "entry 1: 2 < arg0.size(0) failed: expected so, actual 2 and 2");
  EXPECT_EQ(fast.stats().compiles, 2);
}

TEST(DynamicShapes, GuardsNameTheUsersLine) {
  auto fast = compile([](const Tensor& x) { return x.size(0) > 2 ? x + 1 : x - 1; }, {.dynamic = Dynamic::always});
  std::vector<std::string> guards = fast.explain(random({3})).guards;
  auto found = std::ranges::find_if(guards, [](const std::string& g) { return g.starts_with("2 < arg0.size(0)"); });
  ASSERT_NE(found, guards.end()) << fmt::format("{}", fmt::join(guards, "\n"));
  EXPECT_NE(found->find("dynamic_shapes_test.cpp"), std::string::npos) << *found;
}

}  // namespace
}  // namespace sinter::test
