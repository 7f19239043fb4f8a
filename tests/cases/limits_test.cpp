// Empty tensors, long and wide graphs, memory over many calls, random numbers, and refused arguments.

#include <gtest/gtest.h>
#include <sinter/runtime/compile.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <thread>

#include "cases/known_answers.h"
#include "support/held_bytes.h"

namespace sinter::test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

Tensor add(const Tensor& a, const Value& b) { return op("aten::add.Tensor", a, b); }
Tensor mul(const Tensor& a, const Value& b) { return op("aten::mul.Tensor", a, b); }

TEST(ZeroSizeScalar, B058_TheMeanOfNothingIsNan) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    expect_results({make(dtype, {0}, {})}, [](Tensors x) -> Tensors { return {op("aten::mean", x[0])}; }, {{nan}});
    expect_results({make(dtype, {0, 1}, {})},
                   [](Tensors x) -> Tensors { return {op("aten::mean.dim", x[0], Dims{0}), op("aten::mean", x[0])}; },
                   {{nan}, {nan}});
    expect_results({make(dtype, {3, 0}, {})},
                   [](Tensors x) -> Tensors {
                     return {op("aten::mean.dim", x[0], Dims{1}), op("aten::sum.dim_IntList", x[0], Dims{1}),
                             op("aten::prod.dim_int", x[0], 1)};
                   },
                   {{nan, nan, nan}, {0, 0, 0}, {1, 1, 1}});
  }
}

TEST(ZeroSizeScalar, B058_VarianceAndMeanOfNothingAreNan) {
  for (DType dtype : {f32, f16, f64})
    for (int correction : {0, 1})
      for (std::vector<int64_t> sizes : {std::vector<int64_t>{0}, std::vector<int64_t>{0, 1}})
        for (const char* name : {"aten::var_mean.correction", "aten::std_mean.correction"})
          expect_results({make(dtype, sizes, {})},
                         [&](Tensors x) -> Tensors {
                           NamedValues corrected = {{"correction", correction}};
                           Values both = ops(name).call({x[0]}, corrected);
                           Values rows = ops(name).call({x[0], Dims{0}}, corrected);
                           return {both[0].tensor(),
                                   both[1].tensor(),
                                   rows[0].tensor(),
                                   rows[1].tensor(),
                                   ops("aten::var.correction").call({x[0]}, corrected)[0].tensor(),
                                   ops("aten::std.correction").call({x[0]}, corrected)[0].tensor()};
                         },
                         {{nan}, {nan}, {nan}, {nan}, {nan}, {nan}});
}

TEST(ZeroSizeScalar, B060_PlacesOfExtremesOfNothing) {
  auto empty = [] { return Tensors{make(f32, {0, 3}, {})}; };
  for (const char* name : {"aten::argmax", "aten::argmin"}) {
    expect_error(empty, [name](Tensors x) -> Tensors { return {op(name, x[0])}; }, ErrorKind::argument);
    expect_error(empty, [name](Tensors x) -> Tensors { return {op(name, x[0], 0)}; }, ErrorKind::argument);
    in_both_modes(
        empty, [name](Tensors x) -> Tensors { return {op(name, x[0], 1)}; },
        [](const Tensors& results, const Tensors&) {
          EXPECT_EQ(sizes_of(results[0]), std::vector<int64_t>{0});
          EXPECT_EQ(results[0].dtype(), i64);
        });
  }
  for (const char* name : {"aten::max.dim", "aten::min.dim"})
    expect_error(empty, [name](Tensors x) -> Tensors { return {op(name, x[0], 0)}; }, ErrorKind::argument);
}

TEST(ZeroSizeScalar, B060_ExtremesOfNothingAreErrors) {
  auto empty = [] { return Tensors{make(f32, {0, 3}, {})}; };
  for (const char* name : {"aten::amax", "aten::amin"}) {
    expect_error(empty, [name](Tensors x) -> Tensors { return {op(name, x[0])}; }, ErrorKind::argument);
    expect_error(empty, [name](Tensors x) -> Tensors { return {op(name, x[0], Dims{0})}; }, ErrorKind::argument);
    in_both_modes(
        empty, [name](Tensors x) -> Tensors { return {op(name, x[0], Dims{1})}; },
        [](const Tensors& results, const Tensors&) { EXPECT_EQ(sizes_of(results[0]), std::vector<int64_t>{0}); });
  }
}

