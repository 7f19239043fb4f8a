// Nodes as loop nests: views are indices, reductions name their order, joins choose by position.

#include <sinter/fusion/lower_to_loops.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(LowerToLoops, MakesOneNestOfEachNode) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %y : f32[16] = placeholder[target=y]
    %add : f32[8, 16] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    %relu : f32[8, 16] = call_function[target=aten.relu.default](args = (%add,), kwargs = {})
    %mul : f32[8, 16] = call_function[target=aten.mul.Scalar](args = (%relu, 2.0), kwargs = {})
    return (%mul,))");
  EXPECT_EQ("\n" + to_string(loops.schedule), R"(
buffer x : f32[8, 16] input 0
buffer y : f32[16] input 1
buffer add : f32[8, 16] temporary at 0
buffer relu : f32[8, 16] temporary at 0
buffer mul : f32[8, 16] output
kernel add outer 0 parallel 0
  nest add [i0 < 8, i1 < 16]
    x0 = load x[16*i0 + i1]
    x1 = load y[i1]
    store add[16*i0 + i1] = add(x0, x1)
kernel relu outer 0 parallel 0
  nest relu [i0 < 8, i1 < 16]
    x0 = load add[16*i0 + i1]
    store relu[16*i0 + i1] = maximum(0.0, x0)
kernel mul outer 0 parallel 0
  nest mul [i0 < 8, i1 < 16]
    x0 = load relu[16*i0 + i1]
    store mul[16*i0 + i1] = mul(x0, 2.0)
return mul f32[8, 16]
)");
}

// Sums of f32 run in f64; the place of an extremum is the last that equals it.
TEST(LowerToLoops, MakesNestsOfScans) {
  const char* text = R"(graph():
    %x : f32[8, 16] = placeholder[target=x]
    %sum : f32[8, 16] = call_function[target=aten.cumsum.default](args = (%x, 0), kwargs = {})
    %max : (f32[8, 16], i64[8, 16]) = call_function[target=aten.cummax.default](args = (%sum, 1), kwargs = {})
    return (%max#0, %max#1))";
  EXPECT_EQ("\n" + kernels_text(test::loops_of(text).schedule), R"(
kernel sum outer 0 parallel 0
  nest sum [i0 < 16, i1 < 8 scan]
    x0 = load x[i0 + 16*i1]
    store sum[i0 + 16*i1] = f32(running_sum(f64(x0)))
kernel max outer 0 parallel 0
  nest max [i0 < 8, i1 < 16 scan]
    x0 = load sum[16*i0 + i1]
    x1 = running_maximum(x0)
    store max[16*i0 + i1] = x1
    store max_1[16*i0 + i1] = running_maximum(select(bit_or(eq(x0, x1), is_nan(x0)), index(i1), 0))
)");
}

TEST(LowerToLoops, ReindexesWithoutACopyOfTheEdges) {
  auto loops_of = [](const char* step, const char* start, const char* outside) {
    return "\n" + kernels_text(test::loops_of(fmt::format(R"(graph():
    %x : f32[4, 6] = placeholder[target=x]
    %reindex : f32[4, 6] = call_function[target=sinter.reindex.default](args = (%x, [4, 6], [6, 1], [0, {}], [1, {}], '{}', 3.0), kwargs = {{}})
    return (%reindex,))",
                                                          start, step, outside))
                                   .schedule);
  };
  EXPECT_EQ(loops_of("-1", "5", "fill"), R"(
kernel reindex outer 0 parallel 0
  nest reindex [i0 < 4, i1 < 6]
    x0 = load x[6*i0 - i1 + 5]
    store reindex[6*i0 + i1] = x0
)");
  EXPECT_EQ(loops_of("1", "-2", "wrap"), R"(
kernel reindex outer 0 parallel 0
  nest reindex [i0 < 4, i1 < 6]
    x0 = load x[6*i0 + (i1 + 4) % 6]
    store reindex[6*i0 + i1] = x0
)");
  EXPECT_EQ(loops_of("1", "-2", "mirror"), R"(
kernel reindex outer 0 parallel 0
  nest reindex [i0 < 4, i1 < 6]
    x0 = load x[6*i0 + mirror(i1 - 2, 6)]
    store reindex[6*i0 + i1] = x0
)");
  EXPECT_EQ(loops_of("1", "2", "fill"), R"(
kernel reindex outer 0 parallel 0
  nest reindex [i0 < 4, i1 < 6]
    x0 = lt(index(i1 + 2), 6)
    x1 = load x[6*i0 + i1 + 2] where x0
    store reindex[6*i0 + i1] = select(x0, x1, 3.0)
)");
}

