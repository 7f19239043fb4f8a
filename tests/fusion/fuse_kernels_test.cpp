// Which nests share a kernel, and why others do not.

#include <sinter/fusion/fuse_kernels.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(FuseKernels, MakesOneKernelOfSoftmax) {
  Loops loops = loops_before("fuse_kernels", R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %s : f32[4, 1000] = call_function[target=aten._softmax.default](args = (%x, -1, false), kwargs = {})
    return (%s,))");
  EXPECT_TRUE(fuse_kernels(loops.schedule, {}));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel amax outer 1 parallel 0
  nest amax [i0 < 4, i1 < 1000 reduce]
    x0 = load x[1000*i0 + i1]
    reduce amax[i0] = maximum (lanes 64) of x0
  nest exp [i0 < 4, i1 < 1000]
    x0 = load x[1000*i0 + i1]
    x1 = load amax[i0]
    store exp[1000*i0 + i1] = exp(sub(x0, x1))
  nest sum [i0 < 4, i1 < 1000 reduce]
    x0 = load exp[1000*i0 + i1]
    reduce sum[i0] = sum (lanes 64) of x0
  nest mul [i0 < 4, i1 < 1000]
    x0 = load exp[1000*i0 + i1]
    x1 = load sum[i0]
    store mul[1000*i0 + i1] = mul(x0, div(1.0, x1))
)");
}

TEST(FuseKernels, MakesOneKernelOfLayerNorm) {
  Loops loops = test::scheduled(R"(graph():
    %x : f32[4, 1000] = placeholder[target=x]
    %w : f32[1000] = placeholder[target=w]
    %b : f32[1000] = placeholder[target=b]
    %y : (f32[4, 1000], f32[4, 1], f32[4, 1]) = call_function[target=aten.native_layer_norm.default](args = (%x, [1000], %w, %b, 1e-05), kwargs = {})
    return (%y,))");
  EXPECT_EQ(test::kernel_names(loops.schedule), "sum");
  EXPECT_EQ(loops.schedule.arena_bytes, 0);
}

TEST(FuseKernels, JoinsNestsThatReadTheSameButNotStrangers) {
  Loops loops = loops_before("fuse_kernels", R"(graph():
    %x : f32[8] = placeholder[target=x]
    %y : f32[8] = placeholder[target=y]
    %exp : f32[8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %log : f32[8] = call_function[target=aten.log.default](args = (%y,), kwargs = {})
    %sin : f32[8] = call_function[target=aten.sin.default](args = (%x,), kwargs = {})
    return (%exp, %log, %sin))");
  EXPECT_TRUE(fuse_kernels(loops.schedule, {}));
  EXPECT_EQ(test::kernel_names(loops.schedule), "exp; log");
  EXPECT_EQ(test::nest_counts(loops.schedule), "2 + 1");
}

TEST(FuseKernels, SaysWhyReductionsOverRowsAndColumnsStayApart) {
  Loops loops = loops_before("fuse_kernels", R"(graph():
    %x : f32[64, 16] = placeholder[target=x]
    %exp : f32[64, 16] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[64] = call_function[target=aten.sum.dim_IntList](args = (%exp, [1]), kwargs = {})
    %sum_1 : f32[16] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum, %sum_1))");
  fuse_kernels(loops.schedule, {});
  EXPECT_EQ(test::kernel_names(loops.schedule), "exp; sum_1");
  EXPECT_EQ(
      loops.schedule.decisions,
      (std::vector<std::string>{"exp + sum -> yes", "exp + sum_1 -> no: no shared axis (outer [64, 16] vs [16, 64])"}));
}

// Equal extents do not make rows of columns.
TEST(FuseKernels, LeavesRowsAndColumnsOfASquareApart) {
  Loops loops = loops_before("fuse_kernels", R"(graph():
    %x : f32[64, 64] = placeholder[target=x]
    %rows : f32[64] = call_function[target=aten.sum.dim_IntList](args = (%x, [1]), kwargs = {})
    %columns : f32[64] = call_function[target=aten.sum.dim_IntList](args = (%x, [0]), kwargs = {})
    return (%rows, %columns))");
  EXPECT_FALSE(fuse_kernels(loops.schedule, {}));
  EXPECT_EQ(test::kernel_names(loops.schedule), "rows; columns");
}

TEST(FuseKernels, KeepsAWriteOfAnArgumentBehindTheReadsOfOtherElements) {
  Loops loops = loops_before("fuse_kernels", R"(graph():
    %x : f32[8] = placeholder[target=x]
    %from : f32[7] = call_function[target=aten.slice.Tensor](args = (%x, 0, 0, 7), kwargs = {})
    %to : f32[7] offset=1 = call_function[target=aten.slice.Tensor](args = (%x, 0, 1, 8), kwargs = {})
    %neg : f32[7] = call_function[target=aten.neg.default](args = (%from,), kwargs = {})
    %write : f32[7] offset=1 = call_function[target=aten.copy_.default](args = (%to, %neg), kwargs = {})
    return ())");
  EXPECT_FALSE(fuse_kernels(loops.schedule, {}));
  EXPECT_EQ(loops.schedule.decisions,
            (std::vector<std::string>{"copy + copy_ -> no: an argument is written where the other reads"}));
}

// What a scan gives crosses to another row, or is reduced: loops of its own.
TEST(FuseKernels, GivesScansOnlyWhatBecomesOneNestWithThem) {
  Loops loops = loops_before("fuse_kernels", R"(graph():
    %x : f32[32, 32] = placeholder[target=x]
    %sum : f32[32, 32] = call_function[target=aten.cumsum.default](args = (%x, 1), kwargs = {})
    %exp : f32[32, 32] = call_function[target=aten.exp.default](args = (%sum,), kwargs = {})
    %t : f32[32, 32] strides=[1, 32] = call_function[target=aten.t.default](args = (%sum,), kwargs = {})
    %log : f32[32, 32] strides=[1, 32] = call_function[target=aten.log.default](args = (%t,), kwargs = {})
    %turned : f32[32, 32] = call_function[target=aten.add.Tensor](args = (%sum, %log), kwargs = {})
    %max : f32[32] = call_function[target=aten.amax.default](args = (%sum, [1]), kwargs = {})
    return (%exp, %turned, %max))");
  fuse_kernels(loops.schedule, {});
  ASSERT_EQ(loops.schedule.kernels.size(), 3u) << kernels_text(loops.schedule);
  EXPECT_EQ(loops.schedule.kernels[0].nests.size(), 2u);
  EXPECT_NE(std::ranges::find(loops.schedule.decisions, "sum + max -> no: a scan's loops are its own"),
            loops.schedule.decisions.end());
}

}  // namespace
}  // namespace sinter::fusion
