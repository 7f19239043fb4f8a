// Along which axis vectors run.

#include <sinter/fusion/vectorize_axis.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(VectorizeAxis, TakesTheInnermostAxisOfAPointwiseNest) {
  Loops loops = loops_before("vectorize_axis", R"(graph():
    %x : f32[4, 1, 6, 8] = placeholder[target=x]
    %y : f32[6, 8] = placeholder[target=y]
    %add : f32[4, 1, 6, 8] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    return (%add,))");
  EXPECT_TRUE(vectorize_axis(loops.schedule, {}));
  EXPECT_EQ(loops.schedule.kernels[0].nests[0].vector_axis, 1);
}

TEST(VectorizeAxis, TakesTheReducedAxisOfAReductionOverRows) {
  Loops loops = loops_before("vectorize_axis", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  EXPECT_TRUE(vectorize_axis(loops.schedule, {}));
  for (const Nest& nest : loops.schedule.kernels[0].nests) EXPECT_EQ(nest.vector_axis, 1) << nest.name;
}

TEST(VectorizeAxis, TakesTheKeptAxisOfAReductionOverColumnsInStrips) {
  Loops loops = loops_before("vectorize_axis", R"(graph():
    %x : f32[64, 1024] = placeholder[target=x]
    %exp : f32[64, 1024] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[1024] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum,))");
  EXPECT_TRUE(vectorize_axis(loops.schedule, {}));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel sum outer 1 parallel 0 strip 128
  nest sum [i0 < 1024 vector, i1 < 64 reduce]
    x0 = load x[i0 + 1024*i1]
    reduce sum[i0] = sum (lanes 1) of exp(x0)
)");
}

// Along memory the scan's own axis, for rows go together in squares; else the columns, as many as registers hold.
TEST(VectorizeAxis, GoesAlongAScanOfNeighbours) {
  auto text = [](int dim) {
    Loops loops = loops_before("vectorize_axis", fmt::format(R"(graph():
    %x : f32[64, 4096] = placeholder[target=x]
    %sum : f32[64, 4096] = call_function[target=aten.cumsum.default](args = (%x, {}), kwargs = {{}})
    %mul : f32[64, 4096] = call_function[target=aten.mul.Scalar](args = (%sum, 2.0), kwargs = {{}})
    return (%mul,))",
                                                             dim));
    vectorize_axis(loops.schedule, {});
    return "\n" + kernels_text(loops.schedule);
  };
  EXPECT_EQ(text(1), R"(
kernel sum outer 1 parallel 0
  nest sum [i0 < 64, i1 < 4096 scan vector]
    x0 = load x[4096*i0 + i1]
    store mul[4096*i0 + i1] = mul(f32(running_sum(f64(x0))), 2.0)
)");
  EXPECT_EQ(text(0), R"(
kernel sum outer 1 parallel 0 strip 8
  nest sum [i0 < 4096 vector, i1 < 64 scan]
    x0 = load x[i0 + 4096*i1]
    store mul[i0 + 4096*i1] = mul(f32(running_sum(f64(x0))), 2.0)
)");
}

}  // namespace
}  // namespace sinter::fusion
