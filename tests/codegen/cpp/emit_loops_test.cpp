// Pointwise kernels, compiled and run.

#include "support/expect_naive.h"
#include "support/make_schedule.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

// out = (x + y) * 3 over one axis that is the range and the vector axis.
Schedule flat(DType dtype, int64_t size) {
  Schedule s;
  int x = add_buffer(s, "x", dtype, {size}, BufferKind::input),
      y = add_buffer(s, "y", dtype, {size}, BufferKind::input);
  int out = add_buffer(s, "mul", dtype, {size}, BufferKind::output);
  NestMaker m(s, "mul", {size});
  DType work = compute_type(dtype);
  ScalarExpr a = m.builder.convert(m.load(x, {axis(0)}), work), b = m.builder.convert(m.load(y, {axis(0)}), work);
  ScalarExpr sum = m.builder.convert(m.builder.convert(a + b, dtype), work);
  m.store(out, {axis(0)}, dtype == boolean ? sum : sum * Scalar(3));
  add_nest(add_kernel(s, 1, 1), m, 0);
  return s;
}

TEST(EmitLoops, RunsFlatKernelsOfEveryTypeAndLength) {
  for (DType dtype : all_dtypes) {
    Schedule s;
    for (int64_t size : {1, 3, 4, 7, 8, 15, 17, 33, 64, 65}) {
      Schedule one = flat(dtype, size);
      int first = static_cast<int>(s.buffers.size());
      s.buffers.insert(s.buffers.end(), one.buffers.begin(), one.buffers.end());
      fusion::Nest& nest = one.kernels[0].nests[0];
      for (fusion::Load& load : nest.body.loads) load.buffer += first;
      for (fusion::Store& store : nest.stores) store.buffer += first;
      s.kernels.push_back(std::move(one.kernels[0]));
    }
    expect_naive(s);
  }
}

TEST(EmitLoops, CutsALongFlatKernel) { expect_naive(flat(f32, 100003)); }

TEST(EmitLoops, StreamsLargeResults) {
  Schedule s = flat(f32, 10003);
  EXPECT_NE(codegen::generate_program(s, codegen::CppTarget{32, 1000}).kernels[0].text.find("stream(out_mul + i0"),
            std::string::npos);
  expect_naive(s, 1000);
}

// out[i, j, k] = x[i, j, k] * y[j] + z[k] with a vector axis inside of a range of two axes.
TEST(EmitLoops, BroadcastsInsideOfARangeOfTwoAxes) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {5, 6, 19}, BufferKind::input), y = add_buffer(s, "y", f32, {6}, BufferKind::input);
  int z = add_buffer(s, "z", f32, {19}, BufferKind::input), one = add_buffer(s, "one", f32, {}, BufferKind::input);
  int out = add_buffer(s, "out", f32, {5, 6, 19}, BufferKind::output);
  for (int outer : {2, 3}) {
    NestMaker m(s, "add", {5, 6, 19});
    ScalarExpr value = m.load(x, {axis(0), axis(1), axis(2)}) * m.load(y, {axis(1)}) + m.load(z, {axis(2)});
    m.store(out, {axis(0), axis(1), axis(2)}, value + m.load(one, {}));
    add_nest(add_kernel(s, outer, 2), m, 2);
  }
  expect_naive(s);
}

TEST(EmitLoops, ReadsAndWritesStridedAndQuotientIndices) {
  Schedule s;
  int x = add_strided(s, "x", f32, {{37}, {3}, 5}, BufferKind::input);
  int y = add_buffer(s, "y", f32, {7, 6}, BufferKind::input),
      wide = add_buffer(s, "wide", f32, {3, 64}, BufferKind::input);
  int out = add_strided(s, "out", f32, {{37}, {2}, 1}, BufferKind::output);
  int back = add_strided(s, "back", f32, {{37}, {-1 + 2}, 0}, BufferKind::output);
  int mixed = add_buffer(s, "mixed", f32, {6, 7}, BufferKind::output);
  SymDims extents{37};
  NestMaker m(s, "add", {37});
  ScalarExpr value = m.load(x, {axis(0)}) + m.load(y, {floor_div(axis(0), 6, extents), mod(axis(0), 6, extents)}) +
                     m.load(y, {mod(axis(0), 7, extents), 2});
  m.store(out, {axis(0)}, value);
  m.store(back, {IndexExpr(36) - axis(0)}, value * m.load(wide, {1, axis(0) + 3}));
  m.store(mixed, {mod(axis(0), 6, extents), floor_div(axis(0), 6, extents)}, value);
  add_nest(add_kernel(s, 1, 1), m, 0);
  expect_naive(s);
}

