// Reductions, compiled and run: the order of ReductionOrder bit for bit.

#include "support/expect_naive.h"
#include "support/make_schedule.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

constexpr ReductionKind kinds[] = {ReductionKind::sum,     ReductionKind::prod, ReductionKind::minimum,
                                   ReductionKind::maximum, ReductionKind::any,  ReductionKind::all};

bool fits(ReductionKind kind, DType dtype) {
  bool is_logic = kind == ReductionKind::any || kind == ReductionKind::all;
  return is_logic == (dtype == boolean);
}

// Each row of [3, length], along the vectors.
void add_rows(Schedule& s, DType dtype, int64_t length, ReductionKind kind) {
  int x = add_buffer(s, "x", dtype, {3, length}, BufferKind::input);
  int out = add_buffer(s, "out", dtype, {3}, BufferKind::output);
  NestMaker m(s, "reduce", {3}, {length});
  m.reduce(out, {axis(0)}, m.load(x, {axis(0), axis(1)}), kind, true);
  add_nest(add_kernel(s, 1, 1), m, 1);
}

TEST(EmitReduction, ReducesRowsOfAnyLength) {
  Schedule s;
  for (int64_t length : {1, 5, 63, 64, 65, 130, 4095, 4096, 4097, 9000, 20480})
    add_rows(s, f32, length, ReductionKind::sum);
  expect_naive(s);
}

TEST(EmitReduction, ReducesRowsOfEveryTypeAndKind) {
  for (DType dtype : {boolean, u8, i8, i16, i32, i64, f32, f64}) {
    Schedule s;
    for (ReductionKind kind : kinds)
      if (fits(kind, dtype)) add_rows(s, dtype, 4500, kind);
    expect_naive(s);
  }
}

// f16 accumulates in f32 and is rounded once; two accumulators of different lanes in one nest; a plain store beside.
TEST(EmitReduction, KeepsSeveralAccumulators) {
  Schedule s;
  int x = add_buffer(s, "x", f16, {2, 5000}, BufferKind::input),
      n = add_buffer(s, "n", i32, {2, 5000}, BufferKind::input);
  int sum = add_buffer(s, "sum", f16, {2}, BufferKind::output),
      count = add_buffer(s, "count", i64, {2}, BufferKind::output);
  int twice = add_buffer(s, "twice", f32, {2, 5000}, BufferKind::output);
  NestMaker m(s, "both", {2}, {5000});
  ScalarExpr value = m.builder.convert(m.load(x, {axis(0), axis(1)}), f32);
  m.reduce(sum, {axis(0)}, value, ReductionKind::sum, true);
  m.reduce(count, {axis(0)}, m.builder.convert(m.load(n, {axis(0), axis(1)}), i64), ReductionKind::sum, true);
  m.store(twice, {axis(0), axis(1)}, value * Scalar(2.0));
  add_nest(add_kernel(s, 1, 1), m, 1);
  expect_naive(s);
}

TEST(EmitReduction, ReducesOverSeveralAxes) {
  for (int64_t last : {5, 8, 64, 100}) {
    Schedule s;
    int x = add_buffer(s, "x", f32, {7, 3, 11, last}, BufferKind::input);
    int out = add_buffer(s, "out", f32, {3}, BufferKind::output);
    for (int vector_axis : {3, 1, -1}) {
      NestMaker m(s, "sum", {3}, {7, 11, last});
      m.reduce(out, {axis(0)}, m.load(x, {axis(1), axis(0), axis(2), axis(3)}), ReductionKind::sum, true);
      add_nest(add_kernel(s, 1, 1), m, vector_axis);
    }
    expect_naive(s);
  }
}