TEST(ZeroSizeScalar, B060_SumsAndLogicOfNothingHaveIdentities) {
  for (DType dtype : {boolean, u8, i32, i64, f16, f32, f64})
    expect_results({make(dtype, {0, 3}, {})},
                   [](Tensors x) -> Tensors {
                     return {op("aten::sum", x[0]), op("aten::prod", x[0]), op("aten::any", x[0]),
                             op("aten::all", x[0]), op("aten::sum.dim_IntList", x[0], Dims{0})};
                   },
                   {{0}, {1}, {0}, {1}, {0, 0, 0}});
}

TEST(CodegenCrash, B111_NanConstantsInsideAFunctionWithoutInputs) {
  in_both_modes([] { return Tensors{}; },
                [](Tensors) -> Tensors {
                  Tensor t = op("aten::ones", Dims{2, 2});
                  Tensor u = op("aten::log", op("aten::neg", t));
                  Tensor v = op("aten::sqrt", op("aten::sub.Tensor", u, t));
                  return {op("aten::softmax.int", v, -1), op("aten::to.dtype", op("aten::isnan", v), i64)};
                },
                [](const Tensors& results, const Tensors&) {
                  expect_values(results[0], {nan, nan, nan, nan});
                  expect_values(results[1], {1, 1, 1, 1});
                });
}

TEST(CodegenCrash, B111_NanFromInverseFunctionsOfConstants) {
  in_both_modes([] { return Tensors{}; },
                [](Tensors) -> Tensors {
                  Tensor t = op("aten::ones", Dims{2, 2});
                  Tensor w = op("aten::arccosh", op("aten::log2", op("aten::atan2", t, t)));
                  return {op("aten::softmax.int", w, -1), op("aten::to.dtype", w, i64)};
                },
                [](const Tensors& results, const Tensors&) {
                  expect_values(results[0], {nan, nan, nan, nan});
                  expect_values(results[1], std::vector<double>(4, -0x1p63));
                });
}

