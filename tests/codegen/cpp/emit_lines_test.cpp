// Large results whose rows begin anywhere in a line of memory.

#include "support/expect_naive.h"
#include "support/make_schedule.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

namespace sinter::test {

namespace {

constexpr int64_t stream_bytes = 1000;

std::string text_of(const Schedule& s) {
  return codegen::generate_program(s, codegen::CppTarget{32, stream_bytes}).kernels[0].text;
}

// out[i, j] = x[i, j] + y[j], the vector axis shared or the nest's own.
Schedule rows(DType dtype, int64_t length, int outer) {
  Schedule s;
  int x = add_buffer(s, "x", dtype, {5, length}, BufferKind::input),
      y = add_buffer(s, "y", dtype, {length}, BufferKind::input);
  int out = add_buffer(s, "out", dtype, {5, length}, BufferKind::output);
  NestMaker m(s, "add", {5, length});
  DType work = compute_type(dtype);
  ScalarExpr a = m.builder.convert(m.load(x, {axis(0), axis(1)}), work);
  m.store(out, {axis(0), axis(1)}, a + m.builder.convert(m.load(y, {axis(1)}), work));
  add_nest(add_kernel(s, outer, 1), m, 1);
  return s;
}

TEST(EmitLines, StreamsRowsThatBeginAnywhere) {
  for (DType dtype : {f32, f64, bf16, i8})
    for (int outer : {1, 2})
      for (int64_t length : {1001, 1003, 2048}) expect_naive(rows(dtype, length, outer), stream_bytes);
  std::string text = text_of(rows(f32, 1001, 2));
  EXPECT_NE(text.find("for (long i1 = 0; i1 < 1001; i1 += 1001 - N)"), std::string::npos) << text;
  EXPECT_NE(text.find("for (long i1 = N - (1001 * i0) % N; i1 + N <= 1001; i1 += N)"), std::string::npos) << text;
}

TEST(EmitLines, LeavesShortRowsAlone) { EXPECT_EQ(text_of(rows(f32, 61, 2)).find("stream("), std::string::npos); }

// What is added to itself must not be computed twice.
TEST(EmitLines, LeavesWhatIsReadAndWrittenAlone) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {5, 1001}, BufferKind::input);
  int out = add_buffer(s, "out", f32, {5, 1001}, BufferKind::output);
  NestMaker m(s, "add", {5, 1001});
  ScalarExpr sum = m.load(x, {axis(0), axis(1)}) + Scalar(1);
  m.store(x, {axis(0), axis(1)}, sum);
  m.store(out, {axis(0), axis(1)}, sum);
  add_nest(add_kernel(s, 2, 1), m, 1);
  EXPECT_EQ(text_of(s).find("% N"), std::string::npos);
  expect_naive(s, stream_bytes);
}

// The sum of the five points around each inner point of a plane.
TEST(EmitLines, ComputesRowsThatShareRowsTogether) {
  for (DType dtype : {f32, f64})
    for (int64_t columns : {300, 301, 1024}) {
      Schedule s;
      int x = add_buffer(s, "x", dtype, {13, columns + 2}, BufferKind::input);
      int out = add_buffer(s, "out", dtype, {11, columns}, BufferKind::output);
      NestMaker m(s, "add", {11, columns});
      ScalarExpr sum = m.load(x, {axis(0) + 1, axis(1) + 1});
      for (auto [row, column] : {std::pair(0, 1), {2, 1}, {1, 0}, {1, 2}})
        sum = sum + m.load(x, {axis(0) + row, axis(1) + column});
      m.store(out, {axis(0), axis(1)}, sum);
      add_nest(add_kernel(s, 2, 1), m, 1);
      EXPECT_NE(text_of(s).find("for (long i0_first = begin; i0_first < end; i0_first += 4)"), std::string::npos);
      expect_naive(s, stream_bytes);
    }
}

}  // namespace

}  // namespace sinter::test
