// Hand-made nests with known values.

#include <gtest/gtest.h>
#include <sinter/runtime/interpreter.h>
#include <sinter/runtime/parallel.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "support/loop_nests.h"

namespace sinter::runtime {
namespace {

using fusion::AxisKind;
using fusion::Index;
using fusion::IndexExpr;
using fusion::ReductionOrder;
using support::OneNest;

Layout dense(SymDims sizes) { return contiguous_layout(sizes); }

template <class... T>
void run_on(const fusion::Schedule& schedule, T&... memory) {
  void* buffers[] = {memory.data()...};
  run(prepare(schedule), buffers);
}

std::vector<float> counting(int64_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(Interpreter, AddsBlocksOfEverySize) {
  for (int64_t n : {0, 1, 3, 15, 16, 17, 63, 64, 65, 255, 1023, 1024, 1025, 5000, 40000}) {
    OneNest b;
    int x = b.input(f32, dense({n})), y = b.input(f32, dense({n})), out = b.output(f32, dense({n}));
    IndexExpr i = b.axis(n);
    b.store(out, {i}, b.load(x, {i}) + b.load(y, {i}));
    std::vector<float> xs = counting(n), ys(n, 0.5f), result(n, -1);
    run_on(b.schedule, xs, ys, result);
    for (int64_t k = 0; k < n; ++k) ASSERT_EQ(result[k], k + 0.5f) << n;
  }
}

TEST(Interpreter, ZeroDimensionalValuesAreOneElement) {
  OneNest b;
  int x = b.input(f32, dense({})), out = b.output(f64, dense({}));
  b.store(out, {}, b.load(x, {}) * 3.0);
  std::vector<float> xs = {2};
  std::vector<double> result = {0};
  run_on(b.schedule, xs, result);
  EXPECT_EQ(result[0], 6.0);
}

// A row of every kind of access: broadcast, transposed, offset and reversed.
TEST(Interpreter, ReadsAnyLayout) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{3, 5}, {70, 130}, {1, 2000}, {2000, 1}, {300, 7}}) {
    OneNest b;
    int column = b.input(f32, {{rows, columns}, {1, 0}, 0});
    int transposed = b.input(f32, {{rows, columns}, {1, rows}, 0});
    int shifted = b.input(f32, {{rows, columns}, {columns + 2, 1}, 5});
    int out = b.output(f32, dense({rows, columns}));
    IndexExpr i = b.axis(rows), j = b.axis(columns);
    Index at = {i, j};
    Index mirrored = {IndexExpr(rows - 1) - i, j};
    b.store(out, at, b.load(column, at) * 1000.0 + b.load(transposed, at) + b.load(shifted, mirrored) * 0.001);
    std::vector<float> xs = counting(rows), ts = counting(rows * columns), ss = counting(rows * (columns + 2) + 5),
                       result(rows * columns);
    run_on(b.schedule, xs, ts, ss, result);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c) {
        float shift = ss[(rows - 1 - r) * (columns + 2) + c + 5] * 0.001f;
        ASSERT_EQ(result[r * columns + c], (r * 1000.0f + ts[r + c * rows]) + shift) << rows << " " << r << " " << c;
      }
  }
}

TEST(Interpreter, WritesAnyLayout) {
  OneNest b;
  int x = b.input(i64, dense({40, 50}));
  int out = b.output(i16, {{40, 50}, {1, 41}, 3});
  IndexExpr i = b.axis(40), j = b.axis(50);
  b.store(out, {i, j}, b.load(x, {i, j}));
  std::vector<int64_t> xs(2000);
  std::iota(xs.begin(), xs.end(), 65000);  // wraps around
  std::vector<int16_t> result(3 + 41 * 50, -7);
  run_on(b.schedule, xs, result);
  for (int64_t r = 0; r < 40; ++r)
    for (int64_t c = 0; c < 50; ++c) ASSERT_EQ(result[3 + r + 41 * c], static_cast<int16_t>(xs[r * 50 + c]));
  EXPECT_EQ(result[3 + 40], -7);
}

TEST(Interpreter, KeepsHalfPrecisionRounding) {
  OneNest b;
  int x = b.input(f16, dense({100})), out = b.output(f16, dense({100}));
  IndexExpr i = b.axis(100);
  ScalarExpr wide = b.scalars.convert(b.load(x, {i}), f32);
  ScalarExpr half = b.scalars.convert(wide * 1.1, f16);
  b.store(out, {i}, b.scalars.convert(b.scalars.convert(half, f32) + 1.0, f16));
  std::vector<Half> xs, result(100);
  for (int k = 0; k < 100; ++k) xs.push_back(Half(k * 0.37f));
  run_on(b.schedule, xs, result);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(result[k].bits, Half(float(Half(float(xs[k]) * 1.1f)) + 1.0f).bits);
}