// Columns: the vector axis is kept, as an outer axis with strips or as the nest's own.
TEST(EmitReduction, ReducesColumns) {
  for (int64_t rows : {1, 5, 64, 65, 200, 300}) {
    Schedule s;
    for (int64_t columns : {1, 7, 16, 50, 131}) {
      int x = add_buffer(s, "x", f32, {rows, columns}, BufferKind::input);
      int out = add_buffer(s, "out", f32, {columns}, BufferKind::output);
      for (int strip : {1, 4, 12}) {
        for (int outer : {0, 1}) {
          NestMaker m(s, "sum", {columns}, {rows});
          m.reduce(out, {axis(0)}, m.load(x, {axis(1), axis(0)}), ReductionKind::sum, false);
          Kernel& kernel = add_kernel(s, outer, outer);
          kernel.strip = strip;
          add_nest(kernel, m, 0);
        }
      }
    }
    expect_naive(s);
  }
}

TEST(EmitReduction, ReducesColumnsOverTwoAxes) {
  Schedule s;
  int x = add_buffer(s, "x", f64, {9, 21, 13}, BufferKind::input),
      y = add_buffer(s, "y", f64, {21, 9, 13}, BufferKind::input);
  for (bool wide : {false, true}) {
    int out = add_buffer(s, "out", f64, {13}, BufferKind::output);
    int most = add_buffer(s, "most", f64, {13}, BufferKind::output);
    NestMaker m(s, "sum", {13}, {9, 21});
    ScalarExpr value = m.load(x, {axis(1), axis(2), axis(0)}) + m.load(y, {axis(2), axis(1), axis(0)});
    m.reduce(out, {axis(0)}, value, ReductionKind::sum, wide);
    m.reduce(most, {axis(0)}, value, ReductionKind::maximum, !wide);
    Kernel& kernel = add_kernel(s, 1, 1);
    kernel.strip = 2;
    add_nest(kernel, m, 0);
  }
  expect_naive(s);
}

TEST(EmitReduction, GivesTheIdentityOfNothing) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {3, 0}, BufferKind::input), out = add_buffer(s, "out", f32, {3}, BufferKind::output);
  NestMaker m(s, "prod", {3}, {0});
  m.reduce(out, {axis(0)}, m.load(x, {axis(0), axis(1)}), ReductionKind::prod, true);
  add_nest(add_kernel(s, 1, 1), m, 1);
  expect_naive(s);
}

// Softmax without exp: maximum, then squares and their sum, then quotients, with a local row and local variables.
void add_softmax(Schedule& s, int64_t rows, int64_t length) {
  int x = add_buffer(s, "x", f32, {rows, length}, BufferKind::input);
  int out = add_buffer(s, "div", f32, {rows, length}, BufferKind::output);
  int most = add_buffer(s, "amax", f32, {}, BufferKind::local), sum = add_buffer(s, "sum", f32, {1}, BufferKind::local);
  int row = add_buffer(s, "square", f32, {length}, BufferKind::local);
  Kernel& kernel = add_kernel(s, 1, 1);
  NestMaker first(s, "amax", {rows}, {length});
  first.reduce(most, {}, first.load(x, {axis(0), axis(1)}), ReductionKind::maximum, true);
  NestMaker second(s, "sum", {rows}, {length});
  ScalarExpr shifted = second.load(x, {axis(0), axis(1)}) - second.load(most, {});
  ScalarExpr square = shifted * shifted;
  second.store(row, {axis(1)}, square);
  second.reduce(sum, {0}, square, ReductionKind::sum, true);
  NestMaker third(s, "div", {rows, length});
  third.store(out, {axis(0), axis(1)}, third.load(row, {axis(1)}) / third.load(sum, {0}));
  add_nest(kernel, first, 1);
  add_nest(kernel, second, 1);
  add_nest(kernel, third, 1);
}

TEST(EmitReduction, KeepsARowBetweenNests) {
  Schedule s;
  for (int64_t length : {3, 64, 77, 5000, 30000}) add_softmax(s, 4, length);
  expect_naive(s);
}

TEST(EmitReduction, StoresPlainlyWhereNothingIsReducedAnyMore) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {5, 7, 9}, BufferKind::input),
      out = add_buffer(s, "neg", f32, {5, 7, 9}, BufferKind::output);
  NestMaker m(s, "neg", {5}, {7, 9});
  m.store(out, {axis(0), axis(1), axis(2)}, -m.load(x, {axis(0), axis(1), axis(2)}));
  add_nest(add_kernel(s, 1, 1), m, 2);
  expect_naive(s);
}