TEST(LowerToLoops, AsksDimByDimWhetherASliceIsWritten) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[4, 6] = placeholder[target=x]
    %y : f32[2, 3] = placeholder[target=y]
    %s : f32[4, 6] = call_function[target=aten.as_strided_scatter.default](args = (%x, %y, [2, 3], [6, 1], 8), kwargs = {})
    return (%s,))");
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel s outer 0 parallel 0
  nest s [i0 < 4, i1 < 6]
    x0 = bit_and(bit_and(bit_and(ge(index(i0 - 1), 0), ge(index(-i0 + 2), 0)), ge(index(i1 - 2), 0)), ge(index(-i1 + 4), 0))
    x1 = load y[3*i0 + i1 - 5] where x0
    x2 = load x[6*i0 + i1]
    store s[6*i0 + i1] = select(x0, x1, x2)
)");
}

TEST(LowerToLoops, TurnsViewsIntoIndices) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[4, 6] = placeholder[target=x]
    %t : f32[6, 4] strides=[1, 6] = call_function[target=aten.t.default](args = (%x,), kwargs = {})
    %slice : f32[3, 4] strides=[2, 6] offset=1 = call_function[target=aten.slice.Tensor](args = (%t, 0, 1, 6, 2), kwargs = {})
    %exp : f32[3, 4] strides=[1, 3] = call_function[target=aten.exp.default](args = (%slice,), kwargs = {})
    return (%exp,))");
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel exp outer 0 parallel 0
  nest exp [i0 < 3, i1 < 4]
    x0 = load x[2*i0 + 6*i1 + 1]
    store exp[i0 + 3*i1] = exp(x0)
)");
}

TEST(LowerToLoops, OrdersReductionsByTheMemoryOfTheirInput) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[64, 16] = placeholder[target=x]
    %exp : f32[64, 16] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[64] = call_function[target=aten.sum.dim_IntList](args = (%exp, [1]), kwargs = {})
    %sum_1 : f32[16] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum, %sum_1))");
  std::string text = kernels_text(loops.schedule);
  EXPECT_NE(text.find("reduce sum[i0] = sum (lanes 64) of x0"), std::string::npos) << text;
  EXPECT_NE(text.find("reduce sum_1[i0] = sum (lanes 1) of x0"), std::string::npos) << text;
}

TEST(LowerToLoops, KeepsTheRoundingBetweenHalfPrecisionOps) {
  Loops loops = test::loops_of(R"(graph():
    %x : f16[8] = placeholder[target=x]
    %exp : f16[8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))");
  std::string text = kernels_text(loops.schedule);
  EXPECT_NE(text.find("store exp[i0] = f16(exp(f32(x0)))"), std::string::npos) << text;
}

TEST(LowerToLoops, ReturnsAViewAsTheBufferOfItsValue) {
  Loops loops = test::loops_of(R"(graph():
    %x : f32[4, 6] = placeholder[target=x]
    %exp : f32[4, 6] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %t : f32[6, 4] strides=[1, 6] = call_function[target=aten.t.default](args = (%exp,), kwargs = {})
    return (%t, %exp))");
  EXPECT_EQ(loops.schedule.kernels.size(), 1u);
  EXPECT_EQ(loops.schedule.results[0].buffer, loops.schedule.results[1].buffer);
  EXPECT_EQ(to_string(loops.schedule.results[0].layout.strides), "[1, 6]");
}

}  // namespace
}  // namespace sinter::fusion