TEST(Interpreter, MaskedLoadsTouchNothingOutside) {
  OneNest b;
  int x = b.input(f32, dense({10})), y = b.input(f32, dense({2000})), out = b.output(f32, dense({2010}));
  IndexExpr i = b.axis(2010);
  ScalarExpr position = b.index(i);
  ScalarExpr first = b.load(x, {i}, position < Scalar(10));
  ScalarExpr second = b.load(y, {i - IndexExpr(10)}, position >= Scalar(10));
  b.store(out, {i}, select(position >= Scalar(10), second, first));
  std::vector<float> xs = counting(10), ys = counting(2000), result(2010);
  run_on(b.schedule, xs, ys, result);
  for (int k = 0; k < 2010; ++k) ASSERT_EQ(result[k], k < 10 ? k : k - 10);
}

TEST(Interpreter, QuotientsAndIndexValues) {
  OneNest b;
  int x = b.input(f32, {{4, 6}, {1, 4}, 0}), out = b.output(f64, dense({3, 8}));
  IndexExpr i = b.axis(3), j = b.axis(8);
  SymInt extents[] = {3, 8};
  IndexExpr flat = i * 8 + j;
  ScalarExpr loaded = b.load(x, {fusion::floor_div(flat, 6, extents), fusion::mod(flat, 6, extents)});
  ScalarExpr index = b.scalars.convert(b.index(fusion::mod(flat, 6, extents)), f64);
  b.store(out, {i, j}, b.scalars.convert(loaded, f64) + index * 100.0);
  std::vector<float> xs = counting(24);
  std::vector<double> result(24);
  run_on(b.schedule, xs, result);
  for (int k = 0; k < 24; ++k) EXPECT_EQ(result[k], xs[k / 6 + k % 6 * 4] + 100.0 * (k % 6));
}

TEST(Interpreter, StoresOfOneNestSeeTheMemoryBeforeAll) {
  OneNest b;  // swaps two arguments
  int x = b.input(f32, dense({3000})), y = b.input(f32, dense({3000}));
  IndexExpr i = b.axis(3000);
  ScalarExpr from_x = b.load(x, {i}), from_y = b.load(y, {i});
  b.store(x, {i}, from_y);
  b.store(y, {i}, from_x + 1.0);
  std::vector<float> xs = counting(3000), ys(3000, -1);
  run_on(b.schedule, xs, ys);
  EXPECT_EQ(xs, std::vector<float>(3000, -1));
  for (int k = 0; k < 3000; ++k) ASSERT_EQ(ys[k], k + 1);
}

TEST(Interpreter, SoftmaxAsOneKernelWithLocalBuffers) {
  OneNest b;
  int x = b.input(f32, dense({5, 33})), out = b.output(f32, dense({5, 33}));
  fusion::Buffer local;
  local.kind = fusion::BufferKind::local;
  local.layout = dense({});
  b.schedule.buffers.push_back(local);
  fusion::Kernel& kernel = b.schedule.kernels[0];
  kernel.outer_axes = 1;
  IndexExpr i = b.axis(5), j = b.axis(33, AxisKind::reduction);
  b.reduce(2, {}, b.load(x, {i, j}), ReductionKind::maximum, {64, 64});
  fusion::Nest second;
  second.axes = {{5, AxisKind::parallel}, {33, AxisKind::parallel}};
  ScalarBuilder scalars(second.body.dag);
  second.body.loads = {{x, {i, j}}, {2, {}}};
  ScalarExpr difference =
      scalars.add({ScalarOp::load, f32, {-1, -1, -1}, 0}) - scalars.add({ScalarOp::load, f32, {-1, -1, -1}, 1});
  second.stores.push_back({out, {i, j}, difference.id});
  kernel.nests.push_back(second);
  std::vector<float> xs = counting(165), result(165);
  PreparedSchedule prepared = prepare(b.schedule);
  EXPECT_EQ(prepared.buffer_bytes[2], 5 * 4);
  std::vector<float> maxima(5);
  void* buffers[] = {xs.data(), result.data(), maxima.data()};
  run(prepared, buffers);
  for (int k = 0; k < 165; ++k) EXPECT_EQ(result[k], k % 33 - 32);
}

// --- Reductions -------------------------------------------------------------------------------------------------

