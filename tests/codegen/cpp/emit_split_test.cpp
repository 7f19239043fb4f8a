// Split reductions: segments, and the phase that combines them.

#include "support/expect_naive.h"
#include "support/make_schedule.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

TEST(EmitSplit, CutsAWholeReductionAndFinishesIt) {
  for (int64_t length : {100, 131072, 500001}) {
    Schedule s;
    int x = add_buffer(s, "x", f32, {length}, BufferKind::input),
        out = add_buffer(s, "mean", f32, {}, BufferKind::output);
    int sum = add_buffer(s, "sum", f32, {}, BufferKind::local),
        most = add_buffer(s, "most", f32, {}, BufferKind::output);
    NestMaker m(s, "sum", {}, {length}), rest(s, "mean", {});
    ScalarExpr value = m.load(x, {axis(0)});
    m.reduce(sum, {}, value, ReductionKind::sum, true);
    m.reduce(most, {}, value, ReductionKind::maximum, true);
    rest.store(out, {}, rest.load(sum, {}) / Scalar(static_cast<double>(length)));
    Kernel& kernel = add_kernel(s, 0, 0);
    kernel.splits_reduction = true;
    add_nest(kernel, m, 0);
    add_nest(kernel, rest, -1);
    expect_naive(s);
  }
}

TEST(EmitSplit, CutsColumns) {
  for (int64_t columns : {17, 64}) {
    Schedule s;
    int64_t rows = 9000;
    int x = add_buffer(s, "x", f64, {rows, columns}, BufferKind::input),
        out = add_buffer(s, "sum", f64, {columns}, BufferKind::output);
    NestMaker m(s, "sum", {columns}, {rows});
    m.reduce(out, {axis(0)}, m.load(x, {axis(1), axis(0)}), ReductionKind::sum, false);
    Kernel& kernel = add_kernel(s, 0, 0);
    kernel.splits_reduction = true;
    kernel.strip = 4;
    add_nest(kernel, m, 0);
    EXPECT_GT(codegen::generate_program(s, codegen::CppTarget{}).kernels[0].range, 1);
    expect_naive(s);
  }
}

TEST(EmitSplit, CutsASequenceOverSeveralAxes) {
  for (int vector_axis : {2, 0, -1}) {
    Schedule s;
    int x = add_buffer(s, "x", f32, {600, 2, 131}, BufferKind::input),
        out = add_buffer(s, "sum", f32, {2}, BufferKind::output);
    NestMaker m(s, "sum", {2}, {600, 131});
    m.reduce(out, {axis(0)}, m.load(x, {axis(1), axis(0), axis(2)}), ReductionKind::sum, true);
    Kernel& kernel = add_kernel(s, 0, 0);
    kernel.splits_reduction = true;
    add_nest(kernel, m, vector_axis);
    EXPECT_GT(codegen::generate_program(s, codegen::CppTarget{}).kernels[0].range, 1);
    expect_naive(s);
  }
}

}  // namespace

}  // namespace sinter::test
