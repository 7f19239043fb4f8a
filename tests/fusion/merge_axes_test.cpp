// Axes that are one in memory.

#include <sinter/fusion/merge_axes.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(MergeAxes, MakesOneAxisOfContiguousMemory) {
  Loops loops = loops_before("merge_axes", R"(graph():
    %x : f32[8, 16] strides=[1, 8] = placeholder[target=x]
    %exp : f32[8, 16] strides=[1, 8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))");
  EXPECT_TRUE(merge_axes(loops.schedule));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel exp outer 1 parallel 0
  nest exp [i0 < 128]
    x0 = load x[i0]
    store exp[i0] = exp(x0)
)");
}

TEST(MergeAxes, KeepsTheAxisAlongWhichAnOperandIsBroadcast) {
  Loops loops = loops_before("merge_axes", R"(graph():
    %x : f32[4, 1, 6, 8] = placeholder[target=x]
    %y : f32[6, 8] = placeholder[target=y]
    %add : f32[4, 1, 6, 8] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    return (%add,))");
  EXPECT_TRUE(merge_axes(loops.schedule));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel add outer 2 parallel 0
  nest add [i0 < 4, i1 < 48]
    x0 = load x[48*i0 + i1]
    x1 = load y[i1]
    store add[48*i0 + i1] = add(x0, x1)
)");
}

TEST(MergeAxes, MergesTheAxesOfAFullReduction) {
  Loops loops = loops_before("merge_axes", R"(graph():
    %x : f32[1024, 1024] = placeholder[target=x]
    %sum : f32[] = call_function[target=aten.sum.default](args = (%x,), kwargs = {})
    return (%sum,))");
  EXPECT_TRUE(merge_axes(loops.schedule));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel sum outer 0 parallel 0
  nest sum [i0 < 1048576 reduce]
    x0 = load x[i0]
    reduce sum[0] = sum (lanes 64) of x0
)");
}

TEST(MergeAxes, DoesNotMergeWhatIsKeptWithWhatIsReduced) {
  Loops loops = loops_before("merge_axes", R"(graph():
    %x : f32[64, 1024] = placeholder[target=x]
    %exp : f32[64, 1024] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[1024] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum,))");
  EXPECT_FALSE(merge_axes(loops.schedule));
}

}  // namespace
}  // namespace sinter::fusion
