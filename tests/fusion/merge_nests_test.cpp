// Nests of one kernel that become one loop.

#include <sinter/fusion/merge_nests.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(MergeNests, PassesValuesInRegisters) {
  Loops loops = loops_before("merge_nests", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  EXPECT_TRUE(merge_nests(loops.schedule));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel amax outer 1 parallel 0
  nest amax [i0 < 4, i1 < 1000 reduce]
    x0 = load x[1000*i0 + i1]
    reduce amax[i0] = maximum (lanes 64) of x0
  nest exp [i0 < 4, i1 < 1000 reduce]
    x0 = load x[1000*i0 + i1]
    x1 = load amax[i0]
    x2 = exp(sub(x0, x1))
    store exp[1000*i0 + i1] = x2
    reduce sum[i0] = sum (lanes 64) of x2
  nest mul [i0 < 4, i1 < 1000]
    x0 = load exp[1000*i0 + i1]
    x1 = load sum[i0]
    store mul[1000*i0 + i1] = mul(x0, div(1.0, x1))
)");
}

TEST(MergeNests, LoadsOnceWhatTwoNestsRead) {
  Loops loops = loops_before("merge_nests", R"(graph():
    %x : f32[8] = placeholder[target=x]
    %y : f32[9] = placeholder[target=y]
    %exp : f32[8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %log : f32[9] = call_function[target=aten.log.default](args = (%y,), kwargs = {})
    %sin : f32[8] = call_function[target=aten.sin.default](args = (%x,), kwargs = {})
    return (%exp, %log, %sin))");
  EXPECT_TRUE(merge_nests(loops.schedule));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel exp outer 1 parallel 0
  nest exp [i0 < 8]
    x0 = load x[i0]
    store exp[i0] = exp(x0)
    store sin[i0] = sin(x0)
kernel log outer 1 parallel 0
  nest log [i0 < 9]
    x0 = load y[i0]
    store log[i0] = log(x0)
)");
}

TEST(MergeNests, DoesNotReadAReductionBeforeItIsDone) {
  Loops loops = loops_before("merge_nests", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  merge_nests(loops.schedule);
  EXPECT_EQ(test::nest_counts(loops.schedule), "3");
  EXPECT_FALSE(merge_nests(loops.schedule));
}

}  // namespace
}  // namespace sinter::fusion