double seconds_of(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// l = [a, b]; n times: append the sum and the product of the last two; return the sum of the last two.
Tensors shared_chain(const Tensors& x, int n) {
  Tensor a = x[0], b = x[1];
  for (int i = 0; i < n; ++i) {
    Tensor sum = add(a, b), product = mul(a, b);
    a = sum;
    b = product;
  }
  return {add(a, b)};
}

TEST(CompileTime, B118_ASharedChainIsAGraphAndNotATree) {
  std::vector<double> of_ones = {3, 5, 11, 41, 371};
  for (int n = 1; n <= 5; ++n) {
    auto chain = [n](Tensors x) { return shared_chain(x, n); };
    expect_results({scalar(f32, 1), scalar(f32, 1)}, chain, {{of_ones[n - 1]}});
  }
  auto time_of = [](int n) {
    auto compiled = compile([n](Tensors x) { return shared_chain(x, n); });
    Tensors zeros = {scalar(f32, 0), scalar(f32, 0)};
    return seconds_of([&] { expect_values(compiled(zeros)[0], {0}); });
  };
  double ten = time_of(10), forty = time_of(40);
  EXPECT_LT(forty, 10 * ten + 0.5);
}

TEST(CompileTime, B119_AThousandChainedOperations) {
  for (int n : {1000}) {
    auto product = compile([n](Tensors x) -> Tensors {
      for (int i = 0; i < n; ++i) x[0] = mul(x[0], 1.0);
      return x;
    });
    auto sum = compile([n](Tensors x) -> Tensors {
      for (int i = 0; i < n; ++i) x[0] = add(x[0], 1.0);
      return x;
    });
    expect_values(product({make(f32, {1})})[0], {1});
    expect_values(sum({make(f32, {1})})[0], {n + 1.0});
  }
}

TEST(CompileTime, B119_TwentyThousandChainedOperations) {
  if (!std::getenv("SINTER_LARGE_TESTS")) GTEST_SKIP() << "set SINTER_LARGE_TESTS for graphs of 20000 nodes";
  auto time_of = [](int n) {
    auto sum = compile([n](Tensors x) -> Tensors {
      for (int i = 0; i < n; ++i) x[0] = add(x[0], 1.0);
      return x;
    });
    return seconds_of([&] { expect_values(sum({make(f32, {1})})[0], {n + 1.0}); });
  };
  double two = time_of(2000), twenty = time_of(20000);
  EXPECT_LT(twenty, 20 * two + 1);
}

// A gated recurrent cell: two gates and a candidate.
Tensor recurrent_step(const Tensor& h, const Tensor& x, const Tensors& weights) {
  auto gate = [&](size_t i, const Tensor& state) { return add(op("aten::mm", state, weights[i]), x); };
  Tensor reset = op("aten::sigmoid", gate(0, h)), update = op("aten::sigmoid", gate(1, h));
  Tensor candidate = op("aten::tanh", gate(2, mul(reset, h)));
  return add(mul(update, h), mul(op("aten::rsub.Scalar", update, 1), candidate));
}

TEST(CompileTime, B120_AnUnrolledRecurrentCellCompilesInLinearTime) {
  std::vector<double> values(64);
  for (int i = 0; i < 64; ++i) values[i] = std::sin(i) / 4;
  Tensors inputs = {make(f32, {2, 8}, std::vector<double>(16, 0.5)), make(f32, {2, 8}, std::vector<double>(16, 0.25)),
                    make(f32, {8, 8}, values), make(f32, {8, 8}, values), make(f32, {8, 8}, values)};
  auto unrolled = [](Tensors x, int steps) -> Tensors {
    Tensors weights(x.begin() + 2, x.end());
    for (int i = 0; i < steps; ++i) x[0] = recurrent_step(x[0], x[1], weights);
    return {x[0]};
  };
  auto time_of = [&](int steps) {
    auto compiled = compile([&](Tensors x) { return unrolled(std::move(x), steps); });
    Tensors results;
    double seconds = seconds_of([&] { results = compiled(inputs); });
    expect_values(results[0], values_of(unrolled(inputs, steps)[0]));
    return seconds;
  };
  time_of(5);
  double short_one = time_of(25), long_one = time_of(100);
  EXPECT_LT(long_one, 8 * short_one + 1);
}

TEST(Memory, B123_CallsDoNotLeak) {
  if (held_bytes() == 0) GTEST_SKIP() << "no /proc/self/statm";
  auto f =
      compile([](Tensors x) -> Tensors { return {add(x[0], 1), mul(x[0], 2), op("aten::add.Tensor", x[0], x[1])}; });
  Tensor x = count_up(f32, {64}), y = count_up(f32, {64}), unfit = count_up(f32, {63});
  auto run = [&](int calls) {
    for (int i = 0; i < calls; ++i) {
      if (i % 10 == 9) {
        EXPECT_THROW(f({x, unfit}), Error);
        continue;
      }
      Tensors results = f({x, y});
      results[1] = Tensor();
      if (i % 1000 == 0) std::thread([moved = std::move(results)]() mutable { moved.clear(); }).join();
    }
  };
  run(5000);
  int64_t before = held_bytes();
  run(20000);
  EXPECT_LT(held_bytes() - before, 20000 * 20) << "bytes";
}

TEST(Rng, B128_UniformNumbersStayBelowOne) {
  for (DType dtype : {f32, f16, bf16, f64}) {
    int64_t count = dtype == f32 ? 1 << 22 : 1 << 20;
    in_both_modes([] { return Tensors{}; },
                  [&](Tensors) -> Tensors {
                    Tensor r = ops("aten::rand").call({Dims{count}}, {{"dtype", dtype}})[0].tensor();
                    return {op("aten::amax", r), op("aten::amin", r), op("aten::mean", op("aten::to.dtype", r, f64))};
                  },
                  [](const Tensors& results, const Tensors&) {
                    EXPECT_LT(values_of(results[0])[0], 1);
                    EXPECT_GE(values_of(results[1])[0], 0);
                    EXPECT_NEAR(values_of(results[2])[0], 0.5, 0.01);
                  });
  }
}

TEST(Rng, B130_EveryCallDrawsAnotherMask) {
  auto dropout = [](Tensors x) -> Tensors {
    Tensor kept = op("aten::lt.Scalar", op("aten::rand_like", x[0]), 0.5);
    return {mul(mul(x[0], kept), 2.0)};
  };
  auto compiled = compile([&](Tensors x) { return dropout(std::move(x)); });
  Tensor ones = make(f32, std::vector<double>(1000, 1.0));
  std::set<std::vector<double>> masks;
  for (int i = 0; i < 5; ++i) {
    std::vector<double> mask = values_of(compiled({ones})[0]);
    double kept = 0;
    for (double value : mask) {
      EXPECT_TRUE(value == 0 || value == 2);
      kept += value / 2000;
    }
    EXPECT_NEAR(kept, 0.5, 0.08);
    masks.insert(mask);
  }
  EXPECT_EQ(masks.size(), 5u);
}

// The ops of dropout themselves; training or not, in place or not.
TEST(Rng, B130_DropoutDrawsAnotherMaskAtEachCall) {
  for (const char* name : {"aten::dropout", "aten::native_dropout", "aten::dropout_"}) {
    auto compiled = compile([name](Tensors x) -> Tensors { return {ops(name)(x[0], 0.5, true)[0].tensor()}; });
    std::set<std::vector<double>> masks;
    for (int i = 0; i < 5; ++i) {
      std::vector<double> mask = values_of(compiled({make(f32, std::vector<double>(1000, 1.0))})[0]);
      double kept = 0;
      for (double value : mask) {
        EXPECT_TRUE(value == 0 || value == 2) << value;
        kept += value / 2000;
      }
      EXPECT_NEAR(kept, 0.5, 0.08);
      masks.insert(mask);
    }
    EXPECT_EQ(masks.size(), 5u) << name;
  }
  expect_results({count_up(f32, {9})}, [](Tensors x) -> Tensors { return {op("aten::dropout", x[0], 0.5, false)}; },
                 {{0, 1, 2, 3, 4, 5, 6, 7, 8}});
}

TEST(ErrorQuality, B173_AProductOfTwoTypesIsRefusedInBothModes) {
  struct Pair {
    DType a, b;
  };
  for (Pair pair : {Pair{f16, f32}, Pair{i64, f32}})
    for (bool is_batched : {true, false}) {
      std::vector<int64_t> left = is_batched ? std::vector<int64_t>{2, 3, 4} : std::vector<int64_t>{3, 4};
      std::vector<int64_t> right = is_batched ? std::vector<int64_t>{2, 4, 5} : std::vector<int64_t>{4, 5};
      expect_error([&] { return Tensors{count_up(pair.a, left), count_up(pair.b, right)}; },
                   [](Tensors x) -> Tensors { return {op("aten::matmul", x[0], x[1])}; }, ErrorKind::dtype);
    }
}

TEST(ErrorQuality, B173_TheErrorNamesBothTypes) {
  for (const char* type : {"f16", "f32"})
    expect_error([] { return Tensors{count_up(f16, {3, 4}), count_up(f32, {4, 5})}; },
                 [](Tensors x) -> Tensors { return {op("aten::matmul", x[0], x[1])}; }, ErrorKind::dtype, type);
}

TEST(ErrorQuality, B174_NegativeStridesAndTooLargeExtents) {
  expect_error([] { return Tensors{make(f32, {0}, {})}; },
               [](Tensors x) -> Tensors { return {op("aten::as_strided", x[0], Dims{17, 18}, Dims{-80, 1}, 1)}; },
               ErrorKind::argument, "negative strides");
  expect_error([] { return Tensors{count_up(f32, {4})}; },
               [](Tensors x) -> Tensors { return {op("aten::as_strided", x[0], Dims{3, 3}, Dims{3, 1}, 0)}; },
               ErrorKind::argument, "needs 9 elements, has 4");
}

}  // namespace
}  // namespace sinter::test