std::vector<float> noise(int64_t n) {
  std::mt19937 random(7);
  std::vector<float> values(n);
  for (float& value : values) value = std::ldexp(static_cast<float>(random()) - 2e9f, static_cast<int>(random() % 20));
  return values;
}

TEST(InterpreterReduction, LongSequencesKeepTheOrder) {
  for (int64_t n :
       {0, 1, 2, 63, 64, 65, 100, 1000, 2047, 2048, 2049, 4095, 4096, 4097, 8192, 12289, 300000, 1048576 + 77}) {
    OneNest b;
    int x = b.input(f32, dense({n})), out = b.output(f32, dense({})), wide = b.output(f64, dense({}));
    IndexExpr i = b.axis(n, AxisKind::reduction);
    ScalarExpr value = b.load(x, {i});
    b.reduce(out, {}, value, ReductionKind::sum, {64, 64});
    b.reduce(wide, {}, b.scalars.convert(value, f64), ReductionKind::sum, {32, 64});
    std::vector<float> xs = noise(n), result(1);
    std::vector<double> xs64(xs.begin(), xs.end()), result64(1);
    run_on(b.schedule, xs, result, result64);
    EXPECT_EQ(result[0], support::reduce_in_order(xs, 64, 64, 0.0f, std::plus<>())) << n;
    EXPECT_EQ(result64[0], support::reduce_in_order(xs64, 32, 64, 0.0, std::plus<>())) << n;
  }
}

TEST(InterpreterReduction, RowsOfEverySize) {
  for (int64_t n : {0, 1, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 200, 1000, 2048, 2049, 5000}) {
    OneNest b;
    int64_t rows = 37;
    int x = b.input(f32, dense({rows, n})), out = b.output(f32, {{rows}, {2}, 1});
    IndexExpr i = b.axis(rows), j = b.axis(n, AxisKind::reduction);
    b.reduce(out, {i}, b.load(x, {i, j}) * 0.5, ReductionKind::sum, {64, 64});
    std::vector<float> xs = noise(rows * n), result(2 * rows + 1, -1);
    run_on(b.schedule, xs, result);
    for (int64_t r = 0; r < rows; ++r) {
      std::vector<float> row;
      for (int64_t k = 0; k < n; ++k) row.push_back(xs[r * n + k] * 0.5f);
      ASSERT_EQ(result[1 + 2 * r], support::reduce_in_order(row, 64, 64, 0.0f, std::plus<>())) << n << " " << r;
    }
  }
}

TEST(InterpreterReduction, ColumnsOfEverySize) {
  for (int64_t rows : {0, 1, 2, 63, 64, 65, 128, 129, 1000})
    for (int64_t columns : {1, 3, 16, 17, 70, 513})
      for (bool plain : {true, false}) {
        OneNest b;
        int x = b.input(f32, dense({rows, columns})), out = b.output(f32, dense({columns}));
        IndexExpr j = b.axis(columns), i = b.axis(rows, AxisKind::reduction);
        ScalarExpr value = b.load(x, {i, j});
        b.reduce(out, {j}, plain ? value : value * 0.5, ReductionKind::sum, {1, 64});
        std::vector<float> xs = noise(rows * columns), result(columns);
        run_on(b.schedule, xs, result);
        for (int64_t c = 0; c < columns; ++c) {
          std::vector<float> column;
          for (int64_t r = 0; r < rows; ++r) column.push_back(xs[r * columns + c] * (plain ? 1.0f : 0.5f));
          ASSERT_EQ(result[c], support::reduce_in_order(column, 1, 64, 0.0f, std::plus<>())) << rows << " " << columns;
        }
      }
}

TEST(InterpreterReduction, AxesThatDoNotMergeAreOneSequence) {
  for (int lanes : {64, 1}) {
    OneNest b;  // over the first and the last axis of a [70, 5, 90]
    int x = b.input(f32, dense({70, 5, 90})), out = b.output(f32, dense({5}));
    IndexExpr j = b.axis(5), i = b.axis(70, AxisKind::reduction), k = b.axis(90, AxisKind::reduction);
    b.reduce(out, {j}, b.load(x, {i, j, k}), ReductionKind::sum, {lanes, 64});
    std::vector<float> xs = noise(70 * 5 * 90), result(5);
    run_on(b.schedule, xs, result);
    for (int64_t c = 0; c < 5; ++c) {
      std::vector<float> sequence;
      for (int64_t r = 0; r < 70; ++r)
        for (int64_t q = 0; q < 90; ++q) sequence.push_back(xs[(r * 5 + c) * 90 + q]);
      EXPECT_EQ(result[c], support::reduce_in_order(sequence, lanes, 64, 0.0f, std::plus<>())) << lanes;
    }
  }
}

