// The text of loop nests.

#include <gtest/gtest.h>
#include <sinter/fusion/schedule.h>

#include "support/loops_of.h"
#include "support/make_schedule.h"

namespace sinter::fusion {
namespace {

using namespace test;

TEST(PrintLoops, NamesLoadsAndValuesThatAreUsedTwice) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {8, 16}, BufferKind::input);
  int out = add_buffer(s, "add", f32, {8, 16}, BufferKind::output);
  NestMaker m(s, "add", {8, 16});
  ScalarExpr a = m.load(x, {axis(0), axis(1)});
  ScalarExpr b = exp(a);
  m.store(out, {axis(0), axis(1)}, b * b + a);
  EXPECT_EQ("\n" + to_string(m.nest, s), R"(
nest add [i0 < 8, i1 < 16]
  x0 = load x[16*i0 + i1]
  x1 = exp(x0)
  store add[16*i0 + i1] = add(mul(x1, x1), x0)
)");
}

TEST(PrintLoops, ShowsMasksIndexValuesAndConversions) {
  Schedule s;
  int x = add_buffer(s, "x", f16, {8}, BufferKind::input);
  int out = add_buffer(s, "pad", f32, {10}, BufferKind::output);
  NestMaker m(s, "pad", {10});
  ScalarExpr inside = m.index(axis(0)) < Scalar(8);
  ScalarExpr a = m.load(x, {axis(0)}, inside.id);
  m.store(out, {axis(0)}, m.builder.convert(a, f32) + Scalar(0.5));
  EXPECT_EQ("\n" + to_string(m.nest, s), R"(
nest pad [i0 < 10]
  x0 = load x[i0] where lt(index(i0), 8)
  store pad[i0] = add(f32(x0), 0.5)
)");
}

TEST(PrintLoops, ShowsBuffersKernelsAndResults) {
  Schedule s;
  int x = add_strided(s, "x", f32, {{4, 8}, {1, 4}, 2}, BufferKind::input);
  s.buffers[x].source = 0;
  add_buffer(s, "unused", f32, {8}, BufferKind::temporary);
  int out = add_buffer(s, "sum", f32, {4}, BufferKind::output);
  NestMaker m(s, "sum", {4}, {8});
  m.reduce(out, {axis(0)}, m.load(x, {axis(0), axis(1)}), ReductionKind::sum, /*wide=*/true);
  Kernel& kernel = add_kernel(s, 1, 1);
  kernel.name = "sum";
  add_nest(kernel, m, 1);
  s.results = {{out, s.buffers[out].layout}, {}};
  EXPECT_EQ("\n" + to_string(s), R"(
buffer x : f32[4, 8] strides=[1, 4] offset=2 input 0
buffer sum : f32[4] output
kernel sum outer 1 parallel 1
  nest sum [i0 < 4, i1 < 8 reduce vector]
    x0 = load x[i0 + 4*i1 + 2]
    reduce sum[i0] = sum (lanes 64) of x0
return sum f32[4]
return none
)");
}

TEST(PrintLoops, ShowsLibraryCalls) {
  Loops loops = scheduled(R"(graph():
    %x : f32[4, 8] = placeholder[target=x]
    %w : f32[8, 2] = placeholder[target=w]
    %mm : f32[4, 2] = call_function[target=aten.mm.default](args = (%x, %w), kwargs = {})
    return (%mm,))");
  EXPECT_EQ("\n" + to_string(loops.schedule), R"(
buffer x : f32[4, 8] input 0
buffer w : f32[8, 2] input 1
buffer mm : f32[4, 2] output
call aten::mm.default(x, w) -> mm
return mm f32[4, 2]
)");
}

TEST(PrintLoops, GivesALongExpressionAName) {
  Schedule s;
  int x = add_buffer(s, "x", f32, {8}, BufferKind::input), out = add_buffer(s, "out", f32, {8}, BufferKind::output);
  NestMaker m(s, "out", {8});
  ScalarExpr value = m.load(x, {axis(0)});
  for (int i = 0; i < 10000; ++i) value = exp(value);
  m.store(out, {axis(0)}, value);
  std::string text = to_string(m.nest, s);
  EXPECT_LT(text.size(), 100000u);
  for (size_t start = 0; start < text.size(); start = text.find('\n', start) + 1)
    EXPECT_LT(text.find('\n', start) - start, 150u);
}

}  // namespace
}  // namespace sinter::fusion
