// What threads share.

#include <sinter/fusion/parallelize_axis.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(ParallelizeAxis, SharesTheRowsOfARowKernel) {
  Loops loops = loops_before("parallelize_axis", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  EXPECT_TRUE(parallelize_axis(loops.schedule));
  EXPECT_EQ(loops.schedule.kernels[0].parallel_axes, 1);
  EXPECT_FALSE(loops.schedule.kernels[0].splits_reduction);
}

TEST(ParallelizeAxis, SharesAVectorAxisOnlyIfThereIsNoOther) {
  Loops two = loops_before("parallelize_axis", R"(graph():
    %x : f32[4, 1, 6, 8] = placeholder[target=x]
    %y : f32[6, 8] = placeholder[target=y]
    %add : f32[4, 1, 6, 8] = call_function[target=aten.add.Tensor](args = (%x, %y), kwargs = {})
    return (%add,))");
  parallelize_axis(two.schedule);
  EXPECT_EQ(two.schedule.kernels[0].parallel_axes, 1);  // of two: the vector axis stays whole
  Loops one = loops_before("parallelize_axis", R"(graph():
    %x : f32[8, 16] strides=[1, 8] = placeholder[target=x]
    %exp : f32[8, 16] strides=[1, 8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))");
  parallelize_axis(one.schedule);
  EXPECT_EQ(one.schedule.kernels[0].parallel_axes, 1);
}

TEST(ParallelizeAxis, CutsTheSequenceOfALargeFullReduction) {
  Loops loops = loops_before("parallelize_axis", R"(graph():
    %x : f32[1024, 1024] = placeholder[target=x]
    %sum : f32[] = call_function[target=aten.sum.default](args = (%x,), kwargs = {})
    return (%sum,))");
  parallelize_axis(loops.schedule);
  EXPECT_TRUE(loops.schedule.kernels[0].splits_reduction);
}

TEST(ParallelizeAxis, LeavesASmallFullReductionToOneThread) {
  Loops loops = loops_before("parallelize_axis", R"(graph():
    %x : f32[1000] = placeholder[target=x]
    %sum : f32[] = call_function[target=aten.sum.default](args = (%x,), kwargs = {})
    return (%sum,))");
  parallelize_axis(loops.schedule);
  EXPECT_FALSE(loops.schedule.kernels[0].splits_reduction);
}

}  // namespace
}  // namespace sinter::fusion