TEST(InterpreterReduction, ThreadsDoNotChangeTheBits) {
  int before = get_num_threads();
  for (int64_t columns : {1, 3, 40}) {
    OneNest b;
    int64_t rows = 1200000 / columns;
    int x = b.input(f32, dense({rows, columns})), out = b.output(f32, dense({columns})), all = b.output(f32, dense({}));
    IndexExpr j = b.axis(columns), i = b.axis(rows, AxisKind::reduction);
    b.reduce(out, {j}, b.load(x, {i, j}), ReductionKind::sum, {1, 64});
    (void)all;
    std::vector<float> xs = noise(rows * columns), one(columns), many(columns), unused(1);
    set_num_threads(1);
    run_on(b.schedule, xs, one, unused);
    set_num_threads(4);
    run_on(b.schedule, xs, many, unused);
    EXPECT_EQ(one, many);
  }
  OneNest b;
  int x = b.input(f32, dense({1000003})), out = b.output(f32, dense({}));
  IndexExpr i = b.axis(1000003, AxisKind::reduction);
  b.reduce(out, {}, b.load(x, {i}), ReductionKind::sum, {64, 64});
  std::vector<float> xs = noise(1000003), result(1);
  for (int threads : {1, 2, 3, 7}) {
    set_num_threads(threads);
    run_on(b.schedule, xs, result);
    EXPECT_EQ(result[0], support::reduce_in_order(xs, 64, 64, 0.0f, std::plus<>())) << threads;
  }
  set_num_threads(before);
}

TEST(InterpreterReduction, MinimaAndMaximaPropagateNaN) {
  OneNest b;
  int x = b.input(f32, dense({3, 100})), low = b.output(f32, dense({3})), high = b.output(f32, dense({3}));
  IndexExpr i = b.axis(3), j = b.axis(100, AxisKind::reduction);
  ScalarExpr value = b.load(x, {i, j});
  b.reduce(low, {i}, value, ReductionKind::minimum, {64, 64});
  b.reduce(high, {i}, value, ReductionKind::maximum, {64, 64});
  std::vector<float> xs = counting(300), lows(3), highs(3);
  xs[150] = NAN;
  run_on(b.schedule, xs, lows, highs);
  EXPECT_EQ(lows[0], 0);
  EXPECT_EQ(highs[2], 299);
  EXPECT_TRUE(std::isnan(lows[1]) && std::isnan(highs[1]));
}

TEST(InterpreterReduction, EmptySequencesGiveTheIdentity) {
  struct Case {
    ReductionKind kind;
    double want;
  };
  for (Case c : {Case{ReductionKind::sum, 0},
                 {ReductionKind::prod, 1},
                 {ReductionKind::minimum, INFINITY},
                 {ReductionKind::maximum, -INFINITY}})
    for (int lanes : {64, 1}) {
      OneNest b;
      int x = b.input(f32, dense({3, 0})), out = b.output(f32, dense({3}));
      IndexExpr i = b.axis(3), j = b.axis(0, AxisKind::reduction);
      b.reduce(out, {i}, b.load(x, {i, j}), c.kind, {lanes, 64});
      std::vector<float> xs, result(3, 7);
      run_on(b.schedule, xs, result);
      EXPECT_EQ(result, std::vector<float>(3, static_cast<float>(c.want)));
    }
}

TEST(InterpreterReduction, AnyAndAllOfBools) {
  for (int lanes : {64, 1})
    for (int64_t n : {1, 10, 64, 100, 5000}) {
      OneNest b;
      int x = b.input(boolean, dense({n})), any = b.output(boolean, dense({})), all = b.output(boolean, dense({}));
      IndexExpr i = b.axis(n, AxisKind::reduction);
      ScalarExpr value = b.load(x, {i});
      b.reduce(any, {}, value, ReductionKind::any, {lanes, 64});
      b.reduce(all, {}, value, ReductionKind::all, {lanes, 64});
      std::vector<uint8_t> xs(n, 1), some(1), every(1);
      run_on(b.schedule, xs, some, every);
      EXPECT_TRUE(some[0] == 1 && every[0] == 1);
      xs[n - 1] = 0;
      run_on(b.schedule, xs, some, every);
      EXPECT_TRUE(some[0] == (n > 1) && every[0] == 0) << n;
    }
}

}  // namespace
}  // namespace sinter::runtime