// The end of one row of a local array is followed by the next.
TEST(EmitReduction, KeepsATableBetweenNests) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {5, 7, 43}, BufferKind::input),
      out = add_buffer(s, "div", f32, {5, 7, 43}, BufferKind::output);
  int square = add_buffer(s, "square", f32, {7, 43}, BufferKind::local),
      sum = add_buffer(s, "sum", f32, {43}, BufferKind::local);
  Kernel& kernel = add_kernel(s, 1, 1);
  NestMaker first(s, "sum", {5, 43}, {7});
  ScalarExpr value = first.load(x, {axis(0), axis(2), axis(1)});
  value = value * value;
  first.store(square, {axis(2), axis(1)}, value);
  first.reduce(sum, {axis(1)}, value, ReductionKind::sum, false);
  NestMaker second(s, "div", {5, 7, 43});
  second.store(out, {axis(0), axis(1), axis(2)}, second.load(square, {axis(1), axis(2)}) / second.load(sum, {axis(2)}));
  add_nest(kernel, first, 1);
  add_nest(kernel, second, 2);
  expect_naive(s);
}

// Strips of a few columns begin each row at a new place in memory: rows of large operands are asked for ahead.
TEST(EmitReduction, AsksForRowsAheadOfStrips) {
  auto columns = [](int64_t rows, int strip) {
    Schedule s;
    int x = add_buffer(s, "x", f32, {rows, 1031}, BufferKind::input);
    int out = add_buffer(s, "out", f32, {1031}, BufferKind::output),
        squares = add_buffer(s, "squares", f32, {1031}, BufferKind::output);
    NestMaker m(s, "sum", {1031}, {rows});
    ScalarExpr value = m.load(x, {axis(1), axis(0)});
    m.reduce(out, {axis(0)}, value, ReductionKind::sum, false);
    m.reduce(squares, {axis(0)}, value * value, ReductionKind::sum, false);
    Kernel& kernel = add_kernel(s, 1, 1);
    kernel.strip = strip;
    add_nest(kernel, m, 0);
    return s;
  };
  auto text = [](const Schedule& s) { return codegen::generate_program(s, codegen::CppTarget{}).kernels[0].text; };
  EXPECT_NE(text(columns(300, 8)).find("prefetch(in_x + i0 + 1031 * (i1 + 8));"), std::string::npos)
      << text(columns(300, 8));
  EXPECT_EQ(text(columns(200, 8)).find("prefetch("), std::string::npos) << "in a cache anyway";
  EXPECT_EQ(text(columns(300, 1)).find("prefetch("), std::string::npos) << "no strip";
  expect_naive(columns(300, 8));
}

// The same along columns: every nest works on strips of the shared axis.
TEST(EmitReduction, KeepsColumnsBetweenNests) {
  for (int strip : {1, 2}) {
    Schedule s;
    int64_t rows = 70, columns = 45;
    int x = add_buffer(s, "x", f32, {rows, columns}, BufferKind::input);
    int out = add_buffer(s, "div", f32, {rows, columns}, BufferKind::output);
    int most = add_buffer(s, "amax", f32, {}, BufferKind::local),
        row = add_buffer(s, "sub", f32, {rows}, BufferKind::local);
    Kernel& kernel = add_kernel(s, 1, 1);
    kernel.strip = strip;
    NestMaker first(s, "amax", {columns}, {rows});
    first.reduce(most, {}, first.load(x, {axis(1), axis(0)}), ReductionKind::maximum, false);
    NestMaker second(s, "sub", {columns, rows});
    second.store(row, {axis(1)}, second.load(x, {axis(1), axis(0)}) - second.load(most, {}));
    NestMaker third(s, "div", {columns, rows});
    third.store(out, {axis(1), axis(0)}, third.load(row, {axis(1)}) * third.load(most, {}));
    for (NestMaker* nest : {&first, &second, &third}) add_nest(kernel, *nest, 0);
    expect_naive(s);
  }
}

}  // namespace

}  // namespace sinter::test
