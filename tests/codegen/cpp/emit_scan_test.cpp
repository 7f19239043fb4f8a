// Scans, compiled and run: columns, squares of rows, rows alone; the order of the elements bit for bit.

#include "support/expect_naive.h"
#include "support/make_schedule.h"

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

constexpr ReductionKind kinds[] = {ReductionKind::sum, ReductionKind::prod, ReductionKind::minimum,
                                   ReductionKind::maximum};

ScalarExpr scanned(NestMaker& m, ScalarExpr value, ReductionKind kind) {
  return m.builder.add({fusion::scan_op, value.dtype(), {value.id, -1, -1}, static_cast<uint64_t>(kind)});
}

// 2 * scan(3 * x) of [rows, length], along the rows or down the columns.
void add_scan(Schedule& s, DType dtype, int64_t rows, int64_t length, ReductionKind kind, bool along_rows,
              int strip = 1) {
  std::vector<int64_t> sizes = along_rows ? std::vector{rows, length} : std::vector{length, rows};
  int x = add_buffer(s, "x", dtype, {sizes[0], sizes[1]}, BufferKind::input);
  int out = add_buffer(s, "out", dtype, {sizes[0], sizes[1]}, BufferKind::output);
  NestMaker m(s, "scan", {rows}, {length});
  m.nest.axes.back().kind = fusion::AxisKind::scan;
  Index index = along_rows ? Index{axis(0), axis(1)} : Index{axis(1), axis(0)};
  ScalarExpr value = m.load(x, index) * Scalar(3);
  DType running = dtype == f32 && kind <= ReductionKind::prod ? f64 : dtype;
  value = m.builder.convert(scanned(m, m.builder.convert(value, running), kind), dtype);
  m.store(out, index, value * Scalar(2));
  Kernel& kernel = add_kernel(s, 1, 1);
  kernel.strip = strip;
  add_nest(kernel, m, along_rows ? 1 : 0);
}

TEST(EmitScan, ScansRowsOfAnyNumberAndLength) {
  Schedule s;
  for (int64_t rows : {1, 3, 16, 17, 40})
    for (int64_t length : {1, 5, 16, 64, 83}) add_scan(s, f32, rows, length, ReductionKind::sum, true);
  expect_naive(s);
}

TEST(EmitScan, ScansColumnsInStripsOfAnyLength) {
  Schedule s;
  for (int strip : {1, 4, 32})
    for (int64_t columns : {1, 16, 40, 700}) add_scan(s, f32, columns, 37, ReductionKind::sum, false, strip);
  expect_naive(s);
}

TEST(EmitScan, ScansEveryTypeAndKind) {
  for (DType dtype : {u8, i8, i16, i32, i64, f32, f64}) {
    Schedule s;
    for (ReductionKind kind : kinds)
      for (bool along_rows : {true, false}) add_scan(s, dtype, 20, 50, kind, along_rows);
    expect_naive(s);
  }
}

// The second scan takes what is made of the first; the first is a result too.
TEST(EmitScan, ScansWhatAScanGives) {
  for (int vector_axis : {1, 0, -1}) {
    Schedule s;
    int x = add_buffer(s, "x", f32, {37, 45}, BufferKind::input);
    int out = add_buffer(s, "out", f32, {37, 45}, BufferKind::output),
        first = add_buffer(s, "first", f32, {37, 45}, BufferKind::output);
    NestMaker m(s, "scans", {37}, {45});
    m.nest.axes.back().kind = fusion::AxisKind::scan;
    ScalarExpr loaded = m.load(x, {axis(0), axis(1)});
    ScalarExpr greatest = scanned(m, loaded, ReductionKind::maximum);
    ScalarExpr sum = scanned(m, m.builder.convert(greatest - loaded, f64), ReductionKind::sum);
    m.store(first, {axis(0), axis(1)}, greatest);
    m.store(out, {axis(0), axis(1)}, m.builder.convert(sum, f32) + loaded);
    add_nest(add_kernel(s, 1, 1), m, vector_axis);
    expect_naive(s);
  }
}

}  // namespace

}  // namespace sinter::test