// Vectors that begin at multiples of N lie inside of a row of 64.
TEST(EmitLoops, LoadsAVectorWhereQuotientsAreUniform) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {4, 128}, BufferKind::input),
      out = add_buffer(s, "out", f32, {256}, BufferKind::output);
  SymDims extents{256};
  NestMaker m(s, "slice", {256});
  m.store(out, {axis(0)}, m.load(x, {floor_div(axis(0), 64, extents), mod(axis(0), 64, extents)}));
  add_nest(add_kernel(s, 1, 1), m, 0);
  EXPECT_EQ(codegen::generate_program(s, codegen::CppTarget{}).kernels[0].text.find("gather"), std::string::npos);
  expect_naive(s);
}

TEST(EmitLoops, LeavesOutWhatAMaskExcludes) {
  Schedule s;
  int a = add_buffer(s, "a", f32, {3, 20}, BufferKind::input), b = add_buffer(s, "b", f32, {3, 17}, BufferKind::input);
  int out = add_buffer(s, "cat", f32, {3, 37}, BufferKind::output),
      top = add_buffer(s, "top", f32, {3, 37}, BufferKind::output);
  NestMaker m(s, "cat", {3, 37});
  ScalarExpr in_a = m.index(axis(1)) < Scalar(20), in_b = m.index(axis(1)) >= Scalar(20);
  ScalarExpr row = m.index(axis(0)) >= Scalar(1);
  ScalarExpr from_a = m.load(a, {axis(0), axis(1)}, in_a.id), from_b = m.load(b, {axis(0), axis(1) - 20}, in_b.id);
  m.store(out, {axis(0), axis(1)}, select(in_a, from_a, from_b));
  ScalarExpr above = m.load(a, {axis(0) - 1, 3}, row.id), last = m.load(b, {axis(0), IndexExpr(36) - axis(1)}, in_b.id);
  m.store(top, {axis(0), axis(1)}, above + last + m.load(a, {2, 3}, in_b.id));
  add_nest(add_kernel(s, 1, 1), m, 1);
  expect_naive(s);
}

// out[b, i, j] = x[b, j, i] + y[b, i, j]
TEST(EmitTile, TransposesOperands) {
  for (DType dtype : {f32, f64, i8, bf16, boolean}) {
    Schedule s;
    for (int64_t rows : {17, 64, 130}) {
      for (int64_t columns : {67, 128}) {
        int x = add_buffer(s, "x", dtype, {2, columns, rows}, BufferKind::input);
        int y = add_buffer(s, "y", dtype, {2, rows, columns}, BufferKind::input);
        int out = add_buffer(s, "out", dtype, {2, rows, columns}, BufferKind::output);
        NestMaker m(s, "add", {2, rows, columns});
        DType work = compute_type(dtype);
        ScalarExpr a = m.builder.convert(m.load(x, {axis(0), axis(2), axis(1)}), work);
        ScalarExpr b = m.builder.convert(m.load(y, {axis(0), axis(1), axis(2)}), work);
        m.store(out, {axis(0), axis(1), axis(2)}, a + b);
        add_nest(add_kernel(s, 3, 2), m, 2);
      }
    }
    EXPECT_NE(codegen::generate_program(s, codegen::CppTarget{}).kernels.back().text.find("copy_transposed<"),
              std::string::npos);
    expect_naive(s);
  }
}

TEST(EmitLoops, WritesWhatItReads) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {50}, BufferKind::input);
  NestMaker m(s, "add", {50});
  m.store(x, {axis(0)}, m.load(x, {axis(0)}) + Scalar(1));
  add_nest(add_kernel(s, 1, 1), m, 0);
  EXPECT_EQ(codegen::generate_program(s, codegen::CppTarget{}).kernels[0].text.find("__restrict"), std::string::npos);
  expect_naive(s);
}

TEST(EmitLoops, WorksWithoutAVectorAxis) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {4, 3}, BufferKind::input),
      out = add_buffer(s, "out", f16, {3, 4}, BufferKind::output);
  NestMaker m(s, "half", {4, 3});
  ScalarExpr value = m.load(x, {axis(0), axis(1)}) * m.builder.convert(m.index(axis(1) + axis(0) * 2), f32);
  m.store(out, {axis(1), axis(0)}, value);
  add_nest(add_kernel(s, 1, 1), m, -1);
  expect_naive(s);
}

}  // namespace

}  // namespace sinter::test
