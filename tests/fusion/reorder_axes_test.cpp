// The order of loops over memory that lies otherwise than the dims.

#include <sinter/fusion/reorder_axes.h>

#include <gtest/gtest.h>

#include "support/loops_of.h"

namespace sinter::fusion {
namespace {

using test::kernels_text;
using test::Loops;
using test::loops_before;

TEST(ReorderAxes, WalksTransposedMemoryAlongItsRows) {
  Loops loops = loops_before("reorder_axes", R"(graph():
    %x : f32[8, 16] strides=[1, 8] = placeholder[target=x]
    %exp : f32[8, 16] strides=[1, 8] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    return (%exp,))");
  EXPECT_TRUE(reorder_axes(loops.schedule));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel exp outer 2 parallel 0
  nest exp [i0 < 16, i1 < 8]
    x0 = load x[8*i0 + i1]
    store exp[8*i0 + i1] = exp(x0)
)");
}

TEST(ReorderAxes, FollowsTheStoreWhereOperandsDisagree) {
  Loops loops = loops_before("reorder_axes", R"(graph():
    %x : f32[4, 8] = placeholder[target=x]
    %y : f32[8, 4] = placeholder[target=y]
    %t : f32[8, 4] strides=[1, 8] = call_function[target=aten.t.default](args = (%x,), kwargs = {})
    %write : f32[8, 4] strides=[1, 8] = call_function[target=aten.add_.Tensor](args = (%t, %y), kwargs = {})
    return (%t,))");
  EXPECT_TRUE(reorder_axes(loops.schedule));
  EXPECT_EQ("\n" + kernels_text(loops.schedule), R"(
kernel copy_ outer 2 parallel 0
  nest copy_ [i0 < 4, i1 < 8]
    x0 = load x[8*i0 + i1]
    x1 = load y[i0 + 4*i1]
    store x[8*i0 + i1] = add(x0, x1)
)");
}

TEST(ReorderAxes, LeavesTheSequenceOfAReductionAlone) {
  Loops loops = loops_before("reorder_axes", R"(graph():
    %x : f32[64, 1024] = placeholder[target=x]
    %exp : f32[64, 1024] = call_function[target=aten.exp.default](args = (%x,), kwargs = {})
    %sum : f32[1024] = call_function[target=aten.sum.dim_IntList](args = (%exp, [0]), kwargs = {})
    return (%sum,))");
  EXPECT_FALSE(reorder_axes(loops.schedule));
}

}  // namespace
}  // namespace sinter::fusion
